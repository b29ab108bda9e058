//! Provider accounts with their policy, users with their roles, API tokens.

use super::{FieldProblem, form::Choice};
use crate::{
    account::ProviderKind,
    actor::{Role, Scope},
    coded_enum,
    time::{Instant, Zone},
};
use serde::{Deserialize, Serialize};
use std::collections::BTreeSet;

coded_enum! {
    /// A tab of the settings page.
    pub enum SettingsTab as "settings tab" {
        Providers = "providers",
        Users = "users",
        Tokens = "tokens",
        Password = "password",
    }
}

/// The settings page: the lists of the tab that is shown are filled.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct SettingsPage {
    /// Which tab.
    pub tab: SettingsTab,
    /// Provider accounts.
    pub providers: Vec<ProviderSettings>,
    /// Users.
    pub users: Vec<UserRow>,
    /// API tokens.
    pub tokens: Vec<TokenRow>,
    /// A token just made: shown once.
    pub new_token: Option<NewToken>,
    /// What was typed, by form field, after a refusal.
    pub typed: Vec<(String, String)>,
    /// The provider account whose policy was typed, or empty.
    pub typed_for: String,
    /// What was wrong with it.
    pub problems: Vec<FieldProblem>,
    /// The fewest characters a password has.
    pub password_min: u32,
}

/// One provider account.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ProviderSettings {
    /// Its name.
    pub name: String,
    /// Whose formats it speaks.
    pub kind: ProviderKind,
    /// In which its days are cut.
    pub zone: Zone,
    /// Its policy, as text fields.
    pub policy: Vec<PolicyField>,
    /// The policy's version.
    pub policy_version: i64,
    /// Who changed it last.
    pub changed_by: String,
    /// When.
    pub changed_at: Instant,
}

/// One field of a policy.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct PolicyField {
    /// Its name, as on the command line.
    pub field: String,
    /// Its value.
    pub value: String,
    /// The values that it takes, where they are few.
    pub choices: Vec<Choice>,
}

/// One user.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct UserRow {
    /// Key in storage.
    pub user_id: i64,
    /// Their address.
    pub email: String,
    /// Their roles.
    pub roles: BTreeSet<Role>,
    /// Whether they are shut out.
    pub disabled: bool,
    /// When they were added.
    pub created_at: Instant,
    /// Who added them.
    pub created_by: String,
    /// Who last changed their roles or state.
    pub changed_by: String,
    /// Whether it is the person who looks.
    pub me: bool,
}

/// One API token.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct TokenRow {
    /// Key in storage.
    pub token_id: i64,
    /// Its name.
    pub name: String,
    /// What it may do.
    pub scopes: BTreeSet<Scope>,
    /// As whom it acts, or empty.
    pub user: String,
    /// When it was made.
    pub created_at: Instant,
    /// When it was revoked.
    pub revoked_at: Option<Instant>,
}

/// A token just made.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewToken {
    /// Its name.
    pub name: String,
    /// The token itself.
    pub token: String,
}
