//! Renders every page with made-up data to static HTML, to be looked at:
//! `cargo run -p app --features ssr --example gallery -- OUTDIR`.

mod fixtures;
mod render;

use std::{fs, io, path::Path};

fn main() -> io::Result<()> {
    let Some(out) = std::env::args().nth(1) else {
        eprintln!("usage: gallery OUTDIR");
        std::process::exit(2);
    };
    let out = Path::new(&out);
    fs::create_dir_all(out)?;
    let style = Path::new(env!("CARGO_MANIFEST_DIR")).join("../style");
    let mut sheet = String::new();
    for name in ["tokens", "base", "components", "pages", "print"] {
        sheet.push_str(&fs::read_to_string(style.join(format!("{name}.css")))?);
    }
    fs::write(out.join("app.css"), sheet)?;
    for (name, page) in fixtures::all_pages() {
        fs::write(out.join(format!("{name}.html")), render::to_html(page))?;
        println!("{name}.html");
    }
    Ok(())
}
