//! Which key an attempt sends to its provider.
//!
//! A key stays the same for every attempt that might repeat one whose outcome nobody knows, or that
//! was proven absent: should the first have been executed after all, the provider takes the second
//! for a repeat. After a confirmed rejection it is a new one, since providers replay a stored
//! rejection.

use crate::{account::ProviderKind, payment::Outcome};
use sha2::{Digest, Sha256};

/// An attempt that was made before.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct EarlierAttempt<'a> {
    /// How it stands.
    pub outcome: Outcome,
    /// The key that it sent, or empty.
    pub key: &'a str,
}

/// The longest key that a provider takes, in characters.
///
/// Stripe: 255, <https://docs.stripe.com/api/idempotent_requests>. Adyen: 64,
/// <https://docs.adyen.com/development-resources/api-idempotency/>. Square: 45,
/// <https://developer.squareup.com/reference/square/payments-api/create-payment>. The others
/// publish no limit; 64 holds an id and a number.
pub const fn longest_key(kind: ProviderKind) -> usize {
    match kind {
        ProviderKind::Stripe => 255,
        ProviderKind::Square => 45,
        _ => 64,
    }
}

/// The key of the next attempt of an operation, given all earlier ones, first first.
pub fn next_key(operation_id: &str, earlier: &[EarlierAttempt<'_>], longest: usize) -> String {
    if let Some(last) = earlier.last()
        && last.outcome != Outcome::Rejected
        && !last.key.is_empty()
    {
        return last.key.to_owned();
    }
    let rejected = earlier
        .iter()
        .filter(|e| e.outcome == Outcome::Rejected)
        .count();
    // Imported history may have used the names that would come next.
    (1..=earlier.len() + 1)
        .map(|number| shortened(&numbered(operation_id, rejected + number), longest))
        .find(|key| !earlier.iter().any(|e| e.key == key))
        .unwrap_or_default()
}

fn numbered(operation_id: &str, number: usize) -> String {
    if number == 1 {
        operation_id.to_owned()
    } else {
        format!("{operation_id}:{number}")
    }
}

fn shortened(key: &str, longest: usize) -> String {
    if key.chars().count() <= longest {
        return key.to_owned();
    }
    let mut hash = hex::encode(Sha256::digest(key.as_bytes()));
    hash.truncate(longest);
    hash
}

#[cfg(test)]
mod tests {
    use super::*;
    use Outcome::{Absent, Rejected, Succeeded, Unknown};

    fn key(earlier: &[(Outcome, &str)]) -> String {
        let earlier: Vec<_> = earlier
            .iter()
            .map(|(outcome, key)| EarlierAttempt {
                outcome: *outcome,
                key,
            })
            .collect();
        next_key("op", &earlier, 64)
    }

    #[test]
    fn a_key_is_new_only_after_a_confirmed_rejection() {
        for (earlier, expected) in [
            (&[][..], "op"),
            (&[(Unknown, "op")], "op"),
            (&[(Absent, "op")], "op"),
            (&[(Rejected, "op")], "op:2"),
            (&[(Rejected, "op"), (Absent, "op:2")], "op:2"),
            (&[(Absent, "op"), (Rejected, "op")], "op:2"),
            (&[(Rejected, "op"), (Rejected, "op:2")], "op:3"),
            // Imported history with keys of its own.
            (&[(Unknown, "theirs")], "theirs"),
            (&[(Rejected, "op:2")], "op:3"),
            (&[(Unknown, "")], "op"),
            (&[(Succeeded, "op")], "op"),
        ] {
            assert_eq!(key(earlier), expected, "{earlier:?}");
        }
    }

    #[test]
    fn a_key_that_a_provider_would_refuse_is_its_hash_and_still_differs_by_number() {
        let long = "x".repeat(200);
        let first = next_key(&long, &[], 45);
        let second = next_key(
            &long,
            &[EarlierAttempt {
                outcome: Rejected,
                key: &first,
            }],
            45,
        );
        assert_eq!((first.len(), second.len()), (45, 45));
        assert_ne!(first, second);
        assert_eq!(next_key(&long, &[], 255), long);
    }
}
