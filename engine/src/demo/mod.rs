//! A small lively data set: three provider accounts, three weeks of payments and settlement files,
//! something of every kind of case, and what people decided about it.
//!
//! Nothing is written past the use cases: payments and files are generated as text and imported
//! day by day with the clock of that day, so that ages, history and seal are what they would have
//! been. What happens is the same on every run; only when depends on now.
//!
//! | File | Answers |
//! |---|---|
//! | [`dice`] | numbers that look drawn |
//! | [`world`] | sales and rows |
//! | [`trade`] | ordinary days |
//! | [`story`] | what goes wrong, and what people do about it |
//! | [`files`] | the providers' files |
//! | [`play`] | the days, one after another |

mod dice;
mod files;
mod play;
mod story;
mod trade;
mod world;

use crate::{
    Engine, Error, EvidenceStore,
    providers::{NewProvider, add_provider},
    storage::demo,
    users::{NewUser, add_user},
};
use domain::{
    account::ProviderKind,
    actor::{Actor, Role},
    time::TimeError,
};
use world::Account;

/// Who is in the demo, and with which role.
pub const PEOPLE: [(&str, Role); 4] = [
    ("ana@demo.example", Role::Analyst),
    ("ben@demo.example", Role::Approver),
    ("admin@demo.example", Role::Admin),
    ("kim@demo.example", Role::Auditor),
];

/// What was loaded.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize)]
pub struct Demo {
    /// The demo's people, each with their role.
    pub people: Vec<(String, Role)>,
    /// The password of all of them, drawn for this database.
    pub password: String,
    /// Payments and refunds registered.
    pub intents: u64,
    /// Settlement files received.
    pub files: u64,
    /// Decisions taken.
    pub decisions: u64,
}

/// Loads the demo data into an empty database; refuses one in which anything is.
pub async fn load(engine: &Engine, evidence: &EvidenceStore) -> Result<Demo, Error> {
    if demo::in_use(engine.store.read().await?).await? {
        return Err(Error::Conflict(
            "this database is in use: demo data goes only into an empty one; name another with \
             --database and --data-dir"
                .to_owned(),
        ));
    }
    let mut world = world::World::new(engine.now());
    let turns = story::happen(&mut world);
    trade::three_weeks(&mut world);
    let stage = play::Stage::open(engine, evidence, &world);
    let password = password(engine)?;
    let mut people = Vec::new();
    for (email, role) in PEOPLE {
        let new = NewUser {
            email: email.to_owned(),
            password: password.clone(),
            roles: [role].into(),
        };
        let user = add_user(&stage.engine, &Actor::Operator, new).await?;
        people.push(Actor::Person {
            user_id: user.id,
            email: user.email,
            roles: user.roles,
        });
    }
    for account in [Account::Stripe, Account::Adyen, Account::Shop] {
        add_account(&stage.engine, account).await?;
    }
    let played = stage.play(&world, &turns, &people).await?;
    Ok(Demo {
        people: PEOPLE
            .map(|(email, role)| (email.to_owned(), role))
            .to_vec(),
        password,
        ..played
    })
}

async fn add_account(engine: &Engine, account: Account) -> Result<(), Error> {
    let (kind, zone, fields): (_, _, &[(&str, &str)]) = match account {
        Account::Stripe => (ProviderKind::Stripe, "Europe/Berlin", &[]),
        Account::Adyen => (ProviderKind::Adyen, "Europe/Amsterdam", &[]),
        Account::Shop => (ProviderKind::Generic, "UTC", &[("coverage", "none")]),
    };
    let new = NewProvider {
        name: account.name().to_owned(),
        kind,
        zone: zone
            .parse()
            .map_err(|e: TimeError| Error::Internal(e.to_string()))?,
        fields: fields
            .iter()
            .map(|(field, value)| ((*field).to_owned(), (*value).to_owned()))
            .collect(),
    };
    add_provider(engine, &Actor::Operator, new).await.map(drop)
}

/// Drawn, not fixed: a demo left open to a network is nobody's to walk into.
fn password(engine: &Engine) -> Result<String, Error> {
    let secret = engine.sources.ids.secret()?;
    let drawn = hex::encode(secret.get(..8).unwrap_or(&secret));
    Ok(format!("demo-{drawn}"))
}
