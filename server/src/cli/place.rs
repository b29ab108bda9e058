//! Where a command works: the database and the data folder.

use clap::Args;
use domain::actor::Actor;
use engine::{Engine, EvidenceStore, Store};
use std::path::PathBuf;

use super::{Refused, output::Output};

/// Whoever is at the machine's own command line.
pub const OPERATOR: Actor = Actor::Operator;

/// The options that every command takes.
#[derive(Debug, Clone, Args)]
pub struct Global {
    /// The database: sqlite://PATH or postgres://…
    #[arg(
        long,
        global = true,
        value_name = "URL",
        env = "TIEOUT_DATABASE_URL",
        hide_env_values = true,
        default_value = "sqlite://data/tieout.db"
    )]
    pub database: String,

    /// The folder of raw files
    #[arg(
        long,
        global = true,
        value_name = "DIR",
        env = "TIEOUT_DATA_DIR",
        default_value = "data"
    )]
    pub data_dir: PathBuf,

    /// Print one JSON object on standard output
    #[arg(long, global = true)]
    pub json: bool,
}

/// A database that is open and up to date, and the store of raw files beside it.
#[derive(Debug)]
pub struct Place {
    /// The use cases' database, clock and ids.
    pub engine: Engine,
    /// Raw files.
    pub evidence: EvidenceStore,
    /// How to answer.
    pub output: Output,
}

impl Global {
    /// How to answer.
    pub const fn output(&self) -> Output {
        Output { json: self.json }
    }

    /// Opens a database that is there: a slip in its address must not leave an empty one behind, in which
    /// everything seems to be lost.
    pub async fn open_existing(&self) -> Result<Place, Refused> {
        if Store::exists(&self.database)
            .await
            .map_err(Refused::because)?
        {
            return self.open().await;
        }
        // An address of PostgreSQL may hold a password.
        let place = if self.database.starts_with("sqlite:") {
            self.database.as_str()
        } else {
            "this PostgreSQL address"
        };
        Err(Refused(format!(
            "there is no Tieout database at {place}: name the right one with --database or TIEOUT_DATABASE_URL, or make a new one with `tieout migrate` (`tieout serve` does so too)"
        )))
    }

    /// Opens the database, or makes it, for the commands with which a new one begins: `serve`, `migrate`,
    /// `demo`. Brings its schema up to date, so that no command meets an older one.
    pub async fn open(&self) -> Result<Place, Refused> {
        let store = Store::open(&self.database)
            .await
            .map_err(Refused::because)?;
        store.migrate().await.map_err(Refused::because)?;
        let evidence = EvidenceStore::open(&self.data_dir)
            .await
            .map_err(|error| Refused(format!("{}: {error}", self.data_dir.display())))?;
        Ok(Place {
            engine: Engine::new(store),
            evidence,
            output: self.output(),
        })
    }
}
