//! The screens: each handler reads its request, calls a use case, and answers with a page.

pub mod audit;
pub mod exports;
pub mod files;
pub mod ledger;
pub mod lines;
pub mod overview;
pub mod payments;
pub mod progress;
pub mod review;
pub mod set_up;
pub mod settings;
pub mod sign_in;
pub mod upload;
