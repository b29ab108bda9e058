//! `tieout token`: what programs show instead of a password.

use clap::{Args, Subcommand};
use domain::actor::Scope;
use engine::tokens::{self, NewToken};
use serde_json::json;

use super::{
    Refused,
    place::{Global, OPERATOR},
};

/// Its subcommands.
#[derive(Debug, Subcommand)]
pub enum Token {
    /// Make an API token and print it: this is the only time that it can be seen
    Add(Add),
}

/// What is to be made.
#[derive(Debug, Args)]
pub struct Add {
    /// What people call it; names are not used again
    name: String,

    /// A scope: payments, ingest, read, compensations or decide; repeat it for more
    #[arg(long = "scope", value_name = "SCOPE", required = true, num_args = 1..)]
    scopes: Vec<Scope>,

    /// The person as whom it acts, with the roles they have then; needed for decide
    #[arg(long, value_name = "EMAIL")]
    user: Option<String>,
}

impl Token {
    /// Runs it.
    pub async fn run(self, global: &Global) -> Result<(), Refused> {
        let Self::Add(add) = self;
        let place = global.open_existing().await?;
        let new = NewToken {
            name: add.name,
            scopes: add.scopes.into_iter().collect(),
            user: add.user,
        };
        let token = tokens::add_token(&place.engine, &OPERATOR, new).await?;
        place
            .output
            .say("Keep the token safe: it cannot be shown again.");
        place.output.answer(&json!({ "token": token }), &token)
    }
}
