//! A database cloned from a migrated template, which the first test builds.

use crate::storage::store::POSTGRES_MIGRATIONS;
use sqlx::{AssertSqlSafe, Connection, PgConnection, postgres::PgConnectOptions};
use std::{
    str::FromStr,
    sync::atomic::{AtomicU32, Ordering},
};

/// "tieout" as a number: the lock under which one process builds the template.
const TEMPLATE_LOCK: i64 = 0x7469_656f_7574;

pub(super) struct Fresh {
    pub(super) url: String,
    name: String,
    server: PgConnectOptions,
}

impl Fresh {
    pub(super) async fn make() -> Option<Self> {
        let Ok(server_url) = std::env::var("TIEOUT_TEST_POSTGRES") else {
            assert!(
                std::env::var_os("CI").is_none(),
                "TIEOUT_TEST_POSTGRES is not set: the PostgreSQL half of the tests cannot run"
            );
            eprintln!("SKIPPED on PostgreSQL: TIEOUT_TEST_POSTGRES is not set");
            return None;
        };
        let server =
            PgConnectOptions::from_str(&server_url).expect("TIEOUT_TEST_POSTGRES is a URL");
        let mut admin = PgConnection::connect_with(&server)
            .await
            .expect("the test server answers");
        let template = template(&mut admin, &server).await;
        let name = next_name();
        run(
            &mut admin,
            format!("CREATE DATABASE {name} TEMPLATE {template} STRATEGY file_copy"),
        )
        .await;
        admin.close().await.expect("closes");
        let url = with_database(&server_url, &name);
        Some(Self { url, name, server })
    }

    pub(super) async fn remove(self) {
        let mut admin = PgConnection::connect_with(&self.server)
            .await
            .expect("the test server answers");
        run(
            &mut admin,
            format!("DROP DATABASE {} WITH (FORCE)", self.name),
        )
        .await;
        admin.close().await.expect("closes");
    }
}

/// The template's name holds the migrations' checksums, so a changed schema gets a new one.
async fn template(admin: &mut PgConnection, server: &PgConnectOptions) -> String {
    use std::hash::{DefaultHasher, Hash, Hasher};
    let mut sum = DefaultHasher::new();
    for migration in POSTGRES_MIGRATIONS.iter() {
        migration.checksum.hash(&mut sum);
    }
    let name = format!("tieout_template_{:016x}", sum.finish());
    lock(admin, "SELECT pg_advisory_lock($1)").await;
    let known: bool =
        sqlx::query_scalar("SELECT EXISTS (SELECT 1 FROM pg_database WHERE datname = $1)")
            .bind(&name)
            .fetch_one(&mut *admin)
            .await
            .expect("the catalogue answers");
    if !known {
        let building = format!("{name}_building");
        run(admin, format!("DROP DATABASE IF EXISTS {building}")).await;
        run(admin, format!("CREATE DATABASE {building}")).await;
        let mut conn = PgConnection::connect_with(&server.clone().database(&building))
            .await
            .expect("the new database opens");
        POSTGRES_MIGRATIONS
            .run(&mut conn)
            .await
            .expect("PostgreSQL migrates");
        conn.close().await.expect("closes");
        run(admin, format!("ALTER DATABASE {building} RENAME TO {name}")).await;
    }
    lock(admin, "SELECT pg_advisory_unlock($1)").await;
    name
}

async fn lock(admin: &mut PgConnection, sql: &'static str) {
    sqlx::query(sql)
        .bind(TEMPLATE_LOCK)
        .execute(admin)
        .await
        .expect("the lock");
}

async fn run(admin: &mut PgConnection, sql: String) {
    sqlx::query(AssertSqlSafe(sql))
        .execute(admin)
        .await
        .expect("the server obeys");
}

fn next_name() -> String {
    static NEXT: AtomicU32 = AtomicU32::new(0);
    format!(
        "tieout_test_{}_{}",
        std::process::id(),
        NEXT.fetch_add(1, Ordering::Relaxed)
    )
}

/// The same address with another database: the path between the authority and the query.
fn with_database(url: &str, name: &str) -> String {
    let (base, query) = url
        .split_once('?')
        .map_or((url, None), |(b, q)| (b, Some(q)));
    let start = base.find("://").map_or(0, |i| i + 3);
    let authority = base
        .get(start..)
        .and_then(|rest| rest.find('/'))
        .map_or(base, |i| &base[..start + i]);
    query.map_or_else(
        || format!("{authority}/{name}"),
        |q| format!("{authority}/{name}?{q}"),
    )
}
