//! How a database is opened, migrated, read and written.

use super::{
    StorageError,
    foreign::{expect_own_postgres, expect_own_sqlite},
    tx::{Reader, Tx},
};
use futures_util::future::BoxFuture;
use sqlx::{
    Connection, PgPool, SqliteConnection, SqlitePool,
    pool::PoolConnectionMetadata,
    postgres::{PgConnectOptions, PgPoolOptions},
    sqlite::{SqliteConnectOptions, SqliteJournalMode, SqlitePoolOptions, SqliteSynchronous},
};
use std::{
    path::Path,
    str::FromStr,
    sync::{
        Arc,
        atomic::{AtomicUsize, Ordering},
    },
    time::Duration,
};

/// The oldest SQLite that is safe: older ones can lose a write when a WAL is reset
/// (<https://sqlite.org/releaselog/3_51_3.html>).
const OLDEST_SQLITE: [u32; 3] = [3, 51, 3];

/// Readers beside the writer of a SQLite database.
const SQLITE_READERS: u32 = 4;

const POSTGRES_CONNECTIONS: u32 = 12;

/// Connections for ids that are drawn apart from the work that needs them.
const POSTGRES_COUNTERS: u32 = 2;

/// How long a writer waits for its turn: longer than the longest chunk of a file.
const PATIENCE: Duration = Duration::from_mins(1);

/// Which database.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Backend {
    /// SQLite, inside the process.
    Sqlite,
    /// PostgreSQL.
    Postgres,
}

/// A database. Cheap to clone.
#[derive(Debug, Clone)]
pub struct Store {
    pools: Pools,
    waiting: Arc<AtomicUsize>,
}

#[derive(Debug, Clone)]
enum Pools {
    Sqlite {
        writer: SqlitePool,
        readers: SqlitePool,
    },
    Postgres {
        pool: PgPool,
        counters: PgPool,
    },
}

impl Store {
    /// Opens the database at `sqlite://path` (made, with its folders, if missing) or
    /// `postgres://…` (which may name a socket folder as `?host=/dir`). Does not migrate.
    pub async fn open(url: &str) -> Result<Self, StorageError> {
        let pools = if url.starts_with("sqlite:") {
            open_sqlite(url).await?
        } else if url.starts_with("postgres:") || url.starts_with("postgresql:") {
            open_postgres(url).await?
        } else {
            return Err(StorageError::Open(
                "the address must begin with sqlite:// or postgres://".to_owned(),
            ));
        };
        Ok(Self {
            pools,
            waiting: Arc::default(),
        })
    }

    /// Whether there is a database of ours at an address. Nothing is made by asking.
    pub async fn exists(url: &str) -> Result<bool, StorageError> {
        if url.starts_with("sqlite:") {
            let options = SqliteConnectOptions::from_str(url)?;
            return Ok(std::fs::metadata(options.get_filename()).is_ok_and(|m| m.len() > 0));
        }
        let store = Self::open(url).await?;
        let Pools::Postgres { pool, .. } = &store.pools else {
            return Ok(true);
        };
        let found = sqlx::query_scalar("SELECT to_regclass('_sqlx_migrations') IS NOT NULL");
        let found: bool = found.fetch_one(pool).await?;
        store.close().await;
        Ok(found)
    }

    /// Brings the schema up to date.
    pub async fn migrate(&self) -> Result<(), StorageError> {
        match &self.pools {
            Pools::Sqlite { writer, .. } => SQLITE_MIGRATIONS.run(writer).await?,
            Pools::Postgres { pool, .. } => POSTGRES_MIGRATIONS.run(pool).await?,
        }
        Ok(())
    }

    /// Which database this is.
    pub const fn backend(&self) -> Backend {
        match self.pools {
            Pools::Sqlite { .. } => Backend::Sqlite,
            Pools::Postgres { .. } => Backend::Postgres,
        }
    }

    /// Begins a unit of work. On SQLite it is the only one until it ends.
    pub async fn begin(&self) -> Result<Tx, StorageError> {
        match &self.pools {
            Pools::Sqlite { writer, .. } => {
                let _turn = Waiting::new(&self.waiting);
                Ok(Tx::Sqlite {
                    inner: writer.begin_with("BEGIN IMMEDIATE").await?,
                    spoilt: false,
                })
            }
            Pools::Postgres { pool, counters } => Ok(Tx::Postgres {
                inner: pool.begin().await?,
                apart: counters.clone(),
            }),
        }
    }

    /// Begins a consistent read.
    pub async fn read(&self) -> Result<Reader, StorageError> {
        match &self.pools {
            Pools::Sqlite { readers, .. } => Ok(Reader::Sqlite(readers.begin().await?)),
            Pools::Postgres { pool, .. } => Ok(Reader::Postgres(
                pool.begin_with("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY")
                    .await?,
            )),
        }
    }

    /// How many wait to write. A long write commits early when this is not 0, so that a person's
    /// decision does not wait for a file. Always 0 on PostgreSQL, where others wait only for the ids that
    /// are taken in turn.
    pub fn waiting_writers(&self) -> usize {
        self.waiting.load(Ordering::Relaxed)
    }

    /// Rows of a table by the figures that PostgreSQL plans by; 0 where it has none, and on SQLite.
    pub(super) async fn rows_known(&self, table: &str) -> Result<u64, StorageError> {
        let Pools::Postgres { pool, .. } = &self.pools else {
            return Ok(0);
        };
        let known = sqlx::query_scalar(
            "SELECT GREATEST(reltuples, 0)::BIGINT FROM pg_class WHERE oid = to_regclass($1)",
        );
        let known: Option<i64> = known.bind(table).fetch_optional(pool).await?;
        Ok(known.map_or(0, i64::unsigned_abs))
    }

    /// Lets PostgreSQL take the figures anew that it plans by. Without them everything works, slower.
    pub(super) async fn analyse(&self, sql: &'static str) -> Result<(), StorageError> {
        if let Pools::Postgres { pool, .. } = &self.pools {
            sqlx::query(sql).execute(pool).await?;
        }
        Ok(())
    }

    /// Closes all connections; further use fails.
    pub async fn close(&self) {
        match &self.pools {
            Pools::Sqlite { writer, readers } => {
                readers.close().await;
                writer.close().await;
            }
            Pools::Postgres { pool, counters } => {
                counters.close().await;
                pool.close().await;
            }
        }
    }
}

/// The schema of SQLite.
pub(crate) static SQLITE_MIGRATIONS: sqlx::migrate::Migrator =
    sqlx::migrate!("../migrations/sqlite");
/// The schema of PostgreSQL: same numbers and names.
pub(crate) static POSTGRES_MIGRATIONS: sqlx::migrate::Migrator =
    sqlx::migrate!("../migrations/postgres");

struct Waiting<'a>(&'a AtomicUsize);

impl<'a> Waiting<'a> {
    fn new(count: &'a AtomicUsize) -> Self {
        count.fetch_add(1, Ordering::Relaxed);
        Self(count)
    }
}

impl Drop for Waiting<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::Relaxed);
    }
}

async fn open_sqlite(url: &str) -> Result<Pools, StorageError> {
    let options = SqliteConnectOptions::from_str(url)?;
    expect_own_sqlite(&options).await?;
    let options = options
        .journal_mode(SqliteJournalMode::Wal)
        .synchronous(SqliteSynchronous::Full)
        // Of a new file: half as many pages to find and to copy as with the usual 4,096 bytes.
        .page_size(8_192)
        .foreign_keys(true)
        .busy_timeout(PATIENCE)
        .pragma("temp_store", "MEMORY")
        // Without it INSERT OR REPLACE deletes from a history without asking its triggers.
        .pragma("recursive_triggers", "ON");
    let path = options.get_filename();
    if let Some(folder) = path.parent().filter(|p| !p.as_os_str().is_empty()) {
        make_folder(folder)?;
    }
    let writer = SqlitePoolOptions::new()
        .max_connections(1)
        .acquire_timeout(PATIENCE)
        .idle_timeout(None)
        .max_lifetime(None)
        .before_acquire(is_free)
        .connect_with(
            options
                .clone()
                .create_if_missing(true)
                .pragma("cache_size", "-65536")
                // Pages: 100 MB.
                .pragma("wal_autocheckpoint", "12500"),
        )
        .await?;
    check_sqlite_version(&writer).await?;
    let readers = SqlitePoolOptions::new()
        .max_connections(SQLITE_READERS)
        .acquire_timeout(PATIENCE)
        .idle_timeout(None)
        .max_lifetime(None)
        .before_acquire(is_free)
        .connect_with(options.read_only(true).pragma("cache_size", "-8192"))
        .await?;
    Ok(Pools::Sqlite { writer, readers })
}

/// Whether a connection of SQLite may be used again. After a full disk SQLite has rolled back by itself,
/// the roll-back that is asked for then fails, and the connection counts as within its transaction for
/// ever: another takes its place.
fn is_free(
    conn: &mut SqliteConnection,
    _: PoolConnectionMetadata,
) -> BoxFuture<'_, Result<bool, sqlx::Error>> {
    Box::pin(async move { Ok(!conn.is_in_transaction()) })
}

fn make_folder(folder: &Path) -> Result<(), StorageError> {
    std::fs::create_dir_all(folder).map_err(|e| {
        StorageError::Open(format!("cannot make the folder {}: {e}", folder.display()))
    })
}

async fn check_sqlite_version(pool: &SqlitePool) -> Result<(), StorageError> {
    let version: String = sqlx::query_scalar("SELECT sqlite_version()")
        .fetch_one(pool)
        .await?;
    let parts: Vec<u32> = version.split('.').filter_map(|p| p.parse().ok()).collect();
    if parts.as_slice() < OLDEST_SQLITE.as_slice() {
        return Err(StorageError::Open(format!(
            "SQLite {version} was built in; 3.51.3 or newer is needed"
        )));
    }
    Ok(())
}

async fn open_postgres(url: &str) -> Result<Pools, StorageError> {
    let options = PgConnectOptions::from_str(url)?.application_name("tieout");
    let pool = PgPoolOptions::new()
        .max_connections(POSTGRES_CONNECTIONS)
        .acquire_timeout(PATIENCE)
        .connect_with(options.clone())
        .await?;
    expect_own_postgres(&pool).await?;
    // A draw is durable before the work that uses its ids is: their commits follow it in the log.
    let counters = PgPoolOptions::new()
        .max_connections(POSTGRES_COUNTERS)
        .acquire_timeout(PATIENCE)
        .connect_lazy_with(options.options([("synchronous_commit", "off")]));
    Ok(Pools::Postgres { pool, counters })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::storage::tx::{Conn, Connected};

    /// As with a full disk: the transaction has ended before we ask for its end.
    #[tokio::test]
    async fn a_database_that_rolled_back_by_itself_is_written_again() {
        let folder = tempfile::tempdir().unwrap();
        let url = format!("sqlite://{}", folder.path().join("t.db").display());
        let store = Store::open(&url).await.unwrap();
        store.migrate().await.unwrap();
        for commits in [false, true, false] {
            let mut tx = store.begin().await.unwrap();
            if let Conn::Sqlite(conn) = tx.conn() {
                sqlx::query("ROLLBACK").execute(conn).await.unwrap();
            }
            let ended = if commits {
                tx.commit().await
            } else {
                tx.rollback().await
            };
            assert!(ended.is_err());
        }
        let tx = store.begin().await.unwrap();
        tx.commit().await.unwrap();
    }
}
