//! People: who may sign in, and what they may do.
//!
//! | File | Does |
//! |---|---|
//! | [`mod@set_up`] | the first run: a one-time link, the administrator, the first analyst, approver and auditor |
//! | [`mod@add_user`] | adds a user |
//! | [`mod@change_roles`] | gives and takes roles |
//! | [`mod@set_disabled`] | shuts a user out, or lets them in again |
//! | [`mod@change_password`] | sets a password and ends the other sessions |
//! | [`mod@sign_in`] | checks address and password, slowly where they were wrong before |
//! | `known_device` | a browser in which a person signed in before |
//! | [`mod@find_user`] | finds users, one or all |
//! | [`independence`] | tells who may approve whose decision |
//! | [`mod@password`] | what a password must be, and how it is hashed |

mod add_user;
mod change_password;
mod change_roles;
mod email;
mod find_user;
pub(crate) mod history;
pub mod independence;
mod known_device;
mod password;
mod set_disabled;
mod set_up;
mod sign_in;

pub use add_user::{NewUser, add_user};
pub use change_password::{PasswordChange, change_password};
pub use change_roles::change_roles;
pub use find_user::{User, anybody, find, find_by_email, list, may_approve};
pub(crate) use independence::may_decide;
pub use password::PASSWORD_MIN;
pub use set_disabled::set_disabled;
pub use set_up::{NewPerson, SetUpPeople, make_set_up_link, set_up, set_up_link_holds};
pub use sign_in::{Place, SignedIn, sign_in};
