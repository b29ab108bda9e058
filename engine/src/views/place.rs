//! A place in an order: the opaque cursor of a page is the sort key of its last row.

use crate::Error;

/// Writes a place.
pub(super) fn write(key: &[i64]) -> String {
    key.iter().map(i64::to_string).collect::<Vec<_>>().join("_")
}

/// Reads a place of `N` numbers; none from an empty text.
pub(super) fn read<const N: usize>(text: &str) -> Result<Option<[i64; N]>, Error> {
    if text.is_empty() {
        return Ok(None);
    }
    let numbers: Option<Vec<i64>> = text.split('_').map(|n| n.parse().ok()).collect();
    numbers
        .and_then(|n| n.try_into().ok())
        .map(Some)
        .ok_or_else(|| {
            Error::invalid(
                "after",
                "is not a place in this list; start again without it",
            )
        })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_is_read_as_it_was_written() {
        let key = [i64::MIN, 0, i64::MAX];
        assert_eq!(read::<3>(&write(&key)).unwrap(), Some(key));
        assert_eq!(read::<3>("").unwrap(), None);
        for wrong in ["1_2", "a_1_2", "1_2_3_4", "99999999999999999999_1_1"] {
            assert!(read::<3>(wrong).is_err(), "{wrong}");
        }
    }
}
