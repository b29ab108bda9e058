//! Received files are kept as they came: each is read again and its hash compared.

use crate::{
    Engine, Error, EvidenceStore,
    storage::verify::{self, ReceivedFile},
};
use domain::{seal::hex_of, view::amount::counted};
use sha2::{Digest, Sha256};
use std::{
    fs::File,
    io::{self, ErrorKind, Read},
    path::Path,
};

/// Bytes that are read at once.
const PART: usize = 1 << 18;

/// What the stored files came to.
#[derive(Debug, Default)]
pub struct Found {
    /// Files that were read.
    pub files: u64,
    /// The first that is absent or differs.
    pub broken: Option<String>,
}

impl Found {
    /// How many were read, in words.
    pub fn words(&self) -> String {
        format!("{} read again", counted(self.files, "file", "files"))
    }
}

/// Reads every file again. No connection is held meanwhile: a file can be large.
pub async fn check(engine: &Engine, evidence: &EvidenceStore) -> Result<Found, Error> {
    let mut found = Found::default();
    let mut after = i64::MIN;
    loop {
        let files = verify::received_files(engine.store.read().await?, after).await?;
        let Some(last) = files.last() else {
            return Ok(found);
        };
        after = last.id;
        for file in files {
            let evidence = evidence.clone();
            let wrong = tokio::task::spawn_blocking(move || wrong(&evidence, &file))
                .await
                .map_err(|e| Error::Internal(e.to_string()))?;
            found.files += 1;
            if found.broken.is_none() {
                found.broken = wrong;
            }
        }
    }
}

fn wrong(evidence: &EvidenceStore, file: &ReceivedFile) -> Option<String> {
    let name = format!("settlement file {} ({:?})", file.public_id, file.name);
    let Ok(sha256) = <[u8; 32]>::try_from(file.sha256.as_slice()) else {
        return Some(format!("{name} is recorded with no SHA-256"));
    };
    let (bytes, hash) = match hashed(&evidence.path(&sha256)) {
        Ok(read) => read,
        Err(e) if e.kind() == ErrorKind::NotFound => {
            return Some(format!(
                "{name} is not in the data directory: its bytes, SHA-256 {}, are gone",
                hex_of(&sha256)
            ));
        }
        Err(e) => return Some(format!("{name} cannot be read again: {e}")),
    };
    if hash != sha256 {
        return Some(format!(
            "{name} is not as it came: it was recorded with SHA-256 {}, its bytes now give {}",
            hex_of(&sha256),
            hex_of(&hash)
        ));
    }
    (i64::try_from(bytes) != Ok(file.bytes)).then(|| {
        format!(
            "{name} is recorded with {} bytes and has {bytes}",
            file.bytes
        )
    })
}

fn hashed(path: &Path) -> io::Result<(u64, [u8; 32])> {
    let mut file = File::open(path)?;
    let mut hash = Sha256::new();
    let mut part = vec![0; PART];
    let mut bytes = 0;
    loop {
        let read = match file.read(&mut part) {
            Ok(0) => return Ok((bytes, hash.finalize().into())),
            Ok(read) => read,
            Err(e) if e.kind() == ErrorKind::Interrupted => continue,
            Err(e) => return Err(e),
        };
        hash.update(part.get(..read).unwrap_or_default());
        bytes += read as u64;
    }
}
