//! The command line: one file per command. Answers go to standard output, everything else to
//! standard error. Exit codes: 0 done, 1 refused or failed, 2 wrong usage.

pub mod output;
pub mod place;

mod demo;
mod export;
mod import;
mod log;
mod migrate;
mod provider;
mod rematch;
mod serve;
mod sweep;
mod token;
mod user;
mod verify;

use clap::{Parser, Subcommand};
use domain::view::visible::visible;
use std::process::ExitCode;

use place::Global;

/// Reconciliation of payments: settlement files in, what does not tie out to people, a ledger that
/// verifies.
#[derive(Debug, Parser)]
#[command(
    name = "tieout",
    version,
    propagate_version = true,
    max_term_width = 100
)]
struct CommandLine {
    #[command(flatten)]
    global: Global,
    #[command(subcommand)]
    command: Command,
}

#[derive(Debug, Subcommand)]
enum Command {
    /// Run the web, the API and the jobs; migrates first
    Serve(serve::Serve),
    /// Bring the schema up to date
    Migrate,
    /// Who may sign in
    #[command(subcommand)]
    User(user::User),
    /// What programs show instead of a password
    #[command(subcommand)]
    Token(token::Token),
    /// Where settlement files come from
    #[command(subcommand)]
    Provider(provider::Provider),
    /// Read payments of the company, or a settlement file of a provider
    #[command(subcommand)]
    Import(import::Import),
    /// Run matching again over what is open
    Match(rematch::Match),
    /// Check once what only time makes: due dates, unknown outcomes, coverage
    Sweep(sweep::Sweep),
    /// Write what leaves the house
    #[command(subcommand)]
    Export(export::Export),
    /// Load a small lively data set into an empty database
    Demo,
    /// Recompute the seal, the balances and the uniqueness rules
    Verify(verify::Verify),
}

/// A command that was refused or failed: its message, for standard error.
#[derive(Debug)]
pub struct Refused(pub String);

impl Refused {
    /// From whatever says why.
    pub fn because(reason: impl std::fmt::Display) -> Self {
        Self(reason.to_string())
    }
}

impl From<engine::Error> for Refused {
    fn from(error: engine::Error) -> Self {
        Self::because(error)
    }
}

/// Reads the arguments, runs the command, and answers with its exit code.
pub fn main() -> ExitCode {
    let line = CommandLine::parse();
    let runtime = match tokio::runtime::Runtime::new() {
        Ok(runtime) => runtime,
        Err(error) => {
            eprintln!("tieout: {}", visible(&error.to_string()));
            return ExitCode::FAILURE;
        }
    };
    match runtime.block_on(run(line)) {
        Ok(()) => ExitCode::SUCCESS,
        Err(Refused(message)) => {
            eprintln!("tieout: {}", visible(&message));
            ExitCode::FAILURE
        }
    }
}

async fn run(CommandLine { global, command }: CommandLine) -> Result<(), Refused> {
    log::start(matches!(command, Command::Serve(_)));
    match command {
        Command::Serve(serve) => serve.run(&global).await,
        Command::Migrate => migrate::run(&global).await,
        Command::User(user) => user.run(&global).await,
        Command::Token(token) => token.run(&global).await,
        Command::Provider(provider) => provider.run(&global).await,
        Command::Import(import) => import.run(&global).await,
        Command::Sweep(sweep) => sweep.run(&global).await,
        Command::Export(export) => export.run(&global).await,
        Command::Match(again) => again.run(&global).await,
        Command::Demo => demo::run(&global).await,
        Command::Verify(verify) => verify.run(&global).await,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_definition_of_the_command_line_is_sound() {
        use clap::CommandFactory as _;
        CommandLine::command().debug_assert();
    }
}
