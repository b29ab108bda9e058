//! `GET /files/progress`: how far files have come, as one stream of events for the whole page.
//!
//! `?file=ID`, repeated, asks for some; without it, for all that are under way or were lately. The
//! stream ends when all of them are done, and when the server stops.

use axum::{
    extract::State,
    http::StatusCode,
    response::{
        IntoResponse, Response,
        sse::{Event, KeepAlive, Sse},
    },
};
use domain::view::{files::FileProgress, routes::field};
use futures_util::{Stream, StreamExt as _, stream};
use std::{
    collections::{BTreeMap, VecDeque},
    convert::Infallible,
    sync::Arc,
};
use tokio::sync::watch;

use crate::{
    http::{fields::Asked, state::Web},
    jobs::progress::{Board, Progress},
};

/// Shows it.
pub async fn follow(State(web): State<Web>, Asked(asked): Asked) -> Response {
    let wanted: Vec<String> = asked.all(field::FILE).map(str::to_owned).collect();
    let board = web.progress.now();
    let any = board.values().any(|file| concerns(&wanted, file));
    if !any {
        // A browser takes this as the end and does not come back.
        return StatusCode::NO_CONTENT.into_response();
    }
    let events = events(&web.progress, wanted).take_until(web.stopping.clone().cancelled_owned());
    Sse::new(events)
        .keep_alive(KeepAlive::default())
        .into_response()
}

fn concerns(wanted: &[String], file: &FileProgress) -> bool {
    wanted.is_empty() || wanted.contains(&file.id)
}

/// What changed since the last event, until nothing more can.
fn events(
    progress: &Progress,
    wanted: Vec<String>,
) -> impl Stream<Item = Result<Event, Infallible>> + Send + 'static {
    let mut boards = progress.watch();
    // How things stand is the first board.
    boards.mark_changed();
    stream::unfold(Follower::new(boards, wanted), async |mut follower| {
        let event = follower.next().await?;
        Some((Ok(event), follower))
    })
}

/// Somebody who follows the board.
struct Follower {
    boards: watch::Receiver<Board>,
    wanted: Vec<String>,
    sent: BTreeMap<String, FileProgress>,
    waiting: VecDeque<Event>,
}

impl Follower {
    const fn new(boards: watch::Receiver<Board>, wanted: Vec<String>) -> Self {
        Self {
            boards,
            wanted,
            sent: BTreeMap::new(),
            waiting: VecDeque::new(),
        }
    }

    /// The next event; none once all that was followed is done, or nobody reports any more.
    async fn next(&mut self) -> Option<Event> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Some(event);
            }
            if !self.sent.is_empty() && self.sent.values().all(|file| file.done) {
                return None;
            }
            self.boards.changed().await.ok()?;
            let board = Arc::clone(&self.boards.borrow_and_update());
            self.take(&board);
        }
    }

    fn take(&mut self, board: &Board) {
        for file in board.values() {
            if !concerns(&self.wanted, file) || self.sent.get(&file.id) == Some(file) {
                continue;
            }
            self.sent.insert(file.id.clone(), file.clone());
            if let Ok(event) = Event::default().json_data(file) {
                self.waiting.push_back(event);
            }
        }
    }
}
