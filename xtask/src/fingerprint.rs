//! One hash over everything that a bundle is made from, so that an unchanged bundle is kept.

use std::fs;
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use crate::failure::Failure;

/// SHA-256 in hex over path and content of each file below `inputs` (files or folders, relative to
/// `root`). An input that does not exist counts as empty.
pub fn of(root: &Path, inputs: &[&str]) -> Result<String, Failure> {
    let mut files = Vec::new();
    for input in inputs {
        collect(&root.join(input), &mut files)?;
    }
    files.sort();
    let mut hash = Sha256::new();
    for file in files {
        let content = fs::read(&file).map_err(Failure::at(&file))?;
        let name = file.strip_prefix(root).unwrap_or(&file).to_string_lossy();
        for part in [name.as_bytes(), content.as_slice()] {
            hash.update((part.len() as u64).to_be_bytes());
            hash.update(part);
        }
    }
    Ok(hex::encode(hash.finalize()))
}

fn collect(path: &Path, files: &mut Vec<PathBuf>) -> Result<(), Failure> {
    if path.is_file() {
        files.push(path.to_path_buf());
    } else if path.is_dir() {
        for entry in fs::read_dir(path).map_err(Failure::at(path))? {
            collect(&entry.map_err(Failure::at(path))?.path(), files)?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_change_of_name_or_content_changes_the_fingerprint() {
        let folder = tempfile::tempdir().unwrap();
        let write =
            |name: &str, content: &str| fs::write(folder.path().join(name), content).unwrap();
        write("a", "bc");
        let first = of(folder.path(), &["a", "ab", "absent"]).unwrap();
        assert_eq!(first, of(folder.path(), &["a", "ab", "absent"]).unwrap());

        write("a", "bd");
        let content = of(folder.path(), &["a", "ab", "absent"]).unwrap();
        assert_ne!(first, content);

        fs::remove_file(folder.path().join("a")).unwrap();
        write("ab", "c");
        let name = of(folder.path(), &["a", "ab", "absent"]).unwrap();
        assert_ne!(first, name, "the bytes of name and content run together");
    }
}
