//! What the operator may set about the web.

use std::{net::SocketAddr, time::Duration};

/// Five gigabytes: far above a provider's largest report.
pub const DEFAULT_UPLOAD_LIMIT_BYTES: u64 = 5 * 1024 * 1024 * 1024;

/// How the web is served.
#[derive(Debug, Clone)]
pub struct WebConfig {
    /// Where to listen; port 0 takes a free one.
    pub listen: SocketAddr,
    /// A proxy in front speaks TLS: browsers are told to insist on it.
    pub behind_tls: bool,
    /// Plain HTTP under a name other than localhost: the cookie loses what browsers grant only to
    /// secure origins.
    pub insecure_http: bool,
    /// The largest settlement or payments file.
    pub upload_limit_bytes: u64,
    /// How long a page may take until its headers.
    pub page_timeout: Duration,
}

impl WebConfig {
    /// Defaults for an address.
    pub const fn new(listen: SocketAddr) -> Self {
        Self {
            listen,
            behind_tls: false,
            insecure_http: false,
            upload_limit_bytes: DEFAULT_UPLOAD_LIMIT_BYTES,
            page_timeout: Duration::from_secs(30),
        }
    }

    /// The session cookie's name. Browsers accept `__Host-` only together with `Secure`, which they
    /// grant to TLS and to localhost.
    pub const fn cookie_name(&self) -> &'static str {
        if self.insecure_http {
            "tieout_session"
        } else {
            "__Host-tieout_session"
        }
    }

    /// The name of the cookie by which a browser is known again at the door.
    pub const fn device_cookie_name(&self) -> &'static str {
        if self.insecure_http {
            "tieout_device"
        } else {
            "__Host-tieout_device"
        }
    }
}
