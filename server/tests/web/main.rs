//! The web as a browser or a program meets it: over a real socket, by every kind of visitor.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::indexing_slicing,
    clippy::panic
)]

mod access;
mod answers;
mod exports_equal_screens;
mod forgery;
mod hostile_addresses;
mod hostile_forms;
mod main_job;
mod registry;
mod sessions;
mod set_up;
mod settings;
mod under_test;
