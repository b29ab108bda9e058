//! API tokens: what programs show instead of a password. Shown once, kept as a hash.
//!
//! | File | Does |
//! |---|---|
//! | [`mod@add_token`] | makes a token |
//! | [`mod@revoke_token`] | ends it |
//! | [`mod@find_actor`] | tells who a request with a token is; lists tokens |

mod add_token;
mod find_actor;
mod revoke_token;

pub use add_token::{NewToken, add_token};
pub use find_actor::{find_actor, list};
pub use revoke_token::revoke_token;
