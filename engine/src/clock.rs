//! The clock as a parameter, so that a run can be repeated with another time.

use domain::time::Instant;
use std::sync::atomic::{AtomicI64, Ordering};

/// Tells the time.
pub trait Clock: Send + Sync + std::fmt::Debug {
    /// The present instant.
    fn now(&self) -> Instant;
}

/// The machine's clock.
#[derive(Debug, Clone, Copy, Default)]
pub struct SystemClock;

impl Clock for SystemClock {
    #[allow(clippy::disallowed_methods)] // the one place where the machine's clock is read
    fn now(&self) -> Instant {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
        // A machine set before 1970 shows 1970.
        let micros = since.map_or(0, |d| i64::try_from(d.as_micros()).unwrap_or(i64::MAX));
        Instant::from_micros(micros)
    }
}

/// A clock that stands still until it is moved: for tests and for `sweep --now`.
#[derive(Debug)]
pub struct FixedClock(AtomicI64);

impl FixedClock {
    /// Stands at an instant.
    pub const fn at(instant: Instant) -> Self {
        Self(AtomicI64::new(instant.micros()))
    }

    /// Moves forward by whole seconds (backward if negative).
    pub fn advance_seconds(&self, seconds: i64) {
        self.set(self.now().plus_seconds(seconds));
    }

    /// Stands at another instant from now on.
    pub fn set(&self, instant: Instant) {
        self.0.store(instant.micros(), Ordering::SeqCst);
    }
}

impl Clock for FixedClock {
    fn now(&self) -> Instant {
        Instant::from_micros(self.0.load(Ordering::SeqCst))
    }
}
