//! Single values that the instance keeps by name.

use super::{StorageError, tx::Connected};
use crate::{exec_one, scalar_opt, statements};

statements! {
    GET(1) = "setting/get.sql";
    PUT(2) = "setting/put.sql";
    REMOVE(1) = "setting/remove.sql";
}

/// A value, if it was set.
pub async fn get(mut tx: impl Connected, name: &str) -> Result<Option<String>, StorageError> {
    scalar_opt!(&mut tx, String, GET, name)
}

/// Sets a value.
pub async fn put(mut tx: impl Connected, name: &str, value: &str) -> Result<(), StorageError> {
    exec_one!(&mut tx, PUT, name, value)
}

/// Forgets a value that was set; an error if somebody else did already.
pub async fn remove(mut tx: impl Connected, name: &str) -> Result<(), StorageError> {
    exec_one!(&mut tx, REMOVE, name)
}
