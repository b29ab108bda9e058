//! What the browser loads: the islands as WebAssembly with their JavaScript glue, the boot script,
//! one style sheet and the icon, each with compressed copies, in `site/`.
//!
//! The server embeds that folder. An island's name is a hash of its source, so a bundle must come
//! from the same source as the server: build it first, always.

use std::fs;
use std::path::{Path, PathBuf};

use wasm_bindgen_cli_support::Bindgen;

use crate::failure::Failure;
use crate::wasm_target::{self, TARGET};
use crate::{compress, fingerprint, run_program, styles};

/// Bytes of script, module and style that a first visit may load, with brotli.
const BUDGET: usize = 120 * 1024;

const PROFILE: &str = "wasm-release";

/// What a bundle is made from.
const INPUTS: [&str; 8] = [
    "app",
    "domain/Cargo.toml",
    "domain/src",
    "style",
    "xtask/src",
    "Cargo.toml",
    "Cargo.lock",
    "rust-toolchain.toml",
];

/// What a first visit loads.
const FIRST_LOAD: [&str; 4] = ["app.js", "app_bg.wasm", "boot.js", "app.css"];

/// Builds `site/`, unless it is there and its inputs are unchanged.
pub fn run(root: &Path) -> Result<(), Failure> {
    let site = root.join("site");
    let target = target_folder(root);
    // Beside the other build products: everything in `site/` is served.
    let stamp = target.join("bundle.sha256");
    let inputs = fingerprint::of(root, &INPUTS)?;
    let complete = FIRST_LOAD.iter().all(|name| site.join(name).is_file());
    if complete && fs::read_to_string(&stamp).is_ok_and(|known| known == signature(&inputs, &site))
    {
        return Ok(());
    }

    eprintln!("xtask: building the browser bundle");
    wasm_target::ensure(root)?;
    run_program(
        root,
        "cargo",
        &[
            "build",
            "-p",
            "app",
            "--lib",
            "--target",
            TARGET,
            "--profile",
            PROFILE,
            "--features",
            "hydrate",
        ],
    )?;

    fs::create_dir_all(&site).map_err(Failure::at(&site))?;
    for entry in fs::read_dir(&site).map_err(Failure::at(&site))? {
        let path = entry.map_err(Failure::at(&site))?.path();
        fs::remove_file(&path).map_err(Failure::at(&path))?;
    }
    bind(&target.join(TARGET).join(PROFILE).join("app.wasm"), &site)?;
    for name in ["boot.js", "favicon.svg"] {
        let from = root.join("app/assets").join(name);
        fs::copy(&from, site.join(name)).map_err(Failure::at(&from))?;
    }
    let sheet = site.join("app.css");
    fs::write(&sheet, styles::join(&root.join("style"))?).map_err(Failure::at(&sheet))?;

    compress::beside(&site.join("favicon.svg"))?;
    let mut sizes = Vec::new();
    for name in FIRST_LOAD {
        sizes.push((name, compress::beside(&site.join(name))?));
    }
    let size = sizes.iter().map(|(_, size)| size).sum();
    let parts = sizes
        .iter()
        .map(|(name, size)| format!("{name} {size}"))
        .collect::<Vec<_>>()
        .join(", ");
    if size > BUDGET {
        return Err(Failure::TooLarge {
            size,
            budget: BUDGET,
            parts,
        });
    }
    println!("bundle: first load {size} of {BUDGET} bytes with brotli ({parts})");
    fs::write(&stamp, signature(&inputs, &site)).map_err(Failure::at(&stamp))
}

/// The inputs and where they went: two checkouts may share one target folder.
fn signature(inputs: &str, site: &Path) -> String {
    format!("{inputs} {}", site.display())
}

fn target_folder(root: &Path) -> PathBuf {
    std::env::var_os("CARGO_TARGET_DIR")
        .map_or_else(|| root.join("target"), |folder| root.join(folder))
}

/// Makes the module loadable by a browser. The name section is a third of its size.
fn bind(module: &Path, site: &Path) -> Result<(), Failure> {
    let mut bindgen = Bindgen::new();
    bindgen
        .input_path(module)
        .out_name("app")
        .typescript(false)
        .remove_name_section(true)
        .remove_producers_section(true);
    bindgen
        .web(true)
        .and_then(|it| it.generate(site))
        .map_err(|refusal| Failure::Bindgen(format!("{refusal:#}")))
}
