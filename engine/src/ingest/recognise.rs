//! Recognises a received file: its profile and its values from its bytes, and of repaired rows what of
//! the file that they come from they must know.

use super::{Ingest, account::while_held, file::hash};
use crate::{
    Engine, Error,
    storage::files::{self, StoredFile},
};
use domain::{
    account::ProviderAccount,
    formats::{
        Earlier, FileProblem, Origins, ReadContext, ReadError, Recognition, recognise as by_head,
    },
    time::Instant,
};
use std::{fs::File, io::Read, path::Path, path::PathBuf, pin::Pin};

/// Bytes from which a file is recognised.
const HEAD: usize = 64 * 1024;

/// How often rows can have been repaired and rejected again before nobody looks where they began.
const MOST_ROUNDS: u32 = 20;

/// Recognises a file by all of its bytes, with what its account's policy says. The account's lease is
/// renewed meanwhile.
pub(super) async fn recognise(
    ingest: &Ingest,
    account: &ProviderAccount,
    file: &StoredFile,
    owner: &str,
) -> Result<Result<Recognition, FileProblem>, Error> {
    while_held(
        &ingest.engine,
        account.id,
        owner,
        recognise_after(ingest, account, file, MOST_ROUNDS),
    )
    .await
}

type Recognising<'a> =
    Pin<Box<dyn Future<Output = Result<Result<Recognition, FileProblem>, Error>> + Send + 'a>>;

fn recognise_after<'a>(
    ingest: &'a Ingest,
    account: &'a ProviderAccount,
    file: &'a StoredFile,
    rounds: u32,
) -> Recognising<'a> {
    Box::pin(async move {
        let path = ingest.evidence.path(&hash(file));
        let (of, profile) = (account.clone(), file.profile.clone());
        let received_at = Instant::from_micros(file.received_at);
        let found = on_a_thread(path.clone(), move |path| {
            let mut recognition = recognise_head(path, &of, &profile, received_at)?;
            recognition.settle(File::open(path)?)?;
            Ok(recognition)
        });
        match found.await? {
            Ok(recognition) if recognition.is_of_repaired_rows() && rounds > 0 => {
                let (file, rounds) = (file.id, rounds - 1);
                behind_earlier(ingest, account, (file, path), recognition, rounds)
                    .await
                    .map(Ok)
            }
            found => Ok(found),
        }
    })
}

/// Puts repaired rows behind those of the file that they come from, where that is known: a file of the
/// account that came before this one, so that both passes find the same.
async fn behind_earlier(
    ingest: &Ingest,
    account: &ProviderAccount,
    (id, path): (i64, PathBuf),
    recognition: Recognition,
    rounds: u32,
) -> Result<Recognition, Error> {
    let own = recognition.clone();
    let origins = on_a_thread(path, move |path| Origins::read(File::open(path)?, &own));
    // What is wrong with these bytes is found when their rows are read.
    let Ok(origins) = origins.await? else {
        return Ok(recognition);
    };
    let Some(source) = origins.file() else {
        return Ok(recognition);
    };
    let Some(source) = received(&ingest.engine, account.id, &source).await? else {
        return Ok(recognition);
    };
    if source.id >= id {
        return Ok(recognition);
    }
    let Ok(of_source) = recognise_after(ingest, account, &source, rounds).await? else {
        return Ok(recognition);
    };
    let sha256 = hash(&source);
    let earlier = on_a_thread(ingest.evidence.path(&sha256), move |path| {
        Earlier::read(File::open(path)?, &of_source, sha256)
    });
    Ok(match earlier.await? {
        Ok(Some(earlier)) => recognition.behind(earlier, &origins),
        _ => recognition,
    })
}

async fn received(
    engine: &Engine,
    account: i64,
    sha256: &[u8],
) -> Result<Option<StoredFile>, Error> {
    let mut reading = engine.store.read().await?;
    Ok(match files::known(&mut reading, account, sha256).await? {
        Some((id, ..)) => Some(files::by_id(&mut reading, id).await?),
        None => None,
    })
}

/// Recognises a file by its first bytes: enough to tell its columns and its encoding.
pub fn recognise_head(
    path: &Path,
    account: &ProviderAccount,
    profile: &str,
    received_at: Instant,
) -> Result<Recognition, ReadError> {
    let mut head = Vec::with_capacity(HEAD);
    File::open(path)?.take(HEAD as u64).read_to_end(&mut head)?;
    let whole = std::fs::metadata(path)?.len() <= HEAD as u64;
    let context = ReadContext {
        kind: account.kind,
        zone: account.zone,
        reference_column: account.policy.reference_column.clone(),
        // By when the file came, so that it reads the same whenever it is read again.
        latest: received_at.latest_plausible(),
    };
    let wanted = Some(profile).filter(|p| !p.is_empty());
    by_head(&head, whole, &context, wanted).map_err(Into::into)
}

/// Reads stored bytes where nobody waits; what is wrong with them is an answer.
async fn on_a_thread<T: Send + 'static>(
    path: PathBuf,
    read: impl FnOnce(&Path) -> Result<T, ReadError> + Send + 'static,
) -> Result<Result<T, FileProblem>, Error> {
    let read = tokio::task::spawn_blocking(move || read(&path));
    match read.await.map_err(|e| Error::Internal(e.to_string()))? {
        Ok(found) => Ok(Ok(found)),
        Err(ReadError::File(problem)) => Ok(Err(problem)),
        Err(ReadError::Io(error)) => Err(Error::Internal(format!(
            "the stored file cannot be read: {error}"
        ))),
    }
}
