//! The seal over everything that is recorded.
//!
//! | Module | Does |
//! |---|---|
//! | [`secret`] | keeps the instance secret, from which the salts of texts follow |
//! | [`leaves`] | collects the leaves of a transaction's records and writes them with it |
//! | [`leaves_of`] | makes the leaves of records that stand already |
//! | [`append_blocks`] | puts what waits into blocks of the chain |

pub mod append_blocks;
pub mod leaves;
pub mod leaves_of;
pub mod secret;

pub use append_blocks::append_blocks;
pub use leaves::Leaves;
pub use leaves_of::leaves_of;
pub(crate) use secret::instance_secret;
