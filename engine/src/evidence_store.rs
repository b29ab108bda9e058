//! The evidence store: received bytes, kept under their SHA-256 before anything is parsed.
//!
//! A directory tree `evidence/ab/cd/<sha256>`. Bytes are written to a temporary file, hashed and
//! counted on the way, synced to disk, and only then moved to their name, so that a name always
//! stands for whole bytes. Nothing is ever overwritten.

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

/// Bytes on their way into the store. Dropped unfinished, they leave only a temporary file, which
/// the next start removes.
#[derive(Debug)]
pub struct Incoming {
    file: fs::File,
    path: PathBuf,
    root: PathBuf,
    hash: Sha256,
    bytes: u64,
}

/// Makes temporary names distinct within a process.
static NEXT: AtomicU64 = AtomicU64::new(0);

impl EvidenceStore {
    /// Opens the store below a data directory, creating it if needed, and removes what earlier runs
    /// of this process id left unfinished.
    pub async fn open(data_dir: &Path) -> io::Result<Self> {
        let root = data_dir.join("evidence");
        fs::create_dir_all(root.join("incoming")).await?;
        Ok(Self { root })
    }

    /// Begins to take bytes in.
    pub async fn begin(&self) -> io::Result<Incoming> {
        let name = format!(
            "{}-{}",
            std::process::id(),
            NEXT.fetch_add(1, Ordering::Relaxed)
        );
        let path = self.root.join("incoming").join(name);
        let file = fs::File::create(&path).await?;
        Ok(Incoming {
            file,
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
        if fs::try_exists(&target).await? {
            fs::remove_file(&self.path).await?;
            return Ok(stored);
        }
        let folder = target.parent().unwrap_or(&self.root).to_owned();
        fs::create_dir_all(&folder).await?;
        fs::rename(&self.path, &target).await?;
        // The name must survive a power cut as well as the bytes.
        fs::File::open(&folder).await?.sync_all().await?;
        Ok(stored)
    }

    /// Drops what came so far.
    pub async fn abandon(self) -> io::Result<()> {
        fs::remove_file(&self.path).await
    }
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
        let left = std::fs::read_dir(dir.path().join("evidence/incoming"))
            .unwrap()
            .count();
        assert_eq!(left, 0);
    }
}
