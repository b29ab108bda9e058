//! `tieout demo`: a small shop's last days, with something of everything that does not tie.

mod shop;

use domain::{
    account::ProviderKind,
    actor::{Actor, Role},
    cases::{Action, ReasonCode},
    time::Zone,
    view::queue::{Queue, QueueFilter},
};
use engine::{
    Engine,
    decide::{DecisionRequest, claim_case, decide_case},
    import_payments::import_payments,
    ingest::{self, Ingest},
    providers::{self, NewProvider},
    sweep::sweep,
    users::{self, NewUser, User},
    views,
};
use serde_json::json;
use std::{collections::BTreeMap, io::Cursor};

use super::{
    Refused,
    output::Table,
    place::{Global, OPERATOR, Place},
};

/// Who works in the shop.
const PEOPLE: [(&str, Role); 4] = [
    ("ada@example.com", Role::Admin),
    ("ana@example.com", Role::Analyst),
    ("pat@example.com", Role::Approver),
    ("kim@example.com", Role::Auditor),
];

const ZONE: &str = "Europe/Berlin";

/// Runs it.
pub async fn run(global: &Global) -> Result<(), Refused> {
    let place = global.open().await?;
    refuse_a_database_in_use(&place.engine).await?;
    let password = hex::encode(crate::system::random_bytes::<8>());
    let mut people = BTreeMap::new();
    for (email, role) in PEOPLE {
        let new = NewUser {
            email: email.to_owned(),
            password: password.clone(),
            roles: [role].into(),
        };
        let user = users::add_user(&place.engine, &OPERATOR, new).await?;
        people.insert(role, user);
    }
    load(&place).await?;
    if let Some(analyst) = people.get(&Role::Analyst) {
        work(&place.engine, &acting(analyst)).await?;
    }
    let queue = queue(&place.engine).await?;
    let mut table = Table::new(&["address", "role", "password"]);
    for (email, role) in PEOPLE {
        table.row([email.to_owned(), role.to_string(), password.clone()]);
    }
    let addresses: Vec<_> = PEOPLE.iter().map(|(email, _)| email).collect();
    place.output.answer(
        &json!({ "people": addresses, "password": password, "open_cases": queue.total }),
        format!(
            "The demo shop is loaded: {} cases are open.\n\n{table}",
            queue.total
        ),
    )
}

async fn refuse_a_database_in_use(engine: &Engine) -> Result<(), Refused> {
    let used =
        users::anybody(engine).await? || !providers::list(engine, &OPERATOR).await?.is_empty();
    if used {
        return Err(Refused(
            "this database is in use; the demo is for an empty one: name another with --database"
                .to_owned(),
        ));
    }
    Ok(())
}

fn acting(user: &User) -> Actor {
    Actor::Person {
        user_id: user.id,
        email: user.email.clone(),
        roles: user.roles.clone(),
    }
}

/// Payments and files, as they would have come in.
async fn load(place: &Place) -> Result<(), Refused> {
    let engine = &place.engine;
    let zone: Zone = ZONE.parse().map_err(Refused::because)?;
    for (name, kind) in [
        (shop::CARDS, ProviderKind::Stripe),
        (shop::WALLET, ProviderKind::Generic),
    ] {
        let new = NewProvider {
            name: name.to_owned(),
            kind,
            zone,
            fields: Vec::new(),
        };
        providers::add_provider(engine, &OPERATOR, new).await?;
    }
    let shop = shop::Shop::until(engine.now().day_in(zone), zone);
    import_payments(engine, &OPERATOR, Cursor::new(shop.payments_csv())).await?;
    let work = Ingest::silent(engine.clone(), place.evidence.clone());
    for file in shop.settlement_files() {
        let stored = place
            .evidence
            .store(file.content.as_bytes())
            .await
            .map_err(Refused::because)?;
        let received =
            ingest::receive_file(engine, &OPERATOR, file.provider, &file.name, None, stored)
                .await?;
        ingest::work_account(&work, received.account_id).await?;
    }
    sweep(engine, engine.now()).await?;
    Ok(())
}

async fn queue(engine: &Engine) -> Result<Queue, Refused> {
    Ok(views::queue(engine, &OPERATOR, &QueueFilter::default()).await?)
}

/// What the analyst did this morning: one case taken, one put off, one sent to the approver.
async fn work(engine: &Engine, analyst: &Actor) -> Result<(), Refused> {
    let cases = queue(engine).await?.rows;
    let of = |kind: &str| cases.iter().find(|case| case.kind == kind);
    if let Some(case) = of("unexpected_settlement") {
        claim_case(engine, analyst, &case.id, case.version).await?;
    }
    if let Some(case) = of("chargeback") {
        let mut request = decision(engine, case.version, Action::Snooze);
        request.reason_code = ReasonCode::AwaitingProvider;
        request.params.until = Some(engine.now().plus_seconds(3 * 86_400));
        decide_case(engine, analyst, &case.id, &request).await?;
    }
    if let Some(case) = of("amount_mismatch") {
        let mut request = decision(engine, case.version, Action::WriteOff);
        request.reason_code = ReasonCode::SmallDifference;
        decide_case(engine, analyst, &case.id, &request).await?;
    }
    Ok(())
}

fn decision(engine: &Engine, expected_version: i64, action: Action) -> DecisionRequest {
    DecisionRequest {
        decision_id: engine.sources.ids.public_id(),
        expected_version,
        action,
        reason_code: ReasonCode::Other,
        comment: "Demo".to_owned(),
        params: domain::cases::DecisionParams::default(),
        evidence_hashes: Vec::new(),
    }
}
