//! Who acts. Every use case takes an [`Actor`] and asks it before anything else.

use crate::coded_enum;
use std::collections::BTreeSet;

coded_enum! {
    /// What a person may do. Roles combine.
    pub enum Role as "role" {
        /// Reads.
        Viewer = "viewer",
        /// Uploads, and decides; above the threshold a second person agrees.
        Analyst = "analyst",
        /// An analyst who may also approve what others decided.
        Approver = "approver",
        /// Reads everything, exports, verifies.
        Auditor = "auditor",
        /// Users, providers, policy; decides nothing.
        Admin = "admin",
    }
}

coded_enum! {
    /// What an API token may do.
    pub enum Scope as "scope" {
        Payments = "payments", Ingest = "ingest", Read = "read",
        Compensations = "compensations", Decide = "decide",
    }
}

coded_enum! {
    /// One thing that needs permission.
    pub enum Permission as "permission" {
        /// See pages, exports of operational data.
        Read = "read",
        /// Upload settlement files and payments, accept rows, run matching.
        Ingest = "ingest",
        /// Decide cases.
        Decide = "decide",
        /// Approve another's decision.
        Approve = "approve",
        /// See the audit log, export audit bundles, verify.
        Audit = "audit",
        /// Change users, provider accounts, tokens and policy.
        Administer = "administer",
        /// Register intents and attempts over the API.
        RegisterPayments = "register_payments",
    }
}

/// Who acts, with the rights that were true when the request came in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Actor {
    /// A signed-in person.
    Person {
        /// Key in storage.
        user_id: i64,
        /// Their address, as shown in history.
        email: String,
        /// Their roles.
        roles: BTreeSet<Role>,
    },
    /// A program holding an API token, perhaps acting as a person.
    Token {
        /// Key in storage.
        token_id: i64,
        /// Its name.
        name: String,
        /// Its scopes.
        scopes: BTreeSet<Scope>,
        /// The person as whom it decides: key, address, roles.
        person: Option<(i64, String, BTreeSet<Role>)>,
    },
    /// The operator at the command line of the machine itself: may do what needs no second person.
    Operator,
    /// The server's own jobs.
    System,
}

/// A refusal: the actor lacks a right.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{actor} may not do this: it needs the right to {permission} ({who_may})")]
pub struct Forbidden {
    /// Who asked.
    pub actor: String,
    /// What was missing.
    pub permission: Permission,
    /// Which roles have it.
    pub who_may: String,
}

impl Role {
    /// Whether a role grants a permission.
    pub const fn grants(self, permission: Permission) -> bool {
        match self {
            Self::Viewer => matches!(permission, Permission::Read),
            Self::Analyst => matches!(
                permission,
                Permission::Read | Permission::Ingest | Permission::Decide
            ),
            Self::Approver => matches!(
                permission,
                Permission::Read | Permission::Ingest | Permission::Decide | Permission::Approve
            ),
            Self::Auditor => matches!(permission, Permission::Read | Permission::Audit),
            Self::Admin => matches!(permission, Permission::Read | Permission::Administer),
        }
    }
}

impl Scope {
    /// Whether a scope grants a permission.
    pub const fn grants(self, permission: Permission) -> bool {
        match self {
            Self::Payments => matches!(permission, Permission::RegisterPayments | Permission::Read),
            Self::Ingest => matches!(permission, Permission::Ingest | Permission::Read),
            Self::Read | Self::Compensations => matches!(permission, Permission::Read),
            Self::Decide => matches!(
                permission,
                Permission::Read | Permission::Decide | Permission::Approve
            ),
        }
    }
}

impl Actor {
    /// Refuses unless the actor has the permission.
    pub fn require(&self, permission: Permission) -> Result<(), Forbidden> {
        if self.may(permission) {
            return Ok(());
        }
        let who_may = Role::ALL
            .iter()
            .filter(|r| r.grants(permission))
            .map(|r| r.code());
        Err(Forbidden {
            actor: self.name(),
            permission,
            who_may: who_may.collect::<Vec<_>>().join(" or "),
        })
    }

    /// Whether the actor has the permission.
    pub fn may(&self, permission: Permission) -> bool {
        let by_roles = |roles: &BTreeSet<Role>| roles.iter().any(|r| r.grants(permission));
        match self {
            Self::Person { roles, .. } => by_roles(roles),
            // A token that decides acts as its person: both its scope and their role must allow it.
            Self::Token { scopes, person, .. } => {
                let scope = scopes.iter().any(|s| s.grants(permission));
                match permission {
                    // What an auditor may see is the person's right; a token only carries it.
                    Permission::Audit => {
                        scopes.contains(&Scope::Read)
                            && person.as_ref().is_some_and(|(_, _, roles)| by_roles(roles))
                    }
                    Permission::Decide | Permission::Approve => {
                        scope && person.as_ref().is_some_and(|(_, _, roles)| by_roles(roles))
                    }
                    _ => scope,
                }
            }
            // Decisions are a person's: no one at a shell decides without a name.
            Self::Operator => !matches!(permission, Permission::Decide | Permission::Approve),
            Self::System => matches!(permission, Permission::Read | Permission::Ingest),
        }
    }

    /// The person who acts, if one does: key and address.
    pub fn person(&self) -> Option<(i64, &str)> {
        match self {
            Self::Person { user_id, email, .. } => Some((*user_id, email)),
            Self::Token {
                person: Some((id, email, _)),
                ..
            } => Some((*id, email)),
            _ => None,
        }
    }

    /// How the actor is named in history and logs.
    pub fn name(&self) -> String {
        match self {
            Self::Person { email, .. } => email.clone(),
            Self::Token {
                name,
                person: Some((_, email, _)),
                ..
            } => format!("{email} (token {name})"),
            Self::Token { name, .. } => format!("token {name}"),
            Self::Operator => "operator".to_owned(),
            Self::System => "tieout".to_owned(),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_administrator_decides_nothing_and_an_operator_neither() {
        for actor in [
            Actor::Person {
                user_id: 1,
                email: "a@example.com".into(),
                roles: [Role::Admin].into(),
            },
            Actor::Operator,
            Actor::System,
        ] {
            assert!(actor.require(Permission::Decide).is_err());
            assert!(actor.require(Permission::Approve).is_err());
        }
    }

    #[test]
    fn a_token_without_a_person_never_decides() {
        let token = |person| Actor::Token {
            token_id: 1,
            name: "worker".into(),
            scopes: [Scope::Decide].into(),
            person,
        };
        assert!(token(None).require(Permission::Decide).is_err());
        let analyst = Some((2, "b@example.com".into(), BTreeSet::from([Role::Analyst])));
        assert!(token(analyst.clone()).require(Permission::Decide).is_ok());
        assert!(token(analyst).require(Permission::Approve).is_err());
    }
}
