//! Enumerations and JSON as stored; what cannot be read names its table, column and row.

use super::StorageError;
use std::{fmt::Display, str::FromStr};

/// Reads an enumeration, a zone, a currency: whatever parses from its text.
pub fn parse<T>(
    table: &'static str,
    column: &'static str,
    row: impl Display,
    text: &str,
) -> Result<T, StorageError>
where
    T: FromStr,
    T::Err: Display,
{
    text.parse()
        .map_err(|e: T::Err| corrupt(table, column, row, &e))
}

/// Reads a list of codes, comma separated; empty text is the empty list.
pub fn parse_list<T, C>(
    table: &'static str,
    column: &'static str,
    row: impl Display,
    text: &str,
) -> Result<C, StorageError>
where
    T: FromStr,
    T::Err: Display,
    C: FromIterator<T>,
{
    text.split(',')
        .filter(|code| !code.is_empty())
        .map(|code| {
            code.parse()
                .map_err(|e: T::Err| corrupt(table, column, &row, &e))
        })
        .collect()
}

/// Reads JSON.
pub fn json<T: serde::de::DeserializeOwned>(
    table: &'static str,
    column: &'static str,
    row: impl Display,
    text: &str,
) -> Result<T, StorageError> {
    serde_json::from_str(text).map_err(|e| corrupt(table, column, row, &e))
}

/// Writes JSON. Only a value that JSON cannot say fails: a fault of the caller.
pub fn to_json<T: serde::Serialize>(value: &T) -> Result<String, StorageError> {
    serde_json::to_string(value).map_err(|e| StorageError::Other(Box::new(e)))
}

/// Impossible stored data.
pub fn corrupt(
    table: &'static str,
    column: &'static str,
    row: impl Display,
    problem: &dyn Display,
) -> StorageError {
    StorageError::Corrupt {
        table,
        column,
        row: row.to_string(),
        problem: problem.to_string(),
    }
}
