//! What a form or a link carries, as text, so that a page can show again what was typed.

use axum::{
    body::{Body, Bytes},
    extract::{FromRequest, FromRequestParts, Query, Request},
    http::{StatusCode, header, request::Parts},
};
use serde::de::DeserializeOwned;

use super::failure::Failure;

/// Names and values in the order sent; a name may come several times.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Fields(Vec<(String, String)>);

/// The fields of a posted form.
#[derive(Debug, Clone, Default)]
pub struct Posted(pub Fields);

/// The fields of the address.
#[derive(Debug, Clone, Default)]
pub struct Asked(pub Fields);

/// What the address asks a list for. What cannot be read asks for nothing: a link from an older
/// version shows the list rather than a refusal.
#[derive(Debug, Clone, Default)]
pub struct Filter<T>(pub T);

impl Fields {
    /// Reads `name=value&name=value`.
    pub fn parse(text: &[u8]) -> Self {
        Self(
            form_urlencoded::parse(text)
                .map(|(name, value)| (name.into_owned(), value.into_owned()))
                .collect(),
        )
    }

    /// The value of a name, or empty; without white space around it.
    pub fn text(&self, name: &str) -> &str {
        self.raw(name).trim()
    }

    /// The value exactly as typed, such as a password, or empty.
    pub fn raw(&self, name: &str) -> &str {
        self.0
            .iter()
            .find(|(n, _)| n == name)
            .map_or("", |(_, value)| value)
    }

    /// The value, where something was typed.
    pub fn given(&self, name: &str) -> Option<&str> {
        Some(self.text(name)).filter(|text| !text.is_empty())
    }

    /// Every value of a name, such as those of checkboxes.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.0
            .iter()
            .filter(move |(n, _)| n == name)
            .map(|(_, value)| value.trim())
            .filter(|value| !value.is_empty())
    }

    /// All of them, in order.
    pub fn pairs(&self) -> &[(String, String)] {
        &self.0
    }
}

impl<S: Send + Sync> FromRequest<S> for Posted {
    type Rejection = Failure;

    async fn from_request(request: Request<Body>, state: &S) -> Result<Self, Failure> {
        let kind = request
            .headers()
            .get(header::CONTENT_TYPE)
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default();
        if !kind.starts_with("application/x-www-form-urlencoded") && !kind.is_empty() {
            return Err(Failure::new(
                StatusCode::UNSUPPORTED_MEDIA_TYPE,
                "This form was sent in a way that cannot be read here.",
            ));
        }
        let bytes = Bytes::from_request(request, state)
            .await
            .map_err(|refused| {
                Failure::new(
                    refused.status(),
                    "What was sent is larger than this form takes.",
                )
            })?;
        Ok(Self(Fields::parse(&bytes)))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Asked {
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        Ok(Self(Fields::parse(
            parts.uri.query().unwrap_or_default().as_bytes(),
        )))
    }
}

impl<S, T> FromRequestParts<S> for Filter<T>
where
    S: Send + Sync,
    T: DeserializeOwned + Default,
{
    type Rejection = std::convert::Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Self::Rejection> {
        let read = Query::<T>::try_from_uri(&parts.uri);
        Ok(Self(read.map(|Query(filter)| filter).unwrap_or_default()))
    }
}
