//! A fresh database of each kind for a test.
//!
//! ```text
//! #[test]
//! fn a_user_is_found_by_address() {
//!     both(async |store| { … });
//! }
//! ```
//!
//! PostgreSQL is the server that `TIEOUT_TEST_POSTGRES` names (a URL to a database from which
//! others may be made). Without it the PostgreSQL half is skipped, loudly; where `CI` is set that
//! is a failure.

// Tests fail by panicking.
#![allow(
    clippy::panic,
    clippy::expect_used,
    clippy::missing_panics_doc,
    clippy::indexing_slicing
)]

pub mod plain;
mod postgres;
pub mod queries;

use crate::{
    Store,
    ingest::{Content, Saying},
    storage::files::StoredFile,
};

/// Runs a test against a fresh SQLite file and a fresh PostgreSQL database, both migrated.
pub fn both(test: impl AsyncFn(Store)) {
    both_addresses(async |url| {
        let store = Store::open(&url).await.expect("the database opens");
        test(store.clone()).await;
        store.close().await;
    });
}

/// The same with the databases' addresses, to open them otherwise.
pub fn both_addresses(test: impl AsyncFn(String)) {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .worker_threads(2)
        .enable_all()
        .build()
        .expect("a runtime");
    runtime.block_on(async {
        on_sqlite(&test).await;
        on_postgres(&test).await;
    });
}

/// What is kept of what a row says, beside its identity.
pub fn content(texts: [&str; 7], amounts: [i64; 4]) -> Content {
    let mut says = Saying::default();
    for text in texts {
        says.text(text);
    }
    says.end(amounts)
}

/// How a file stands, as its history keeps it.
pub fn standing(file: &StoredFile) -> String {
    crate::ingest::standing(file).expect("a report that can be read")
}

async fn on_sqlite(test: &impl AsyncFn(String)) {
    let folder = tempfile::tempdir().expect("a folder for the database");
    let url = format!("sqlite://{}", folder.path().join("tieout.db").display());
    let store = Store::open(&url).await.expect("SQLite opens");
    store.migrate().await.expect("SQLite migrates");
    store.close().await;
    test(url).await;
}

async fn on_postgres(test: &impl AsyncFn(String)) {
    let Some(database) = postgres::Fresh::make().await else {
        return;
    };
    test(database.url.clone()).await;
    database.remove().await;
}
