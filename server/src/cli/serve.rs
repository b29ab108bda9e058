//! `tieout serve`: web, API and jobs in one process, until it is told to stop.

use clap::Args;
use std::{net::SocketAddr, time::Duration};
use tokio_util::sync::CancellationToken;

use super::{Refused, place::Global};
use crate::http::{
    self,
    config::{DEFAULT_UPLOAD_LIMIT_BYTES, WebConfig},
};

/// How long what still works on the database may take to end.
const TO_CLOSE: Duration = Duration::from_secs(10);

/// Its options.
#[derive(Debug, Args)]
pub struct Serve {
    /// Where to listen; port 0 takes a free one
    #[arg(
        long,
        value_name = "ADDRESS",
        env = "TIEOUT_LISTEN",
        default_value = "127.0.0.1:3000"
    )]
    listen: SocketAddr,

    /// A proxy in front speaks TLS: tell browsers to insist on it
    #[arg(long, env = "TIEOUT_BEHIND_TLS")]
    behind_tls: bool,

    /// Serve plain HTTP under a name other than localhost: sign-in works, but is not protected
    /// against listeners on the network
    #[arg(long, env = "TIEOUT_INSECURE_HTTP", conflicts_with = "behind_tls")]
    insecure_http: bool,

    /// The largest file that may be uploaded, in bytes
    #[arg(
        long,
        value_name = "BYTES",
        env = "TIEOUT_MAX_UPLOAD_BYTES",
        default_value_t = DEFAULT_UPLOAD_LIMIT_BYTES
    )]
    max_upload_bytes: u64,
}

impl Serve {
    /// Runs it.
    pub async fn run(self, global: &Global) -> Result<(), Refused> {
        let place = global.open().await?;
        let config = WebConfig {
            behind_tls: self.behind_tls,
            insecure_http: self.insecure_http,
            upload_limit_bytes: self.max_upload_bytes,
            ..WebConfig::new(self.listen)
        };
        let store = place.engine.store.clone();
        let stopping = CancellationToken::new();
        let running = http::serve::start(place.engine, place.evidence, config, stopping.clone())
            .await
            .map_err(|error| Refused(format!("cannot listen on {}: {error}", self.listen)))?;
        let address = format!("http://{}", running.address);
        let link = running
            .set_up_link()
            .await?
            .map(|path| format!("{address}{path}"));
        let mut text = format!("Listening on {address}");
        if let Some(link) = &link {
            text = format!(
                "{text}\nSet-up link: {link}\n\
                 It works once, for 24 hours, and makes the first administrator."
            );
        }
        place.output.answer(
            &serde_json::json!({ "address": address, "set_up_link": link }),
            text,
        )?;
        tokio::spawn(async move {
            stop_signal().await;
            tracing::info!("stopping: open requests may end, new ones are refused");
            stopping.cancel();
        });
        let stopped = running.until_stopped().await;
        // The last connection of SQLite writes what waits in the log beside the database into it.
        if tokio::time::timeout(TO_CLOSE, store.close()).await.is_err() {
            tracing::warn!("the database was still in use when the process ended");
        }
        stopped.map_err(Refused::because)
    }
}

/// Ends when the process is told to stop: Ctrl-C, or SIGTERM from a supervisor.
async fn stop_signal() {
    let interrupt = async {
        if tokio::signal::ctrl_c().await.is_err() {
            std::future::pending::<()>().await;
        }
    };
    #[cfg(unix)]
    let terminate = async {
        use tokio::signal::unix::{SignalKind, signal};
        match signal(SignalKind::terminate()) {
            Ok(mut signal) => {
                signal.recv().await;
            }
            Err(_) => std::future::pending().await,
        }
    };
    #[cfg(not(unix))]
    let terminate = std::future::pending::<()>();
    tokio::select! {
        () = interrupt => {}
        () = terminate => {}
    }
}
