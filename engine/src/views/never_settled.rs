//! Payments that succeeded before the files of their account begin, and that none of them holds. No
//! case is opened for them, since no file was to hold them: they are listed, so that nobody takes
//! silence for agreement.

use crate::{
    Error,
    storage::{
        overview::{self, LOOKED_AT},
        providers::Provider,
        stored,
        tx::Connected,
    },
    sweep::covered_days,
};
use domain::{
    account::CoverageRule,
    cases::due::settlement_due,
    time::Instant,
    view::{Amount, overview::NeverSettled},
};
use std::collections::BTreeSet;

/// Those of some accounts that are due.
#[derive(Debug, Default)]
pub(super) struct Found {
    /// Keys of their intents.
    pub intents: BTreeSet<i64>,
    /// Their number and sums.
    pub figures: NeverSettled,
}

/// Reads them.
pub(super) async fn never_settled(
    mut tx: impl Connected,
    accounts: &[Provider],
    now: Instant,
) -> Result<Found, Error> {
    let mut found = Found::default();
    for account in accounts {
        // Where no files are expected, each payment that is due has a case of its own.
        if account.policy.coverage == CoverageRule::None {
            continue;
        }
        let covered = covered_days(&mut tx, account.id).await?;
        let begins = covered
            .first()
            .map_or(now, |day| day.start_in(account.zone));
        let earlier = i64::MIN..begins.micros();
        found.figures.more |=
            overview::has_more_attempts(&mut tx, account.id, earlier, LOOKED_AT).await?;
        for attempt in overview::never_settled(&mut tx, account.id, begins, LOOKED_AT).await? {
            let began = Instant::from_micros(attempt.started_at);
            let due = settlement_due(began, account.zone, &account.policy);
            if due > now || !found.intents.insert(attempt.intent_id) {
                continue;
            }
            let currency =
                stored::parse("intent", "currency", attempt.intent_id, &attempt.currency)?;
            found
                .figures
                .add(Amount::new(attempt.amount, currency), began);
        }
    }
    Ok(found)
}
