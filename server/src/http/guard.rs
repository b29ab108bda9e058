//! The door of every route: who is there, and whether the route lets them in.

use axum::{
    extract::{Request, State},
    http::{Method, StatusCode, header},
    middleware::Next,
    response::{IntoResponse, Redirect, Response},
};
use domain::{actor::Actor, view::routes};
use tower_sessions::Session;

use super::{access::Access, failure::Failure, session, state::Web};

/// Lets the request through with whoever sent it, sends them to sign in, or refuses.
pub async fn admit(
    State((web, access)): State<(Web, Access)>,
    mut request: Request,
    next: Next,
) -> Result<Response, Failure> {
    match access {
        Access::Anyone => {}
        Access::Person(permission) => {
            let session = session_of(&request)?;
            let Some(person) = session::person(&web.engine, &session).await? else {
                return Ok(to_sign_in(&request));
            };
            session::actor(&person)
                .require(permission)
                .map_err(engine::Error::from)?;
            request.extensions_mut().insert(person);
        }
        Access::Token(permission) => {
            let actor = bearer(&web, token_of(&request)).await?;
            actor.require(permission).map_err(engine::Error::from)?;
            request.extensions_mut().insert(actor);
        }
    }
    Ok(next.run(request).await)
}

/// The session, which the layer around the routes provides.
fn session_of(request: &Request) -> Result<Session, Failure> {
    request
        .extensions()
        .get::<Session>()
        .cloned()
        .ok_or_else(|| Failure::broken(&"a route stands outside the session layer"))
}

/// To sign in, and back here afterwards; what a form carried is not kept.
fn to_sign_in(request: &Request) -> Response {
    let back = match *request.method() {
        Method::GET => request.uri().path_and_query().map(ToString::to_string),
        _ => None,
    };
    let back = back.filter(|path| path != "/").unwrap_or_default();
    let to = routes::query(
        routes::pattern::SIGN_IN,
        &[(routes::field::NEXT, back.as_str())],
    );
    Redirect::to(&to).into_response()
}

fn token_of(request: &Request) -> Option<String> {
    let value = request
        .headers()
        .get(header::AUTHORIZATION)?
        .to_str()
        .ok()?;
    Some(value.strip_prefix("Bearer ")?.trim().to_owned())
}

async fn bearer(web: &Web, token: Option<String>) -> Result<Actor, Failure> {
    let unknown = || {
        Failure::new(
            StatusCode::UNAUTHORIZED,
            "Send a token that is in force: Authorization: Bearer TOKEN.",
        )
    };
    let token = token.ok_or_else(unknown)?;
    engine::tokens::find_actor(&web.engine, &token)
        .await?
        .ok_or_else(unknown)
}
