//! A file that an export goes to: it has its name only once all of it is on disk. Whatever was under that
//! name before stays until then, also where the command is killed half-way.

use std::{
    fs::{self, File, Permissions},
    io,
    path::{Path, PathBuf},
};
use tempfile::{Builder, NamedTempFile};

/// A file on its way to its name. Dropped unfinished, it leaves nothing; a process that is killed leaves
/// a part beside the name, never under it.
#[derive(Debug)]
pub struct WholeFile {
    target: PathBuf,
    /// None where the name is that of a device or a pipe, which is written to and never replaced.
    part: Option<NamedTempFile>,
}

impl WholeFile {
    /// Begins one beside its name.
    pub fn begin(path: &Path) -> io::Result<Self> {
        // Behind a link stands the file that is meant.
        let target = fs::canonicalize(path).unwrap_or_else(|_| path.to_owned());
        let before = fs::metadata(&target).ok();
        if before.as_ref().is_some_and(|b| !b.is_file()) {
            return Ok(Self { target, part: None });
        }
        let name = target.file_name().unwrap_or_default().to_string_lossy();
        let part = Builder::new()
            .prefix(&format!(".{name}."))
            .suffix(".part")
            .permissions(usual_permissions())
            .tempfile_in(folder_of(&target))?;
        if let Some(before) = before {
            part.as_file().set_permissions(before.permissions())?;
        }
        Ok(Self {
            target,
            part: Some(part),
        })
    }

    /// Where it is written until it is whole.
    pub fn path(&self) -> &Path {
        self.part
            .as_ref()
            .map_or(self.target.as_path(), NamedTempFile::path)
    }

    /// To write into it, from its beginning.
    pub fn writer(&self) -> io::Result<File> {
        match &self.part {
            Some(part) => part.reopen(),
            None => File::options().write(true).open(&self.target),
        }
    }

    /// Gives it its name, once its bytes are on disk.
    pub fn finish(self) -> io::Result<()> {
        let Some(part) = self.part else { return Ok(()) };
        part.as_file().sync_all()?;
        part.persist(&self.target)?;
        // The name must survive a power cut as well as the bytes.
        File::open(folder_of(&self.target))?.sync_all()
    }
}

/// What any new file gets, less what the person's mask takes off.
#[cfg(unix)]
fn usual_permissions() -> Permissions {
    std::os::unix::fs::PermissionsExt::from_mode(0o666)
}

fn folder_of(path: &Path) -> &Path {
    path.parent()
        .filter(|folder| !folder.as_os_str().is_empty())
        .unwrap_or(Path::new("."))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used)]

    use super::*;
    use std::io::Write as _;

    fn names(folder: &Path) -> Vec<String> {
        let entries = fs::read_dir(folder).unwrap();
        let mut names: Vec<String> = entries
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect();
        names.sort();
        names
    }

    #[test]
    fn the_name_stands_for_what_was_there_until_all_of_the_new_is_there() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        fs::write(&path, "old").unwrap();
        let file = WholeFile::begin(&path).unwrap();
        file.writer().unwrap().write_all(b"new").unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"old");
        assert_eq!(names(folder.path()).len(), 2);
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert_eq!(names(folder.path()), ["out.csv"]);
    }

    #[test]
    fn one_that_is_given_up_leaves_nothing() {
        let folder = tempfile::tempdir().unwrap();
        let path = folder.path().join("out.csv");
        let file = WholeFile::begin(&path).unwrap();
        file.writer().unwrap().write_all(b"new").unwrap();
        drop(file);
        assert_eq!(names(folder.path()), Vec::<String>::new());
    }

    #[cfg(unix)]
    #[test]
    fn links_permissions_and_devices_stay_what_they_are() {
        use std::os::unix::fs::PermissionsExt;
        let folder = tempfile::tempdir().unwrap();
        let (path, link) = (folder.path().join("out.csv"), folder.path().join("link"));
        fs::write(&path, "old").unwrap();
        fs::set_permissions(&path, Permissions::from_mode(0o640)).unwrap();
        std::os::unix::fs::symlink(&path, &link).unwrap();
        let file = WholeFile::begin(&link).unwrap();
        file.writer().unwrap().write_all(b"new").unwrap();
        file.finish().unwrap();
        assert_eq!(fs::read(&path).unwrap(), b"new");
        assert!(fs::symlink_metadata(&link).unwrap().is_symlink());
        let mode = fs::metadata(&path).unwrap().permissions().mode() & 0o777;
        assert_eq!(mode, 0o640);
        let device = WholeFile::begin(Path::new("/dev/null")).unwrap();
        device.writer().unwrap().write_all(b"new").unwrap();
        device.finish().unwrap();
        assert!(!fs::metadata("/dev/null").unwrap().is_file());
    }
}
