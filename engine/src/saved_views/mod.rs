//! Filters of the review queue that a person keeps by name. Theirs alone: nobody else sees them.
//!
//! | File | Does |
//! |---|---|
//! | [`mod@save_view`] | keeps one |
//! | [`mod@remove_view`] | forgets one |

mod remove_view;
mod save_view;

pub use remove_view::remove_view;
pub use save_view::{LONGEST_NAME, MOST_VIEWS, save_view};

use crate::Error;
use domain::actor::{Actor, Permission};

/// Whose views they are.
fn person(actor: &Actor) -> Result<i64, Error> {
    actor.require(Permission::Read)?;
    actor
        .person()
        .map(|(id, _)| id)
        .ok_or_else(|| Error::Conflict("only a person keeps views".to_owned()))
}
