//! Public ids and secrets: the one source of randomness, as a parameter.

use crate::clock::{Clock, SystemClock};
pub use crate::storage::counter::allocate;
use std::sync::atomic::{AtomicU64, Ordering};

/// Makes ids and secrets.
pub trait IdSource: Send + Sync + std::fmt::Debug {
    /// A new public id: UUID v7 as text, lower case with hyphens.
    fn public_id(&self) -> String;

    /// 32 unguessable bytes, for tokens, links and salts.
    fn secret(&self) -> Result<[u8; 32], NoRandomness>;
}

/// The operating system gave no random bytes; nothing secret can be made.
#[derive(Debug, thiserror::Error)]
#[error("the operating system gave no random bytes: {0}")]
pub struct NoRandomness(String);

/// The machine's randomness and clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemIds;

impl IdSource for SystemIds {
    #[allow(clippy::disallowed_methods)] // the one place where public ids are drawn
    fn public_id(&self) -> String {
        uuid::Uuid::now_v7().to_string()
    }

    fn secret(&self) -> Result<[u8; 32], NoRandomness> {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).map_err(|e| NoRandomness(e.to_string()))?;
        Ok(bytes)
    }
}

/// Counts instead of drawing: the same run gives the same ids. Never for production.
#[derive(Debug, Default)]
pub struct FixedIds(AtomicU64);

impl FixedIds {
    fn next(&self) -> u64 {
        self.0.fetch_add(1, Ordering::SeqCst) + 1
    }
}

impl IdSource for FixedIds {
    fn public_id(&self) -> String {
        format!("00000000-0000-7000-8000-{:012x}", self.next())
    }

    fn secret(&self) -> Result<[u8; 32], NoRandomness> {
        let mut bytes = [0; 32];
        for (place, byte) in bytes.iter_mut().zip(self.next().to_be_bytes()) {
            *place = byte;
        }
        Ok(bytes)
    }
}

/// What a run needs besides its data: time and ids.
#[derive(Debug, Clone)]
pub struct Sources {
    /// Tells the time.
    pub clock: std::sync::Arc<dyn Clock>,
    /// Makes ids and secrets.
    pub ids: std::sync::Arc<dyn IdSource>,
}

impl Sources {
    /// The machine's own.
    pub fn system() -> Self {
        Self {
            clock: std::sync::Arc::new(SystemClock),
            ids: std::sync::Arc::new(SystemIds),
        }
    }
}
