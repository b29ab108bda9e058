//! Who may use a route, stated beside it in the table of routes.

use domain::actor::Permission;

/// What a visitor must be before a handler runs. The use case asks again: this is the door, not the safe.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Anybody.
    Anyone,
    /// A signed-in person with this right. Others are sent to sign in, or told who may.
    Person(Permission),
    /// A program with a token that has this right.
    Token(Permission),
}
