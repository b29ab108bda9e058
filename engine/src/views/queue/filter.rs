//! What a filter asks for, and whether a case fits it.

use crate::{
    Engine,
    storage::{
        StorageError, files,
        providers::{self, Provider},
        queue::{CaseRow, Wanted},
        tx::Connected,
        users::{self, UserAccount},
    },
};
use domain::{
    actor::{Actor, Permission},
    money::{Currency, Money},
    view::{
        FieldProblem,
        queue::{NOBODY, QueueFilter, QueueView},
    },
};

const TWO_DAYS_SECONDS: i64 = 48 * 60 * 60;

pub(super) async fn wanted<'a>(
    engine: &Engine,
    actor: &Actor,
    tx: impl Connected,
    filter: &'a QueueFilter,
    names: &Names,
    problems: &mut Vec<FieldProblem>,
) -> Result<Wanted<'a>, StorageError> {
    let file = match filter.file.trim() {
        "" => 0,
        id => files::id_by_public_id(tx, id).await?.unwrap_or(-1),
    };
    Ok(Wanted {
        view: filter.view.code(),
        person: actor.person().map_or(0, |(id, _)| id),
        opened_before: engine.now().plus_seconds(-TWO_DAYS_SECONDS),
        kind: filter.kind.trim(),
        account: match filter.provider.trim() {
            "" => 0,
            name => names
                .accounts
                .iter()
                .find(|a| a.name == name)
                .map_or(-1, |a| a.id),
        },
        currency: filter.currency.trim(),
        least: least(filter, problems),
        owner: match filter.owner.trim() {
            "" => 0,
            NOBODY => -1,
            email => names
                .people
                .iter()
                .find(|p| p.email == email)
                .map_or(-2, |p| p.id),
        },
        file,
    })
}

/// What a filter may name.
pub(super) struct Names {
    pub(super) accounts: Vec<Provider>,
    pub(super) people: Vec<UserAccount>,
}

impl Names {
    pub(super) async fn read(mut tx: impl Connected) -> Result<Self, StorageError> {
        Ok(Self {
            accounts: providers::list(&mut tx).await?,
            people: users::list(&mut tx).await?,
        })
    }

    /// Addresses of people who may hold a case, and of whom the filter names.
    pub(super) fn deciders(&self, named: &str) -> Vec<String> {
        self.people
            .iter()
            .filter(|p| {
                let decides = p.roles.iter().any(|r| r.grants(Permission::Decide));
                p.email == named || (decides && !p.disabled)
            })
            .map(|p| p.email.clone())
            .collect()
    }
}

/// The least amount in minor units. Without a currency it has no meaning: said, and not applied.
fn least(filter: &QueueFilter, problems: &mut Vec<FieldProblem>) -> i64 {
    let text = filter.min.trim();
    if text.is_empty() {
        return i64::MIN;
    }
    let Ok(currency) = filter.currency.trim().parse::<Currency>() else {
        problems.push(FieldProblem::new(
            "min",
            "Choose a currency as well: amounts of several cannot be compared.",
        ));
        return i64::MIN;
    };
    match Money::parse_major(text, currency) {
        Ok(money) => money.minor,
        Err(error) => {
            problems.push(FieldProblem::new("min", error.to_string()));
            i64::MIN
        }
    }
}

pub(super) const fn held_by_somebody(wanted: &Wanted<'_>) -> bool {
    wanted.owner > 0 || wanted.owner == -2
}

pub(super) fn fits(row: &CaseRow, wanted: &Wanted<'_>) -> bool {
    (wanted.kind.is_empty() || row.kind == wanted.kind)
        && (wanted.account == 0 || row.account_id == wanted.account)
        && (wanted.currency.is_empty() || row.currency == wanted.currency)
        && row.at_risk >= wanted.least
        && match wanted.owner {
            0 => true,
            -1 => row.owner_id.is_none(),
            owner => row.owner_id == Some(owner),
        }
}

pub(super) fn in_view(row: &CaseRow, view: QueueView, wanted: &Wanted<'_>) -> bool {
    let (resolved, waiting) = (row.state == "RESOLVED", row.state == "WAITING");
    match view {
        // A search over all finds what is done as well: people look for what they remember.
        QueueView::All => true,
        QueueView::Mine => !resolved && row.owner_id == Some(wanted.person),
        QueueView::ToApprove => row.state == "AWAITING_APPROVAL",
        QueueView::Over48h => {
            !resolved && !waiting && row.opened_at < wanted.opened_before.micros()
        }
        QueueView::Waiting => waiting,
        QueueView::Resolved => resolved,
    }
}
