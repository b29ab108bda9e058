//! How requests become use cases and pages.
//!
//! | Module | Answers |
//! |---|---|
//! | [`routes`] | which addresses there are, who may use them, what answers |
//! | [`router`] | what surrounds every answer, in which order |
//! | [`pages`] | one file per screen: extract, use case, page |
//! | [`api`] | one file per resource, for programs |
//! | [`guard`], [`access`], [`route`] | the door of each route |
//! | [`session`] | who is signed in |
//! | [`visit`], [`fields`], [`form_parts`], [`upload`] | what a handler is given |
//! | [`render`], [`shell`] | how a page is made |
//! | [`download`] | answers too large to hold |
//! | [`failure`], [`failure_page`], [`problem`] | what is refused or broken, and how it is told |
//! | [`nonce`], [`headers`], [`forgery`], [`request_id`] | protection and traces |
//! | [`assets`], [`health`], [`metrics`] | the bundle, and what supervisors ask |
//! | [`config`], [`state`], [`serve`] | the server as a whole |

pub mod access;
pub mod api;
pub mod assets;
pub mod config;
pub mod download;
pub mod failure;
pub mod failure_page;
pub mod fields;
pub mod forgery;
pub mod form_parts;
pub mod guard;
pub mod headers;
pub mod health;
pub mod metrics;
pub mod nonce;
pub mod pages;
pub mod problem;
pub mod render;
pub mod request_id;
pub mod route;
pub mod router;
pub mod routes;
pub mod serve;
pub mod session;
pub mod shell;
pub mod state;
pub mod upload;
pub mod visit;
