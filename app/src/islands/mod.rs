//! What scripts add to pages that work without them.
//!
//! | Module | Adds |
//! |---|---|
//! | [`desk`] | the keyboard of every page, kept scroll positions, one submit per click |
//! | [`upload`] | drag and drop, several files at once, progress of each |
//! | [`live_files`] | progress of files under way, wherever they are listed |
//!
//! The rest runs in the browser only: `keys`, `palette` and `keeping` are the desk's parts,
//! `progress` is the one event stream of a page, `refresh` exchanges the list of files,
//! `browser` is the little of the DOM they share.

mod desk;
mod live_files;
mod upload;

#[cfg(feature = "hydrate")]
mod browser;
#[cfg(feature = "hydrate")]
mod keeping;
#[cfg(feature = "hydrate")]
mod keys;
#[cfg(feature = "hydrate")]
mod palette;
#[cfg(feature = "hydrate")]
mod progress;
#[cfg(feature = "hydrate")]
mod refresh;
#[cfg(feature = "hydrate")]
mod sending;

pub use desk::Desk;
pub use live_files::LiveFiles;
pub use upload::Upload;
