//! The web on a socket, with its jobs beside it.

use engine::{Engine, EvidenceStore};
use std::{future::IntoFuture as _, io, net::SocketAddr, time::Duration};
use tokio::{net::TcpListener, task::JoinHandle};
use tokio_util::sync::CancellationToken;

use super::{
    config::WebConfig,
    router,
    state::{Shared, Web},
};
use crate::jobs::{
    Jobs,
    ingest::{Bell, Desk},
    progress::Progress,
};

/// How long open requests may go on once the server is told to stop.
const PATIENCE: Duration = Duration::from_secs(10);

/// A server that listens.
#[derive(Debug)]
pub struct Running {
    /// Where, with the real port.
    pub address: SocketAddr,
    web: Web,
    jobs: Jobs,
    task: JoinHandle<io::Result<()>>,
}

/// Binds the address and starts to answer.
pub async fn start(
    engine: Engine,
    evidence: EvidenceStore,
    config: WebConfig,
    stopping: CancellationToken,
) -> io::Result<Running> {
    // Rendering needs it; a second call (tests start several servers) changes nothing.
    let _ = any_spawner::Executor::init_tokio();
    let listener = TcpListener::bind(config.listen).await?;
    let address = listener.local_addr()?;
    let desk = Desk {
        engine: engine.clone(),
        evidence: evidence.clone(),
        progress: Progress::default(),
        bell: Bell::default(),
    };
    let web = Web::new(Shared {
        engine,
        evidence,
        config,
        progress: desk.progress.clone(),
        bell: desk.bell.clone(),
        stopping: stopping.clone(),
    });
    let jobs = Jobs::start(desk, &stopping);
    // With the network address of whoever asks, by which failed sign-ins are counted.
    let service = router::build(&web).into_make_service_with_connect_info::<SocketAddr>();
    let task = tokio::spawn(
        axum::serve(listener, service)
            .with_graceful_shutdown(stopping.cancelled_owned())
            .into_future(),
    );
    Ok(Running {
        address,
        web,
        jobs,
        task,
    })
}

impl Running {
    /// The path of the one-time set-up link, while there is no user yet.
    pub async fn set_up_link(&self) -> Result<Option<String>, engine::Error> {
        let token = engine::users::make_set_up_link(&self.web.engine).await?;
        Ok(token.map(|token| domain::view::routes::set_up(&token)))
    }

    /// What the handlers share.
    pub const fn web(&self) -> &Web {
        &self.web
    }

    /// Waits until the server was told to stop and its open requests have ended, or have used up
    /// their time.
    pub async fn until_stopped(mut self) -> io::Result<()> {
        let out_of_patience = async {
            self.web.stopping.cancelled().await;
            tokio::time::sleep(PATIENCE).await;
        };
        let ended = tokio::select! {
            ended = &mut self.task => ended.map_err(io::Error::other)?,
            () = out_of_patience => {
                self.task.abort();
                Ok(())
            }
        };
        self.jobs.finished().await;
        ended
    }
}
