//! `/sign-in` and `/sign-out`.

use axum::{
    http::{HeaderValue, StatusCode, header},
    response::Response,
};
use domain::view::{
    routes::{self, field, pattern},
    sign_in::SignIn,
};

use crate::http::{
    failure::{Failure, sentence},
    fields::{Asked, Posted},
    session::{self, device},
    visit::Anonymous,
};

/// Shows the form, or the way on where somebody is signed in already.
pub async fn show(visit: Anonymous, Asked(asked): Asked) -> Result<Response, Failure> {
    let next = local(asked.text(field::NEXT));
    if session::person(&visit.web.engine, &visit.session)
        .await?
        .is_some()
    {
        return visit.go_to(after(&next), None).await;
    }
    let form = SignIn {
        next,
        nobody_yet: !engine::users::anybody(&visit.web.engine).await?,
        ..SignIn::default()
    };
    page(visit, StatusCode::OK, form).await
}

/// Signs in, or says why not without telling which of the two was wrong.
pub async fn submit(
    visit: Anonymous,
    device::From(place): device::From,
    Posted(posted): Posted,
) -> Result<Response, Failure> {
    let email = posted.text(field::EMAIL).to_owned();
    let next = local(posted.text(field::NEXT));
    let engine = &visit.web.engine;
    let password = posted.raw(field::PASSWORD);
    match engine::users::sign_in(engine, &email, password, &place).await {
        Ok(Some(found)) => {
            session::begin(&visit.session, found.user.id, engine.now()).await?;
            let mut response = visit.go_to(after(&next), None).await?;
            let kept = device::cookie(&visit.web.config, &found.device);
            let kept = HeaderValue::from_str(&kept).map_err(|e| Failure::broken(&e))?;
            response.headers_mut().append(header::SET_COOKIE, kept);
            Ok(response)
        }
        Ok(None) => {
            let form = SignIn {
                email,
                next,
                problem:
                    "This address and password do not belong together, or the account is shut."
                        .to_owned(),
                nobody_yet: !engine::users::anybody(engine).await?,
            };
            page(visit, StatusCode::UNPROCESSABLE_ENTITY, form).await
        }
        Err(error @ engine::Error::TooMany { .. }) => {
            let form = SignIn {
                email,
                next,
                problem: sentence(&error.to_string()),
                nobody_yet: false,
            };
            page(visit, StatusCode::TOO_MANY_REQUESTS, form).await
        }
        Err(error) => Err(error.into()),
    }
}

/// Signs out.
pub async fn leave(visit: Anonymous) -> Result<Response, Failure> {
    session::end(&visit.session).await?;
    visit.go_to(pattern::SIGN_IN, None).await
}

async fn page(visit: Anonymous, status: StatusCode, form: SignIn) -> Result<Response, Failure> {
    visit.answer(status, form, app::pages::sign_in).await
}

/// A way on that stays on this site, or empty.
fn local(next: &str) -> String {
    if routes::is_local(next) {
        next.to_owned()
    } else {
        String::new()
    }
}

fn after(next: &str) -> &str {
    if next.is_empty() {
        pattern::OVERVIEW
    } else {
        next
    }
}
