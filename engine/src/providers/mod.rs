//! Provider accounts: where settlement files come from, and the policy under which they are read.
//!
//! | File | Does |
//! |---|---|
//! | [`mod@add_provider`] | adds an account, its gate and the first version of its policy |
//! | [`mod@change_policy`] | adds a version of the policy |
//! | [`mod@list_providers`] | lists accounts |

mod add_provider;
mod change_policy;
mod list_providers;
mod policy_history;

pub use add_provider::{Added, NewProvider, add_provider};
pub use change_policy::change_policy;
pub use list_providers::list;
