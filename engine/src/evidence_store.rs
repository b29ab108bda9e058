//! The evidence store: received bytes, kept under their SHA-256 before anything is parsed.
//!
//! A directory tree `evidence/ab/cd/<sha256>`. Bytes are written to a temporary file, hashed and
//! counted on the way, synced to disk, and only then moved to their name, so that a name always
//! stands for whole bytes. Whole bytes are never overwritten; what no longer gives the hash that names it is
//! replaced when the right bytes come again. Only the user that runs the program can read
//! what is in here: it is the ledger's evidence, and it names persons.

use sha2::{Digest, Sha256};
use std::{
    io,
    path::{Path, PathBuf},
    sync::atomic::{AtomicU64, Ordering},
};
use tokio::{
    fs,
    io::{AsyncRead, AsyncReadExt, AsyncWriteExt},
};

/// The hash that names stored bytes.
pub type Sha256Hash = [u8; 32];

/// Bytes that are in the store.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stored {
    /// Their hash.
    pub sha256: Sha256Hash,
    /// How many there are.
    pub bytes: u64,
}

/// A directory of received bytes.
#[derive(Debug, Clone)]
pub struct EvidenceStore {
    root: PathBuf,
}

/// Bytes on their way into the store. Dropped unfinished, they leave nothing; what a killed process
/// leaves, the next start removes.
#[derive(Debug)]
pub struct Incoming {
    file: fs::File,
    /// Its temporary name, while it has one.
    path: Temporary,
    root: PathBuf,
    hash: Sha256,
    bytes: u64,
}

/// A file for what is made to be sent, such as an export: nobody else can read it, and it is gone when
/// this is dropped. What is open stays readable until it is closed.
#[derive(Debug)]
pub struct Draft {
    /// Open, and locked: what a killed process leaves is removed at the next start.
    file: std::fs::File,
    path: Temporary,
}

/// A temporary file, gone when this is dropped unless it was given another name.
#[derive(Debug)]
struct Temporary(Option<PathBuf>);

/// Makes temporary names distinct within a process.
static NEXT: AtomicU64 = AtomicU64::new(0);

impl EvidenceStore {
    /// Opens the store below a data directory, creating it if needed, and removes what killed
    /// processes left unfinished.
    pub async fn open(data_dir: &Path) -> io::Result<Self> {
        let root = data_dir.join("evidence");
        let incoming = root.join("incoming");
        fs::create_dir_all(&incoming).await?;
        for folder in folders_to_sync(data_dir, &incoming) {
            sync_folder(folder).await?;
        }
        on_a_thread(move || remove_leftovers(&incoming)).await?;
        Ok(Self { root })
    }

    /// A file for what is made to be sent.
    pub async fn draft(&self) -> io::Result<Draft> {
        let folder = self.root.join("incoming");
        let (file, path) = on_a_thread(move || create_locked(&folder)).await?;
        Ok(Draft { file, path })
    }

    /// Begins to take bytes in.
    pub async fn begin(&self) -> io::Result<Incoming> {
        let folder = self.root.join("incoming");
        let (file, path) = on_a_thread(move || create_locked(&folder)).await?;
        Ok(Incoming {
            file: fs::File::from_std(file),
            path,
            root: self.root.clone(),
            hash: Sha256::new(),
            bytes: 0,
        })
    }

    /// Takes in everything that a reader gives.
    pub async fn store(&self, mut input: impl AsyncRead + Unpin) -> io::Result<Stored> {
        let mut incoming = self.begin().await?;
        let mut buffer = vec![0; 1 << 18];
        loop {
            let read = input.read(&mut buffer).await?;
            let Some(part) = buffer.get(..read).filter(|p| !p.is_empty()) else {
                break;
            };
            incoming.write(part).await?;
        }
        incoming.finish().await
    }

    /// Where bytes of a hash are, whether or not they are there.
    pub fn path(&self, sha256: &Sha256Hash) -> PathBuf {
        place(&self.root, sha256)
    }

    /// A folder beside the stored bytes for files without a name.
    pub fn scratch(&self) -> PathBuf {
        self.root.join("incoming")
    }

    /// Some bytes of a stored file: for showing a record as it was received.
    pub fn read_range(&self, sha256: &Sha256Hash, offset: u64, len: usize) -> io::Result<Vec<u8>> {
        use std::io::{Read, Seek, SeekFrom};
        let mut file = std::fs::File::open(self.path(sha256))?;
        file.seek(SeekFrom::Start(offset))?;
        let mut bytes = Vec::with_capacity(len);
        file.take(len as u64).read_to_end(&mut bytes)?;
        Ok(bytes)
    }
}

impl Incoming {
    /// Takes some bytes.
    pub async fn write(&mut self, part: &[u8]) -> io::Result<()> {
        self.hash.update(part);
        self.bytes += part.len() as u64;
        self.file.write_all(part).await
    }

    /// Syncs the bytes and gives them their name.
    pub async fn finish(mut self) -> io::Result<Stored> {
        self.file.flush().await?;
        self.file.sync_all().await?;
        let stored = Stored {
            sha256: self.hash.clone().finalize().into(),
            bytes: self.bytes,
        };
        let target = place(&self.root, &stored.sha256);
        let folder = target.parent().unwrap_or(&self.root);
        let known = target.clone();
        if !on_a_thread(move || stands(&known, &stored)).await? {
            fs::create_dir_all(folder).await?;
            self.path.rename(&target).await?;
        }
        // The name must survive a power cut as well as the bytes: also one that another process has
        // given just now, and that of each folder on the way.
        for folder in folders_to_sync(&self.root, folder) {
            sync_folder(folder).await?;
        }
        Ok(stored)
    }
}

/// Whether these bytes are at a place as they were stored.
fn stands(path: &Path, stored: &Stored) -> io::Result<bool> {
    let mut file = match std::fs::File::open(path) {
        Ok(file) => file,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(false),
        Err(error) => return Err(error),
    };
    if file.metadata()?.len() != stored.bytes {
        return Ok(false);
    }
    let mut hash = Sha256::new();
    io::copy(&mut file, &mut hash)?;
    let whole = <Sha256Hash>::from(hash.finalize()) == stored.sha256;
    if !whole {
        tracing::warn!(path = %path.display(), "stored bytes were damaged and are replaced by the right ones");
    }
    Ok(whole)
}

/// The folders in which a name on the way from `root` to `folder` may be new, the innermost first.
fn folders_to_sync<'a>(root: &'a Path, folder: &'a Path) -> impl Iterator<Item = &'a Path> {
    folder.ancestors().take_while(move |f| f.starts_with(root))
}

async fn sync_folder(folder: &Path) -> io::Result<()> {
    // A relative path ends in the folder in which the program runs.
    let folder = if folder.as_os_str().is_empty() {
        Path::new(".")
    } else {
        folder
    };
    fs::File::open(folder).await?.sync_all().await
}

impl Draft {
    /// Where it is.
    pub fn path(&self) -> &Path {
        self.path.0.as_deref().unwrap_or(Path::new(""))
    }

    /// To write into it, from its beginning.
    pub fn writer(&self) -> io::Result<std::fs::File> {
        self.file.try_clone()
    }
}

impl Temporary {
    async fn rename(&mut self, to: &Path) -> io::Result<()> {
        if let Some(path) = &self.0 {
            fs::rename(path, to).await?;
            self.0 = None;
        }
        Ok(())
    }
}

impl Drop for Temporary {
    fn drop(&mut self) {
        if let Some(path) = self.0.take()
            && let Err(error) = std::fs::remove_file(&path)
        {
            tracing::warn!(%error, path = %path.display(), "a temporary file could not be removed");
        }
    }
}

/// A new file below a folder, locked for as long as it is open: whose lock is free, nobody writes.
fn create_locked(folder: &Path) -> io::Result<(std::fs::File, Temporary)> {
    let mut options = std::fs::OpenOptions::new();
    options.write(true).create_new(true);
    #[cfg(unix)]
    std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
    loop {
        let name = format!(
            "{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        );
        let path = folder.join(name);
        let file = match options.open(&path) {
            Ok(file) => file,
            // Of a process with this number on another machine, or before.
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            Err(error) => return Err(error),
        };
        file.lock()?;
        // A process that starts may have removed it before the lock was taken.
        if path.try_exists()? {
            return Ok((file, Temporary(Some(path))));
        }
    }
}

/// Removes the temporary files that nobody writes any more.
fn remove_leftovers(folder: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(folder)? {
        let path = entry?.path();
        let file = match std::fs::File::open(&path) {
            Ok(file) => file,
            // Just given its name, or removed by another process that starts.
            Err(error) if error.kind() == io::ErrorKind::NotFound => continue,
            Err(error) => return Err(error),
        };
        if file.try_lock().is_ok() {
            drop(Temporary(Some(path)));
        }
    }
    Ok(())
}

async fn on_a_thread<T: Send + 'static>(
    work: impl FnOnce() -> io::Result<T> + Send + 'static,
) -> io::Result<T> {
    tokio::task::spawn_blocking(work)
        .await
        .map_err(io::Error::other)?
}

fn place(root: &Path, sha256: &Sha256Hash) -> PathBuf {
    let name = hex::encode(sha256);
    let folder = |range| name.get(range).unwrap_or("00").to_owned();
    root.join(folder(0..2)).join(folder(2..4)).join(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn bytes_come_back_as_they_came_and_the_same_bytes_are_stored_once() {
        let dir = tempfile::tempdir().unwrap();
        let store = EvidenceStore::open(dir.path()).await.unwrap();
        let first = store.store(&b"row_id,kind\n1,fee\n"[..]).await.unwrap();
        let again = store.store(&b"row_id,kind\n1,fee\n"[..]).await.unwrap();
        assert_eq!((first, first.bytes), (again, 18));
        assert_eq!(store.read_range(&first.sha256, 12, 5).unwrap(), b"1,fee");
        assert_eq!(incoming(dir.path()), Vec::<String>::new());
    }

    // Cut short, changed in place, or made longer: whoever has the right bytes still brings them again.
    #[tokio::test]
    async fn bytes_that_were_damaged_are_replaced_by_the_right_ones() {
        let dir = tempfile::tempdir().unwrap();
        let store = EvidenceStore::open(dir.path()).await.unwrap();
        let right = b"row_id,kind\n1,fee\n";
        let stored = store.store(&right[..]).await.unwrap();
        let path = store.path(&stored.sha256);
        for damaged in [
            "row_id,kind\n1,fe",
            "row_id,kind\n2,fee\n",
            "row_id,kind\n1,fee\n\n",
            "",
        ] {
            std::fs::write(&path, damaged).unwrap();
            assert_eq!(store.store(&right[..]).await.unwrap(), stored);
            assert_eq!(std::fs::read(&path).unwrap(), right, "{damaged:?}");
            assert_eq!(incoming(dir.path()), Vec::<String>::new());
        }
    }

    #[test]
    fn the_name_of_each_folder_on_the_way_survives_a_power_cut() {
        let root = Path::new("data/evidence");
        let found: Vec<&Path> = folders_to_sync(root, Path::new("data/evidence/ab/cd")).collect();
        assert_eq!(
            found,
            ["data/evidence/ab/cd", "data/evidence/ab", "data/evidence"].map(Path::new)
        );
    }

    #[cfg(unix)]
    #[tokio::test]
    async fn nobody_else_reads_what_is_stored_or_made_to_be_sent_and_a_draft_leaves_nothing() {
        use std::os::unix::fs::PermissionsExt;
        let mode = |path: &Path| std::fs::metadata(path).unwrap().permissions().mode() & 0o777;
        let dir = tempfile::tempdir().unwrap();
        let store = EvidenceStore::open(dir.path()).await.unwrap();
        let stored = store.store(&b"row_id,kind\n"[..]).await.unwrap();
        assert_eq!(mode(&store.path(&stored.sha256)), 0o600);
        let draft = store.draft().await.unwrap();
        std::io::Write::write_all(&mut draft.writer().unwrap(), b"matched").unwrap();
        assert_eq!(mode(draft.path()), 0o600);
        assert!(draft.path().starts_with(dir.path()));
        // A process that starts meanwhile leaves it alone.
        EvidenceStore::open(dir.path()).await.unwrap();
        assert_eq!(std::fs::read(draft.path()).unwrap(), b"matched");
        drop(draft);
        assert_eq!(incoming(dir.path()), Vec::<String>::new());
    }

    fn incoming(data_dir: &Path) -> Vec<String> {
        std::fs::read_dir(data_dir.join("evidence/incoming"))
            .unwrap()
            .map(|entry| entry.unwrap().file_name().into_string().unwrap())
            .collect()
    }

    #[tokio::test]
    async fn bytes_that_break_off_leave_nothing_behind() {
        let dir = tempfile::tempdir().unwrap();
        let store = EvidenceStore::open(dir.path()).await.unwrap();
        let mut broken_off = store.begin().await.unwrap();
        broken_off.write(b"row_id,ki").await.unwrap();
        assert_eq!(incoming(dir.path()).len(), 1);
        drop(broken_off);
        assert_eq!(incoming(dir.path()), Vec::<String>::new());
    }

    #[tokio::test]
    async fn what_a_killed_process_left_is_removed_at_the_next_start_and_what_is_being_sent_is_not()
    {
        let dir = tempfile::tempdir().unwrap();
        let store = EvidenceStore::open(dir.path()).await.unwrap();
        std::fs::write(dir.path().join("evidence/incoming/1-0"), b"row_id,ki").unwrap();
        let mut sending = store.begin().await.unwrap();
        sending.write(b"row_id,").await.unwrap();
        let other = EvidenceStore::open(dir.path()).await.unwrap();
        assert_eq!(incoming(dir.path()).len(), 1);
        sending.write(b"kind").await.unwrap();
        let stored = sending.finish().await.unwrap();
        assert_eq!(
            other.read_range(&stored.sha256, 0, 11).unwrap(),
            b"row_id,kind"
        );
    }
}
