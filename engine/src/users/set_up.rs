//! The first run. A link that works once, for a day, leads to a page that creates the
//! administrator and, on the same page, the first analyst, approver and auditor: an administrator decides
//! nothing, two people must be there before money moves by hand, and only an auditor sees the audit log.

use super::{User, add_user::insert, email, password};
use crate::{
    Engine, Error, in_tx,
    seal::Leaves,
    sessions::hash_of,
    storage::{settings, stored, tx::Connected, users},
};
use domain::{
    actor::{Actor, Role},
    time::Instant,
};
use std::collections::BTreeSet;

const SETTING: &str = "set_up_link";
const LIFE_SECONDS: i64 = 24 * 60 * 60;

/// A person to create: address and first password.
#[derive(Debug, Clone)]
pub struct NewPerson {
    /// Their address.
    pub email: String,
    /// Their first password.
    pub password: String,
}

/// Who is created on the first run.
#[derive(Debug, Clone)]
pub struct SetUpPeople {
    /// The administrator.
    pub admin: NewPerson,
    /// The first analyst.
    pub analyst: Option<NewPerson>,
    /// The first approver.
    pub approver: Option<NewPerson>,
    /// The first auditor.
    pub auditor: Option<NewPerson>,
}

#[derive(serde::Serialize, serde::Deserialize)]
struct Link {
    token_sha256: String,
    expires_at: Instant,
}

/// Makes the token of the one-time link and forgets the one before; none once there is a user.
pub async fn make_set_up_link(engine: &Engine) -> Result<Option<String>, Error> {
    let token = hex::encode(engine.sources.ids.secret()?);
    let link = Link {
        token_sha256: hex::encode(hash_of(&token)),
        expires_at: engine.now().plus_seconds(LIFE_SECONDS),
    };
    let link = stored::to_json(&link)?;
    in_tx!(engine.store, |tx| {
        users::alone(&mut *tx).await?;
        if users::anybody(&mut *tx).await? {
            return Ok(None);
        }
        settings::put(&mut *tx, SETTING, &link).await?;
        Ok(Some(token.clone()))
    })
}

/// Whether the link with this token still works.
pub async fn set_up_link_holds(engine: &Engine, token: &str) -> Result<bool, Error> {
    holds(&mut engine.store.read().await?, token, engine.now()).await
}

/// Creates the first users and returns the administrator; the link does not work again.
pub async fn set_up(engine: &Engine, token: &str, people: SetUpPeople) -> Result<User, Error> {
    let now = engine.now();
    if !set_up_link_holds(engine, token).await? {
        return Err(dead_link());
    }
    let admin = Checked::of(&people.admin, Role::Admin, "admin_email", "admin_password").await?;
    let mut others = Vec::new();
    for (person, role, email_field, password_field) in [
        (
            &people.analyst,
            Role::Analyst,
            "analyst_email",
            "analyst_password",
        ),
        (
            &people.approver,
            Role::Approver,
            "approver_email",
            "approver_password",
        ),
        (
            &people.auditor,
            Role::Auditor,
            "auditor_email",
            "auditor_password",
        ),
    ] {
        if let Some(person) = person {
            others.push(Checked::of(person, role, email_field, password_field).await?);
        }
    }
    in_tx!(engine.store, |tx| {
        // Asked again inside, alone: of two who use the link at once, one wins.
        users::alone(&mut *tx).await?;
        if users::anybody(&mut *tx).await? || !holds(&mut *tx, token, now).await? {
            return Err(dead_link());
        }
        settings::remove(&mut *tx, SETTING).await?;
        let mut leaves = Leaves::begin(tx, &engine.sources).await?;
        let first = insert(
            tx,
            &mut leaves,
            &Actor::Operator,
            now,
            &admin.email,
            &admin.hash,
            &admin.roles,
        )
        .await?;
        let by = Actor::Person {
            user_id: first.id,
            email: first.email.clone(),
            roles: first.roles.clone(),
        };
        for other in &others {
            insert(
                tx,
                &mut leaves,
                &by,
                now,
                &other.email,
                &other.hash,
                &other.roles,
            )
            .await?;
        }
        leaves.write(tx).await?;
        Ok(first)
    })
}

struct Checked {
    email: String,
    hash: String,
    roles: BTreeSet<Role>,
}

impl Checked {
    async fn of(
        person: &NewPerson,
        role: Role,
        email_field: &'static str,
        password_field: &'static str,
    ) -> Result<Self, Error> {
        let email = email::read(&person.email).map_err(|_| {
            Error::invalid(email_field, "must be an address such as name@example.com")
        })?;
        password::check(password_field, &person.password)?;
        Ok(Self {
            email,
            hash: password::hash(&person.password).await?,
            roles: BTreeSet::from([role]),
        })
    }
}

async fn holds(mut tx: impl Connected, token: &str, now: Instant) -> Result<bool, Error> {
    let Some(text) = settings::get(&mut tx, SETTING).await? else {
        return Ok(false);
    };
    let link: Link = stored::json("setting", "value", SETTING, &text)?;
    // Hashes are compared, so the time of the comparison tells nothing of the token.
    Ok(link.token_sha256 == hex::encode(hash_of(token)) && now < link.expires_at)
}

fn dead_link() -> Error {
    Error::Conflict(
        "this set-up link was used or is too old; the server prints a new one when it starts with no user yet"
            .to_owned(),
    )
}
