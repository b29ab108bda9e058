//! How severe cases are by today. The queue is sorted by severity: a case that nobody takes up must rise in
//! it without any new evidence. What a clock that was ahead raised, or the rules of an older version, comes
//! down again.

use crate::{
    Error,
    derive::cases::severity_by_age,
    storage::{Tx, cases, sweep::Page},
};
use domain::{account::ProviderAccount, time::Instant};

/// Derives the severity of a page of the unresolved cases of an account, and tells where the next page
/// begins.
pub async fn derive_severity(
    tx: &mut Tx,
    account: &ProviderAccount,
    now: Instant,
    page: Page,
) -> Result<Option<Page>, Error> {
    let standing = cases::severities(&mut *tx, account.id, page.id, page.size).await?;
    let Some(last) = standing.last() else {
        return Ok(None);
    };
    let next = Page {
        id: last.case_id,
        ..page
    };
    let mut changed = Vec::new();
    for case in &standing {
        let severity = severity_by_age(case, now)?;
        if severity != case.severity {
            changed.push((case.case_id, severity));
        }
    }
    cases::set_severities(tx, changed.into_iter()).await?;
    Ok(Some(next))
}
