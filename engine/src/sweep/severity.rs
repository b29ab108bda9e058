//! Cases that become more severe by waiting. The queue is sorted by severity: a case that nobody takes
//! up must rise in it without any new evidence.

use crate::{
    Error,
    derive::cases::severity_by_age,
    storage::{Tx, cases, sweep::Page},
};
use domain::{account::ProviderAccount, cases::AGED_DAYS, time::Instant};

const SECONDS_PER_DAY: i64 = 86_400;

/// Raises a page of the cases of an account that are old enough, and tells where the next page begins.
pub async fn raise(
    tx: &mut Tx,
    account: &ProviderAccount,
    now: Instant,
    page: Page,
) -> Result<Option<Page>, Error> {
    let before = now.plus_seconds(-AGED_DAYS * SECONDS_PER_DAY).micros();
    let aged = cases::aged(&mut *tx, account.id, page.id, before, page.size).await?;
    let Some(last) = aged.last() else {
        return Ok(None);
    };
    let next = Page {
        id: last.case_id,
        ..page
    };
    let mut raised = Vec::new();
    for case in &aged {
        let severity = severity_by_age(case, now)?;
        if severity != case.severity {
            raised.push((case.case_id, severity));
        }
    }
    cases::raise(tx, raised.into_iter()).await?;
    Ok(Some(next))
}
