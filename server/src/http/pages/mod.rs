//! The screens: each handler reads its request, calls a use case, and answers with a page.

pub mod progress;
pub mod set_up;
pub mod settings;
pub mod sign_in;
