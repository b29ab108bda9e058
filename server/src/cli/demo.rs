//! `tieout demo`: a small lively data set to look at.

use serde_json::json;

use super::{Refused, output::Table, place::Global};

/// Loads it, and says who may sign in.
pub async fn run(global: &Global) -> Result<(), Refused> {
    let place = global.open().await?;
    let demo = engine::demo::load(&place.engine, &place.evidence).await?;
    let mut table = Table::new(&["address", "role", "password"]);
    for (email, role) in &demo.people {
        table.row([email.clone(), role.to_string(), demo.password.clone()]);
    }
    let addresses: Vec<_> = demo.people.iter().map(|(email, _)| email).collect();
    place.output.answer(
        &json!({
            "people": addresses,
            "password": demo.password,
            "intents": demo.intents,
            "files": demo.files,
            "decisions": demo.decisions,
        }),
        format!(
            "The demo is loaded: {} payments, {} settlement files, {} decisions.\n\n{table}\n\n\
             The password is drawn for this database and shown only now.",
            demo.intents, demo.files, demo.decisions,
        ),
    )
}
