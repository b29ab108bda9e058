//! What tells where somebody tries to sign in from: the network address, and what the browser kept when
//! somebody signed in with it before. The latter lets nobody in; it only keeps the failures of others
//! apart from theirs.

use axum::{
    extract::{ConnectInfo, FromRef, FromRequestParts},
    http::{header, request::Parts},
};
use engine::users::Place;
use std::{
    convert::Infallible,
    net::{IpAddr, SocketAddr},
};

use crate::http::{config::WebConfig, state::Web};

/// As long as the mark in it is good.
const MOST_SECONDS: i64 = 180 * 24 * 60 * 60;

/// Where a request comes from.
#[derive(Debug, Clone)]
pub struct From(pub Place);

impl<S> FromRequestParts<S> for From
where
    Web: FromRef<S>,
    S: Send + Sync,
{
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, Infallible> {
        let web = Web::from_ref(state);
        let network = parts
            .extensions
            .get::<ConnectInfo<SocketAddr>>()
            .map_or_else(String::new, |ConnectInfo(address)| network(address.ip()));
        let name = web.config.device_cookie_name();
        let device = parts
            .headers
            .get_all(header::COOKIE)
            .iter()
            .filter_map(|value| value.to_str().ok())
            .flat_map(|cookies| cookies.split(';'))
            .filter_map(|cookie| cookie.trim().split_once('='))
            .find(|(cookie, _)| *cookie == name)
            .map_or_else(String::new, |(_, value)| value.to_owned());
        Ok(Self(Place { network, device }))
    }
}

/// Whoever has one address of IPv6 has as many as they like beside it.
fn network(address: IpAddr) -> String {
    match address.to_canonical() {
        IpAddr::V4(address) => address.to_string(),
        IpAddr::V6(address) => {
            let [a, b, c, d, ..] = address.segments();
            format!("{a:x}:{b:x}:{c:x}:{d:x}::/64")
        }
    }
}

/// The cookie that keeps a mark.
pub fn cookie(config: &WebConfig, mark: &str) -> String {
    let secure = if config.insecure_http { "" } else { "; Secure" };
    format!(
        "{}={mark}; Path=/; HttpOnly; SameSite=Lax; Max-Age={MOST_SECONDS}{secure}",
        config.device_cookie_name()
    )
}
