//! Which period and provider account an export is about.

use crate::{Engine, Error, providers::key_of};
use domain::time::{Day, Zone};

/// First and last day, both included, and a provider account by name; what is missing does not
/// limit.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Filter {
    /// First day.
    pub from: Option<Day>,
    /// Last day.
    pub to: Option<Day>,
    /// Provider account, or empty for all.
    pub provider: String,
}

impl Filter {
    /// First and last day as numbers.
    pub fn days(&self) -> (i64, i64) {
        (
            self.from.map_or(i64::MIN, Day::number),
            self.to.map_or(i64::MAX, Day::number),
        )
    }

    /// First instant, and the first one after the period; days cut in UTC.
    pub fn instants(&self) -> (i64, i64) {
        (
            self.from
                .map_or(i64::MIN, |d| d.start_in(Zone::UTC).micros()),
            self.to
                .map_or(i64::MAX, |d| d.next().start_in(Zone::UTC).micros()),
        )
    }

    /// Refuses a provider account that does not exist: its empty export would look like an answer.
    pub(super) async fn check(&self, engine: &Engine) -> Result<(), Error> {
        if !self.provider.is_empty() {
            key_of(engine, &self.provider).await?;
        }
        Ok(())
    }

    /// What of it the audit log keeps.
    pub fn detail(&self) -> serde_json::Value {
        serde_json::json!({ "from": self.from, "to": self.to, "provider": self.provider })
    }
}
