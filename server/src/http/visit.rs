//! What a page handler knows of its request beside the fields: who looks, and how to answer them.

use axum::{
    extract::{FromRef, FromRequestParts},
    http::{StatusCode, request::Parts},
    response::{IntoResponse, Redirect, Response},
};
use domain::{
    actor::Actor,
    view::shell::{Flash, Person, Shell},
};
use leptos::prelude::AnyView;
use tower_sessions::Session;

use super::{
    assets,
    failure::Failure,
    nonce::CspNonce,
    render,
    session::{self, flash},
    shell,
    state::Web,
};

/// A page of the `app` crate: where the bundle lies, the frame, the data.
pub type Page<T> = fn(&str, &Shell, &T) -> AnyView;

/// A request for a page by a signed-in person: the door of the route has let them in.
#[derive(Debug, Clone)]
pub struct Visit {
    /// Everything shared.
    pub web: Web,
    /// Who it is.
    pub person: Person,
    page: Anonymous,
}

/// A request for a page by whoever it may be.
#[derive(Debug, Clone)]
pub struct Anonymous {
    /// Everything shared.
    pub web: Web,
    /// Their session, which may be empty.
    pub session: Session,
    nonce: CspNonce,
    path: String,
}

impl Visit {
    /// The person as the use cases know them.
    pub fn actor(&self) -> Actor {
        session::actor(&self.person)
    }

    /// Answers with a page.
    pub async fn show<T: Send + 'static>(
        self,
        data: T,
        page: Page<T>,
    ) -> Result<Response, Failure> {
        self.answer(StatusCode::OK, data, page).await
    }

    /// Answers with a page under another status than 200.
    pub async fn answer<T: Send + 'static>(
        self,
        status: StatusCode,
        data: T,
        page: Page<T>,
    ) -> Result<Response, Failure> {
        self.page
            .answer_for(Some(self.person), status, data, page)
            .await
    }

    /// Says what was done, on the page to go to next.
    pub async fn go_to(&self, path: &str, flash: Flash) -> Result<Response, Failure> {
        self.page.go_to(path, Some(flash)).await
    }

    /// Their session.
    pub const fn session(&self) -> &Session {
        &self.page.session
    }
}

impl Anonymous {
    /// Answers with a page for nobody in particular.
    pub async fn answer<T: Send + 'static>(
        self,
        status: StatusCode,
        data: T,
        page: Page<T>,
    ) -> Result<Response, Failure> {
        self.answer_for(None, status, data, page).await
    }

    /// Answers with a page for a person, if there is one.
    pub async fn answer_for<T: Send + 'static>(
        self,
        person: Option<Person>,
        status: StatusCode,
        data: T,
        page: Page<T>,
    ) -> Result<Response, Failure> {
        let flash = flash::take(&self.session).await?;
        let shell = shell::fill(&self.web, self.path, person, flash).await?;
        Ok(render::document(status, self.nonce, move || {
            page(&assets::base(), &shell, &data)
        })
        .await)
    }

    /// Goes to another page by GET.
    pub async fn go_to(&self, path: &str, flash: Option<Flash>) -> Result<Response, Failure> {
        if let Some(flash) = flash {
            flash::put(&self.session, flash).await?;
        }
        Ok(Redirect::to(path).into_response())
    }
}

impl<S> FromRequestParts<S> for Anonymous
where
    Web: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let outside = || Failure::broken(&"a page stands outside the session or policy layer");
        Ok(Self {
            web: Web::from_ref(state),
            session: parts
                .extensions
                .get::<Session>()
                .cloned()
                .ok_or_else(outside)?,
            nonce: parts
                .extensions
                .get::<CspNonce>()
                .cloned()
                .ok_or_else(outside)?,
            path: parts
                .uri
                .path_and_query()
                .map_or_else(|| "/".to_owned(), ToString::to_string),
        })
    }
}

impl<S> FromRequestParts<S> for Visit
where
    Web: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Failure> {
        let person = parts.extensions.get::<Person>().cloned();
        let page = Anonymous::from_request_parts(parts, state).await?;
        Ok(Self {
            web: page.web.clone(),
            person: person
                .ok_or_else(|| Failure::broken(&"the door of this route lets in nobody"))?,
            page,
        })
    }
}
