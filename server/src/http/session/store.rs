//! Sessions in the database, under the hash of their id.

use async_trait::async_trait;
use domain::time::Instant;
use engine::{Engine, sessions};
use tower_sessions::{
    SessionStore,
    cookie::time::OffsetDateTime,
    session::{Id, Record},
    session_store::{Error, Result},
};

/// Where sessions are kept.
#[derive(Debug, Clone)]
pub struct Sessions {
    engine: Engine,
}

impl Sessions {
    /// Keeps them in this database.
    pub const fn new(engine: Engine) -> Self {
        Self { engine }
    }

    /// When a session saved now ends, by the clock that also judges its use: an hour, and the time
    /// for which use may go unnoted.
    fn end(&self) -> Instant {
        let seconds = super::cookie::IDLE_SECONDS + super::NOTE_USE_SECONDS;
        self.engine.now().plus_seconds(seconds)
    }
}

#[async_trait]
impl SessionStore for Sessions {
    async fn create(&self, record: &mut Record) -> Result<()> {
        let (data, ends) = (data_of(record)?, self.end());
        let user = super::user_of(record);
        loop {
            let id = record.id.to_string();
            if sessions::create(&self.engine, &id, user, &data, ends)
                .await
                .map_err(failed)?
            {
                return Ok(());
            }
            record.id = Id::default();
        }
    }

    async fn save(&self, record: &Record) -> Result<()> {
        let (data, ends) = (data_of(record)?, self.end());
        let user = super::user_of(record);
        sessions::save(&self.engine, &record.id.to_string(), user, &data, ends)
            .await
            .map_err(failed)
    }

    async fn load(&self, id: &Id) -> Result<Option<Record>> {
        let kept = sessions::load(&self.engine, &id.to_string())
            .await
            .map_err(failed)?;
        kept.map(|kept| {
            let seconds = kept.expires_at.micros().div_euclid(1_000_000);
            Ok(Record {
                id: *id,
                data: serde_json::from_str(&kept.data).map_err(|e| Error::Decode(e.to_string()))?,
                expiry_date: OffsetDateTime::from_unix_timestamp(seconds)
                    .map_err(|e| Error::Decode(e.to_string()))?,
            })
        })
        .transpose()
    }

    async fn delete(&self, id: &Id) -> Result<()> {
        sessions::delete(&self.engine, &id.to_string())
            .await
            .map_err(failed)
    }
}

fn data_of(record: &Record) -> Result<String> {
    serde_json::to_string(&record.data).map_err(|e| Error::Encode(e.to_string()))
}

fn failed(error: engine::Error) -> Error {
    Error::Backend(error.to_string())
}
