//! `/api/v1`: JSON for programs, with a bearer token. What a page shows and what a call answers is
//! the same read model. Errors are problem documents.

pub mod attempts;
pub mod cases;
pub mod exports;
pub mod intents;
pub mod ledger;
pub mod settlement_files;

use axum::{
    Json,
    body::Bytes,
    extract::{FromRequest, FromRequestParts, Request},
    http::{StatusCode, request::Parts},
    response::{IntoResponse, Response},
};
use domain::actor::Actor;
use serde::{Serialize, de::DeserializeOwned};

use super::failure::Failure;

/// Whom the token stands for: the door of the route has let them in.
#[derive(Debug, Clone)]
pub struct Caller(pub Actor);

/// A JSON body.
#[derive(Debug, Clone)]
pub struct Sent<T>(pub T);

impl<S: Send + Sync> FromRequestParts<S> for Caller {
    type Rejection = Failure;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Failure> {
        let actor = parts.extensions.get::<Actor>().cloned();
        actor
            .map(Self)
            .ok_or_else(|| Failure::broken(&"the door of this call lets in nobody"))
    }
}

impl<S: Send + Sync, T: DeserializeOwned> FromRequest<S> for Sent<T> {
    type Rejection = Failure;

    async fn from_request(request: Request, state: &S) -> Result<Self, Failure> {
        let bytes = Bytes::from_request(request, state)
            .await
            .map_err(|refused| Failure::of_status(refused.status()))?;
        serde_json::from_slice(&bytes).map(Self).map_err(|error| {
            Failure::new(
                StatusCode::UNPROCESSABLE_ENTITY,
                format!("The body cannot be read: {error}."),
            )
        })
    }
}

/// Answers 200 with what was found, or 404.
fn found<T: Serialize>(found: Option<T>, what: &str) -> Result<Response, Failure> {
    found
        .map(|found| Json(found).into_response())
        .ok_or_else(|| Failure::not_found(what))
}
