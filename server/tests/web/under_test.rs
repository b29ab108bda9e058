//! A server on a free port with a database of its own, and a client that sees what a browser sees.

use domain::actor::{Actor, Role};
use engine::{
    Engine, EvidenceStore, Sources, Store,
    clock::FixedClock,
    ids::SystemIds,
    testing::both,
    users::{self, NewUser, User},
};
use reqwest::{Method, StatusCode, header};
use server::http::{
    config::WebConfig,
    serve::{self, Running},
};
use std::sync::Arc;
use tempfile::TempDir;
use tokio_util::sync::CancellationToken;

/// Everybody's.
pub const PASSWORD: &str = "correct horse battery staple";

/// A running server, its clock standing still until a test moves it. Its data goes when it is dropped.
pub struct UnderTest {
    pub address: String,
    pub engine: Engine,
    pub clock: Arc<FixedClock>,
    pub running: Running,
    pub stopping: CancellationToken,
    client: reqwest::Client,
    _folder: TempDir,
}

/// What was answered.
#[derive(Debug)]
pub struct Answer {
    pub status: StatusCode,
    pub headers: header::HeaderMap,
    pub body: String,
}

/// What a browser holds: the cookie of its session. That by which it is known again at the door it
/// loses, unless a test keeps it.
#[derive(Debug, Clone, Default)]
pub struct Browser {
    pub cookie: Option<String>,
}

/// Runs a test against a server on each kind of database.
pub fn on_both(test: impl AsyncFn(UnderTest)) {
    on_both_with(|_| {}, test);
}

/// The same with other settings.
pub fn on_both_with(change: impl Fn(&mut WebConfig), test: impl AsyncFn(UnderTest)) {
    both(async |store| {
        let server = UnderTest::start(store, &change).await;
        let stopping = server.stopping.clone();
        test(server).await;
        // What still runs gives its connections back, so that the database can go.
        stopping.cancel();
    });
}

impl UnderTest {
    async fn start(store: Store, change: impl Fn(&mut WebConfig)) -> Self {
        let folder = tempfile::tempdir().unwrap();
        // The cookie's own end is counted by the machine's clock.
        let clock = Arc::new(FixedClock::at(engine::clock::Clock::now(
            &engine::clock::SystemClock,
        )));
        let engine = Engine {
            store,
            sources: Sources {
                clock: clock.clone(),
                ids: Arc::new(SystemIds),
            },
        };
        let evidence = EvidenceStore::open(folder.path()).await.unwrap();
        let mut config = WebConfig::new("127.0.0.1:0".parse().unwrap());
        change(&mut config);
        let stopping = CancellationToken::new();
        let running = serve::start(engine.clone(), evidence, config, stopping.clone())
            .await
            .unwrap();
        Self {
            address: format!("http://{}", running.address),
            engine,
            clock,
            running,
            stopping,
            client: reqwest::Client::builder()
                .redirect(reqwest::redirect::Policy::none())
                .build()
                .unwrap(),
            _folder: folder,
        }
    }

    /// A request to a path, as a program would send it.
    pub fn request(&self, method: Method, path: &str) -> reqwest::RequestBuilder {
        self.client
            .request(method, format!("{}{path}", self.address))
    }

    /// Sends and reads all of the answer.
    pub async fn send(&self, request: reqwest::RequestBuilder) -> Answer {
        let response = request.send().await.unwrap();
        Answer {
            status: response.status(),
            headers: response.headers().clone(),
            body: response.text().await.unwrap(),
        }
    }

    /// A page, as a browser asks for it.
    pub async fn get(&self, browser: &mut Browser, path: &str) -> Answer {
        let request = self.request(Method::GET, path);
        self.browse(browser, request).await
    }

    /// A form, as a browser sends it from a page of this site.
    pub async fn post(&self, browser: &mut Browser, path: &str, fields: &[(&str, &str)]) -> Answer {
        let request = self
            .request(Method::POST, path)
            .header("sec-fetch-site", "same-origin")
            .form(fields);
        self.browse(browser, request).await
    }

    /// The user with these roles, made if needed.
    pub async fn user_of(&self, roles: &[Role]) -> User {
        let names: Vec<_> = roles.iter().map(|role| role.code()).collect();
        let email = format!("{}@example.com", names.join("-"));
        if let Some(user) = users::find_by_email(&self.engine, &email).await.unwrap() {
            return user;
        }
        let new = NewUser {
            email,
            password: PASSWORD.to_owned(),
            roles: roles.iter().copied().collect(),
        };
        users::add_user(&self.engine, &Actor::Operator, new)
            .await
            .unwrap()
    }

    /// Signs the user with these roles in.
    pub async fn sign_in(&self, browser: &mut Browser, roles: &[Role]) -> Answer {
        let user = self.user_of(roles).await;
        let fields = [("email", user.email.as_str()), ("password", PASSWORD)];
        let answer = self.post(browser, "/sign-in", &fields).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.body);
        answer
    }

    /// A browser in which the user with these roles is signed in.
    pub async fn signed_in_as(&self, roles: &[Role]) -> Browser {
        let mut browser = Browser::default();
        self.sign_in(&mut browser, roles).await;
        browser
    }

    /// Whether somebody is signed in.
    pub async fn is_in(&self, browser: &mut Browser) -> bool {
        self.get(browser, "/settings/users").await.status == StatusCode::OK
    }

    /// A request to a route by its method, with an empty form where it takes one.
    pub async fn try_route(&self, browser: &mut Browser, method: &Method, path: &str) -> Answer {
        if method == Method::GET {
            self.get(browser, path).await
        } else {
            self.post(browser, path, &[]).await
        }
    }

    /// Sends with the browser's cookie and keeps the one that comes back.
    pub async fn browse(
        &self,
        browser: &mut Browser,
        mut request: reqwest::RequestBuilder,
    ) -> Answer {
        if let Some(cookie) = &browser.cookie {
            request = request.header(header::COOKIE, cookie);
        }
        let answer = self.send(request).await;
        for cookie in answer.cookies().into_iter().filter(|c| !is_of_device(c)) {
            let pair = cookie.split(';').next().unwrap_or_default();
            let gone = cookie.contains("Max-Age=0");
            browser.cookie = (!gone).then(|| pair.to_owned());
        }
        answer
    }
}

/// Whether a cookie is the one by which a browser is known again.
pub fn is_of_device(cookie: &str) -> bool {
    cookie.starts_with("__Host-tieout_device=") || cookie.starts_with("tieout_device=")
}

impl Answer {
    /// The cookies that it sets, whole.
    pub fn cookies(&self) -> Vec<&str> {
        self.headers
            .get_all(header::SET_COOKIE)
            .iter()
            .map(|value| value.to_str().unwrap())
            .collect()
    }

    /// A header's value, or empty.
    pub fn header(&self, name: &str) -> &str {
        self.headers
            .get(name)
            .map_or("", |value| value.to_str().unwrap())
    }
}
