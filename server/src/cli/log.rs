//! The log: on standard error, so that answers stay alone on standard output.

use std::io::IsTerminal as _;
use tracing_subscriber::EnvFilter;

/// Starts it. `TIEOUT_LOG` sets what is logged, as `warn` or `info,server=debug`;
/// `TIEOUT_LOG_FORMAT=json` gives one object a line.
pub fn start(server: bool) {
    let default = if server { "info" } else { "warn" };
    let filter = EnvFilter::try_from_env("TIEOUT_LOG").unwrap_or_else(|_| EnvFilter::new(default));
    let log = tracing_subscriber::fmt()
        .with_env_filter(filter)
        .with_writer(std::io::stderr)
        .with_ansi(std::io::stderr().is_terminal());
    if std::env::var("TIEOUT_LOG_FORMAT").is_ok_and(|format| format == "json") {
        log.json().init();
    } else {
        log.with_target(false).init();
    }
}
