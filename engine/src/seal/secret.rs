//! The instance secret: 32 random bytes, made once, from which the salts of sealed texts follow.

use crate::{
    Error, Sources,
    storage::{Tx, seal, stored, tx::Connected},
};
use domain::seal::{Secret, hash_from_hex, hex_of};

/// The secret of this instance; made now if there is none.
pub async fn instance_secret(tx: &mut Tx, sources: &Sources) -> Result<Secret, Error> {
    if let Some(secret) = known(&mut *tx).await? {
        return Ok(secret);
    }
    let fresh = sources.ids.secret()?;
    seal::keep_secret(&mut *tx, &hex_of(&fresh)).await?;
    // Another server may have been first: what is kept counts.
    known(tx)
        .await?
        .ok_or_else(|| Error::Internal("the instance secret was not kept".to_owned()))
}

/// The secret of this instance, if it was made.
pub async fn known(tx: impl Connected) -> Result<Option<Secret>, Error> {
    let Some(hex) = seal::secret(tx).await? else {
        return Ok(None);
    };
    let bytes = hash_from_hex(&hex).ok_or_else(|| {
        stored::corrupt(
            "setting",
            "value",
            "instance_secret",
            &"not 64 hexadecimal digits",
        )
    })?;
    Ok(Some(Secret::new(&bytes)))
}
