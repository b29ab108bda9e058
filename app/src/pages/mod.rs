//! One file per screen: `assets` (where the bundle lies), the shell and the page's data in, a whole
//! HTML document out.

mod account;
mod audit;
mod bulk;
mod entries;
mod entry;
mod file;
pub(crate) mod files;
mod intent;
mod ledger;
mod line;
mod lines;
mod overview;
pub(crate) mod payments;
mod refusal;
mod review;
mod sent;
mod set_up;
mod settings;
mod sign_in;

pub use account::account;
pub use audit::audit;
pub use bulk::bulk;
pub use entries::entries;
pub use entry::entry;
pub use file::file;
pub use files::files;
pub use intent::intent;
pub use ledger::ledger;
pub use line::line;
pub use lines::lines;
pub use overview::overview;
pub use payments::payments;
pub use refusal::refusal;
pub use review::review;
pub use sent::sent;
pub use set_up::set_up;
pub use settings::settings;
pub use sign_in::sign_in;
