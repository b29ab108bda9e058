//! An address as it is stored: trimmed and lower case, so that nobody is two people.

use crate::Error;

const LONGEST: usize = 200;

/// Reads an address. Only its shape is checked: whether it is theirs shows when they sign in.
pub(super) fn read(text: &str) -> Result<String, Error> {
    let email = text.trim().to_lowercase();
    let shaped = email.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty()
            && host.contains('.')
            && !host.starts_with('.')
            && !host.ends_with('.')
            && !host.contains('@')
    });
    let plain = email
        .chars()
        .all(|c| !c.is_whitespace() && !c.is_control() && c != ',');
    if shaped && plain && email.len() <= LONGEST {
        Ok(email)
    } else {
        Err(Error::invalid(
            "email",
            "must be an address such as name@example.com",
        ))
    }
}
