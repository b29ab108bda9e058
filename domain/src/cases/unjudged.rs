//! The case of payments that cannot be judged against an account's lines: what stands stays as it is,
//! and a person must know.

use super::{CaseFacts, CaseKind, Subject, WantedCase};
use crate::{account::ProviderAccount, view::amount::counted};

/// The case of payments of an account that could not be judged: how many, the first of them, and why.
pub fn unjudged(
    account: &ProviderAccount,
    payments: usize,
    first: &str,
    error: &str,
) -> WantedCase {
    let name = &account.name;
    let (count, they) = match payments {
        1 => (counted(1, "payment", "payments"), "It stays"),
        n => (counted(n as u64, "payment", "payments"), "They stay"),
    };
    WantedCase {
        kind: CaseKind::EventFailed,
        subject: Subject::Payments(name.clone()).to_string(),
        account: account.id,
        at_risk: None,
        intent: None,
        attempt: None,
        line: None,
        not_before: None,
        facts: CaseFacts {
            sentence: format!(
                "{count} could not be judged against the lines of {name}. {they} as judged last until the cause is mended."
            ),
            settled_by: vec!["another try, by itself, once its cause is mended".to_owned()],
            figures: vec![
                ("first payment".to_owned(), first.to_owned()),
                ("error".to_owned(), error.to_owned()),
            ],
            ..CaseFacts::default()
        },
    }
}
