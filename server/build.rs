//! The browser bundle is embedded from `site/`. The folder must exist when the macro that embeds it
//! is expanded, and a new bundle must reach the next build.

use std::path::Path;

fn main() -> std::io::Result<()> {
    let site = Path::new(env!("CARGO_MANIFEST_DIR")).join("../site");
    std::fs::create_dir_all(&site)?;
    println!("cargo::rerun-if-changed=../site");
    println!("cargo::rerun-if-changed=build.rs");
    Ok(())
}
