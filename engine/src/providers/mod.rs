//! Provider accounts: where settlement files come from, and the policy under which they are read.
//!
//! | File | Does |
//! |---|---|
//! | [`mod@add_provider`] | adds an account, its gate and the first version of its policy |
//! | [`mod@change_policy`] | adds a version of the policy |
//! | `key_of` | finds an account by name |
//! | [`mod@list_providers`] | lists accounts |

mod add_provider;
mod change_policy;
mod key_of;
mod list_providers;
mod policy_history;

pub use add_provider::{Added, NewProvider, add_provider};
pub use change_policy::change_policy;
pub(crate) use key_of::key_of;
pub use list_providers::list;
