//! `/review`: the queue and, beside it, one case.
//!
//! | File | Does |
//! |---|---|
//! | [`queue`], [`case`], [`sent`] | show |
//! | [`form`] | reads a decision as its form sends it |
//! | [`decide`] | decides |
//! | [`bulk`] | decides several at once |
//! | [`onward`] | where a decision leads |
//! | [`claim`] | takes a case into one's hands, or lets it go |
//! | [`views`] | keeps filters of the queue by name |
//! | [`approval`] | a second person's answer |

pub mod approval;
pub mod bulk;
pub mod case;
pub mod claim;
pub mod decide;
pub mod form;
pub mod onward;
pub mod queue;
pub mod sent;
pub mod views;

use domain::view::{
    queue::QueueFilter,
    routes::{self, field},
};

use crate::http::fields::Fields;

/// The page of a case in the queue that a form came from.
fn back_to(case: &str, posted: &Fields) -> String {
    let filter = filter_of(posted);
    routes::case(case, &filter)
}

/// The filter of the queue that a form came from.
fn filter_of(posted: &Fields) -> QueueFilter {
    let query = posted.text(field::BACK);
    serde_urlencoded::from_str(query).unwrap_or_default()
}
