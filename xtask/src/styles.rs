//! The style sheet: the files of `style/` as one, in an order that does not depend on the system.
//!
//! `tokens.css` comes first, then `base.css`, then the others by name, and `print.css` last, because
//! what it says overrides the rest.

use std::fs;
use std::path::Path;

use crate::failure::Failure;

/// Reads and joins the style sheets of a folder.
pub fn join(folder: &Path) -> Result<String, Failure> {
    let mut names = Vec::new();
    for entry in fs::read_dir(folder).map_err(Failure::at(folder))? {
        let name = entry.map_err(Failure::at(folder))?.file_name();
        let name = name.to_string_lossy().into_owned();
        if Path::new(&name).extension().is_some_and(|it| it == "css") {
            names.push(name);
        }
    }
    names.sort_by(|a, b| rank(a).cmp(&rank(b)).then_with(|| a.cmp(b)));
    let mut sheet = String::new();
    for name in names {
        let path = folder.join(&name);
        sheet.push_str(
            fs::read_to_string(&path)
                .map_err(Failure::at(&path))?
                .trim(),
        );
        sheet.push('\n');
    }
    Ok(sheet)
}

fn rank(name: &str) -> u8 {
    match name {
        "tokens.css" => 0,
        "base.css" => 1,
        "print.css" => 3,
        _ => 2,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tokens_come_first_and_print_last() {
        let folder = tempfile::tempdir().unwrap();
        for name in ["print", "queue", "base", "case", "tokens"] {
            let file = folder.path().join(format!("{name}.css"));
            fs::write(file, format!(".{name} {{}}\n\n")).unwrap();
        }
        fs::write(folder.path().join("notes.md"), "no style").unwrap();
        assert_eq!(
            join(folder.path()).unwrap(),
            ".tokens {}\n.base {}\n.case {}\n.queue {}\n.print {}\n"
        );
    }
}
