//! Refuses a database that is somebody else's, before anything in it is changed.

use super::StorageError;
use sqlx::{ConnectOptions, Connection, PgPool, sqlite::SqliteConnectOptions};

/// Of a file that is there: it is empty or holds our tables.
pub(super) async fn expect_own_sqlite(options: &SqliteConnectOptions) -> Result<(), StorageError> {
    let is_there = std::fs::metadata(options.get_filename()).is_ok_and(|m| m.len() > 0);
    if !is_there {
        return Ok(());
    }
    let mut conn = options.connect().await?;
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'",
    )
    .fetch_all(&mut conn)
    .await?;
    conn.close().await?;
    expect_own(&tables)
}

/// Of the schema in which our tables would be made.
pub(super) async fn expect_own_postgres(pool: &PgPool) -> Result<(), StorageError> {
    let tables: Vec<String> = sqlx::query_scalar(
        "SELECT tablename::text FROM pg_catalog.pg_tables WHERE schemaname = current_schema()",
    )
    .fetch_all(pool)
    .await?;
    expect_own(&tables)
}

fn expect_own(tables: &[String]) -> Result<(), StorageError> {
    match tables.first() {
        Some(foreign) if !tables.iter().any(|t| t == "_sqlx_migrations") => {
            Err(StorageError::Open(format!(
                "this database is not Tieout's: it holds the table {foreign:?}, for one. Give Tieout a database of its own"
            )))
        }
        _ => Ok(()),
    }
}
