//! Who did what: one record for everything that a person sets off, sealed like all histories.
//!
//! | File | Does |
//! |---|---|
//! | [`mod@record`] | adds a record |
//! | [`mod@list`] | shows the log |

mod list;
mod record;

pub use list::list;
pub use record::record;
