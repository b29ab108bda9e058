//! The compiler's WebAssembly target. rustup does not add it on its own where automatic
//! installation is switched off, whatever `rust-toolchain.toml` says.

use std::path::{Path, PathBuf};
use std::process::Command;

use crate::failure::Failure;
use crate::run_program;

/// The target of the browser bundle.
pub const TARGET: &str = "wasm32-unknown-unknown";

/// Adds the target to the toolchain in use, unless it is there.
pub fn ensure(root: &Path) -> Result<(), Failure> {
    if installed(root)? {
        return Ok(());
    }
    eprintln!("xtask: adding the compiler target {TARGET}");
    run_program(root, "rustup", &["target", "add", TARGET])
}

fn installed(root: &Path) -> Result<bool, Failure> {
    let output = Command::new("rustc")
        .args(["--print", "sysroot"])
        .current_dir(root)
        .output()
        .map_err(|source| Failure::Start {
            program: "rustc".to_owned(),
            source,
        })?;
    let sysroot = PathBuf::from(String::from_utf8_lossy(&output.stdout).trim());
    Ok(sysroot
        .join("lib/rustlib")
        .join(TARGET)
        .join("lib")
        .is_dir())
}
