//! One route: how it is called, who may call it, and what answers.

use axum::{
    Router,
    handler::Handler,
    http::Method,
    middleware,
    routing::{MethodFilter, MethodRouter, on},
};

use super::{access::Access, guard, state::Web};

/// A line of the table of routes.
pub struct Route {
    /// GET or POST: nothing else is used.
    pub method: Method,
    /// The path, with `{name}` for what varies.
    pub path: &'static str,
    /// Who may call it.
    pub access: Access,
    /// Whether it takes or gives a stream: no limit on the body, no time limit.
    pub streams: bool,
    handler: MethodRouter<Web>,
}

impl Route {
    /// A page, a download or a document.
    pub fn get<H, T>(path: &'static str, access: Access, handler: H) -> Self
    where
        H: Handler<T, Web>,
        T: 'static,
    {
        Self {
            method: Method::GET,
            path,
            access,
            streams: false,
            handler: on(MethodFilter::GET, handler),
        }
    }

    /// A form, or a call that changes something.
    pub fn post<H, T>(path: &'static str, access: Access, handler: H) -> Self
    where
        H: Handler<T, Web>,
        T: 'static,
    {
        Self {
            method: Method::POST,
            path,
            access,
            streams: false,
            handler: on(MethodFilter::POST, handler),
        }
    }

    /// Marks a route that takes a file or sends events.
    #[must_use]
    pub fn streaming(mut self) -> Self {
        self.streams = true;
        self
    }

    /// Adds the route, behind its door, to a router.
    pub fn mount(self, web: &Web, router: Router<Web>) -> Router<Web> {
        let door = middleware::from_fn_with_state((web.clone(), self.access), guard::admit);
        router.route(self.path, self.handler.route_layer(door))
    }
}
