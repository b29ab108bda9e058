//! Build chores that need more than a shell line.
//!
//! `cargo run -p xtask -- bundle` builds what the browser loads into `site/`;
//! `cargo run -p xtask -- wasm-target` adds the compiler's WebAssembly target when it is missing.

mod bundle;
mod compress;
mod failure;
mod fingerprint;
mod styles;
mod wasm_target;

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use failure::Failure;

const USAGE: &str = "usage: cargo run -p xtask -- bundle | wasm-target";

fn main() -> ExitCode {
    let mut arguments = std::env::args().skip(1);
    let root = workspace_root();
    let result = match (arguments.next().as_deref(), arguments.next()) {
        (Some("bundle"), None) => bundle::run(&root),
        (Some("wasm-target"), None) => wasm_target::ensure(&root),
        _ => {
            eprintln!("{USAGE}");
            return ExitCode::from(2);
        }
    };
    match result {
        Ok(()) => ExitCode::SUCCESS,
        Err(failure) => {
            eprintln!("xtask: {failure}");
            ExitCode::FAILURE
        }
    }
}

/// The folder that holds the workspace, wherever the command was started.
fn workspace_root() -> PathBuf {
    let manifest = Path::new(env!("CARGO_MANIFEST_DIR"));
    manifest.parent().unwrap_or(manifest).to_path_buf()
}

/// Runs a program in the workspace, its output shown.
fn run_program(root: &Path, program: &str, arguments: &[&str]) -> Result<(), Failure> {
    let status = std::process::Command::new(program)
        .args(arguments)
        .current_dir(root)
        .status()
        .map_err(|source| Failure::Start {
            program: program.to_owned(),
            source,
        })?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure::Program {
            line: format!("{program} {}", arguments.join(" ")),
            status,
        })
    }
}
