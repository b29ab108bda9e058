//! How far each file has come, for whoever watches.

use domain::view::files::FileProgress;
use std::{collections::BTreeMap, sync::Arc};
use tokio::sync::watch;

/// Files that are done stay this long in the list, counted in files, so that a page opened a moment
/// late still learns how they ended.
const DONE_KEPT: usize = 50;

/// The state of all files under way, by public id.
pub type Board = Arc<BTreeMap<String, FileProgress>>;

/// Where jobs report and pages watch. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Progress(watch::Sender<Board>);

impl Default for Progress {
    fn default() -> Self {
        Self(watch::Sender::new(Board::default()))
    }
}

impl Progress {
    /// Says how far a file has come.
    pub fn report(&self, file: FileProgress) {
        self.0.send_modify(|board| {
            let board = Arc::make_mut(board);
            if file.done {
                forget_oldest(board);
            }
            board.insert(file.id.clone(), file);
        });
    }

    /// Follows what is reported from now on, beginning with how things stand.
    pub fn watch(&self) -> watch::Receiver<Board> {
        self.0.subscribe()
    }

    /// How things stand.
    pub fn now(&self) -> Board {
        Arc::clone(&self.0.borrow())
    }
}

/// Ids begin with their time, so the first is the oldest.
fn forget_oldest(board: &mut BTreeMap<String, FileProgress>) {
    let done: Vec<String> = board
        .values()
        .filter(|file| file.done)
        .map(|file| file.id.clone())
        .collect();
    if done.len() >= DONE_KEPT
        && let Some(oldest) = done.first()
    {
        board.remove(oldest);
    }
}
