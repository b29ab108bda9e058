//! What scripts add to pages that work without them.
//!
//! | Island | Adds |
//! |---|---|
//! | [`Desk`] | keys, command palette, help, kept scroll positions, one submit per click |
//! | [`Upload`] | drag and drop, several files at once, progress of each |
//! | [`LiveFiles`] | progress of files under way, wherever they are listed |

mod desk;
mod live_files;
mod upload;

pub use desk::Desk;
pub use live_files::LiveFiles;
pub use upload::Upload;
