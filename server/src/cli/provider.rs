//! `tieout provider`: where settlement files come from.

use clap::{Args, Subcommand};
use domain::{account::ProviderKind, time::Zone};
use engine::providers::{self, Added, NewProvider};
use serde_json::json;

use super::{
    Refused,
    output::Table,
    place::{Global, OPERATOR, Place},
};

/// Its subcommands.
#[derive(Debug, Subcommand)]
pub enum Provider {
    /// Add a provider account; the same call again does nothing
    Add(Add),
    /// List provider accounts with the policy fields that differ from the default
    List,
}

/// What is to be added.
#[derive(Debug, Args)]
pub struct Add {
    /// What people call it, such as stripe-eu
    name: String,

    /// Whose formats it speaks: stripe, adyen, paypal, braintree, checkout, razorpay, gocardless,
    /// mollie, square, klarna, shopify, amazon, worldpay, bank or generic
    #[arg(long, value_name = "KIND")]
    kind: ProviderKind,

    /// The zone in which its days are cut, such as Europe/Berlin
    #[arg(long, value_name = "TZ", default_value = "UTC")]
    timezone: Zone,

    /// A policy field, such as grace_hours=48; repeat it for more
    #[arg(long = "set", value_name = "FIELD=VALUE", value_parser = field_and_value, num_args = 1..)]
    set: Vec<(String, String)>,
}

fn field_and_value(text: &str) -> Result<(String, String), String> {
    let (field, value) = text
        .split_once('=')
        .ok_or("write it as FIELD=VALUE, such as grace_hours=48")?;
    Ok((field.trim().to_owned(), value.trim().to_owned()))
}

impl Provider {
    /// Runs it.
    pub async fn run(self, global: &Global) -> Result<(), Refused> {
        match self {
            Self::Add(add) => add.run(&global.open_existing().await?).await,
            Self::List => list(&global.open_existing().await?).await,
        }
    }
}

impl Add {
    async fn run(self, place: &Place) -> Result<(), Refused> {
        let name = self.name.clone();
        let new = NewProvider {
            name: self.name,
            kind: self.kind,
            zone: self.timezone,
            fields: self.set,
        };
        let added = providers::add_provider(&place.engine, &OPERATOR, new).await?;
        let text = match added {
            Added::New => format!("Added {name}."),
            Added::Known => format!("{name} was there already, with these fields."),
        };
        place
            .output
            .answer(&json!({ "name": name, "added": added == Added::New }), text)
    }
}

async fn list(place: &Place) -> Result<(), Refused> {
    let accounts = providers::list(&place.engine, &OPERATOR).await?;
    let usual = domain::account::Policy::default().fields();
    let mut table = Table::new(&[
        "name",
        "kind",
        "timezone",
        ">policy version",
        "differs from the default",
    ]);
    for account in &accounts {
        let differs: Vec<_> = account
            .policy
            .iter()
            .filter(|field| usual.get(field.field.as_str()) != Some(&field.value))
            .map(|field| format!("{}={}", field.field, field.value))
            .collect();
        table.row([
            account.name.clone(),
            account.kind.to_string(),
            account.zone.to_string(),
            account.policy_version.to_string(),
            differs.join(" "),
        ]);
    }
    place
        .output
        .answer(&json!({ "providers": accounts }), table)
}
