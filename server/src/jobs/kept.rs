//! A job that panics is begun again: what it does cannot wait until somebody starts the server anew.

use std::time::Duration;
use tokio::task::JoinSet;
use tokio_util::sync::CancellationToken;

/// Between a panic and the next beginning: one that panics at once must not keep the machine busy.
pub(super) const PAUSE: Duration = Duration::from_secs(5);

/// Runs a job until it ends by itself, and begins it again after each panic until the server stops.
pub(super) async fn kept<T, J>(
    name: &'static str,
    pause: Duration,
    with: T,
    stopping: CancellationToken,
    job: impl Fn(T, CancellationToken) -> J,
) where
    T: Clone,
    J: Future<Output = ()> + Send + 'static,
{
    loop {
        // A task of its own, which ends with this one.
        let mut task = JoinSet::new();
        task.spawn(job(with.clone(), stopping.clone()));
        let Some(Err(error)) = task.join_next().await else {
            return;
        };
        tracing::error!(job = name, %error, "a job panicked and is begun again after a pause");
        if stopping.is_cancelled() {
            return;
        }
        // A stop during the pause leaves the job its last turn.
        tokio::select! {
            () = stopping.cancelled() => {}
            () = tokio::time::sleep(pause) => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::{
        io::{Read, Seek},
        sync::{
            Arc, Mutex,
            atomic::{AtomicU32, Ordering},
        },
    };

    /// Panics twice, then runs until it is told to stop.
    async fn job(begun: Arc<AtomicU32>, stopping: CancellationToken) {
        let times = begun.fetch_add(1, Ordering::Relaxed) + 1;
        assert!(times > 2, "the line {times} is not there");
        stopping.cancel();
    }

    #[tokio::test]
    async fn a_job_that_panics_is_named_in_the_log_and_begun_again() {
        let mut log = tempfile::tempfile().unwrap();
        let writer = Mutex::new(log.try_clone().unwrap());
        let subscriber = tracing_subscriber::fmt()
            .with_writer(writer)
            .with_ansi(false);
        let _guard = tracing::subscriber::set_default(subscriber.finish());
        let begun: Arc<AtomicU32> = Arc::default();
        let stopping = CancellationToken::new();
        kept("sweep", Duration::ZERO, begun.clone(), stopping, job).await;
        assert_eq!(begun.load(Ordering::Relaxed), 3);
        let mut said = String::new();
        log.rewind().unwrap();
        log.read_to_string(&mut said).unwrap();
        let told: Vec<&str> = said.lines().collect();
        assert_eq!(told.len(), 2, "{said}");
        for line in told {
            assert!(
                line.contains("ERROR") && line.contains("job=\"sweep\""),
                "{said}"
            );
        }
    }

    // By hand: it panics after the stop, once, and is not begun again.
    #[tokio::test]
    async fn a_job_that_panics_after_the_stop_is_left_alone() {
        let begun: Arc<AtomicU32> = Arc::default();
        let stopping = CancellationToken::new();
        stopping.cancel();
        kept("seal", PAUSE, begun.clone(), stopping, job).await;
        assert_eq!(begun.load(Ordering::Relaxed), 1);
    }
}
