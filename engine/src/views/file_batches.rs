//! Batches that do not tie within one file: whether the rest came in another, and until when it may.

use crate::{
    Error,
    storage::{accounts, cases, files, stored, tx::Connected},
};
use domain::{
    cases::{CaseKind, CaseState, Subject, due::settlement_due},
    time::{Day, Instant},
    view::file::{ControlTotal, GoesOn},
};

/// Says of each residual of a used file what becomes of it.
pub(super) async fn go_on(
    mut tx: impl Connected,
    account: &str,
    totals: &mut [ControlTotal],
    now: Instant,
) -> Result<(), Error> {
    let untied = |t: &ControlTotal| t.ties() == Some(false) && !t.batch_id.is_empty();
    let names: Vec<&str> = totals
        .iter()
        .filter(|t| untied(t))
        .map(|t| t.batch_id.as_str())
        .collect();
    if names.is_empty() {
        return Ok(());
    }
    let accounts = accounts::all(&mut tx).await?;
    let Some(account) = accounts.values().find(|a| a.name == account) else {
        return Ok(());
    };
    let ids = files::batches_named(&mut tx, account.id, &names).await?;
    let standing = files::batches(&mut tx, ids.into_iter()).await?;
    for total in totals.iter_mut().filter(|t| untied(t)) {
        let currency = total.net.currency.to_string();
        let Some(batch) = standing
            .iter()
            .find(|b| b.provider_batch_id == total.batch_id && b.currency == currency)
        else {
            continue;
        };
        let left = i128::from(batch.net) + i128::from(batch.payout_net);
        if left == i128::from(batch.adjusted.unwrap_or(0)) {
            total.goes_on = Some(GoesOn::Ties);
            continue;
        }
        let name = format!("{}:{}:{currency}", account.name, batch.provider_batch_id);
        let subject = Subject::Batch(name).to_string();
        let kind = CaseKind::BatchOutOfBalance.code();
        let about = std::iter::once((kind, subject.as_str()));
        let found = cases::of_subjects(&mut tx, about).await?;
        let found = cases::by_id(&mut tx, found.into_iter()).await?;
        let open = found
            .into_iter()
            .find(|c| c.state != CaseState::Resolved.code());
        let day = Day::from_number(batch.last_day)
            .ok_or_else(|| stored::corrupt("batch_now", "last_day", batch.id, &"not a day"))?;
        let due = settlement_due(day.start_in(account.zone), account.zone, &account.policy);
        total.goes_on = Some(match open {
            Some(case) => GoesOn::Case(case.public_id),
            None if now < due => GoesOn::Until(due),
            None => GoesOn::Since(due),
        });
    }
    Ok(())
}
