//! What lists of decisions say of their cases: kind, headline, money.

use super::{line_names::LineNames, queue as rows};
use crate::{
    Error,
    storage::{queue, stored, tx::Connected},
};
use domain::view::Amount;
use std::collections::HashMap;

/// The head of a case.
pub struct CaseHead {
    pub public_id: String,
    pub kind: String,
    pub title: String,
    pub amount: Option<Amount>,
}

/// The heads of cases by key.
pub async fn case_heads(
    mut tx: impl Connected,
    cases: impl Iterator<Item = i64>,
) -> Result<HashMap<i64, CaseHead>, Error> {
    let mut heads = HashMap::new();
    for case in queue::by_ids(&mut tx, cases).await? {
        let facts = stored::json("case_now", "facts", case.case_id, &case.facts)?;
        let head = CaseHead {
            title: rows::summary(&case.subject, &facts),
            amount: rows::at_risk(&case)?,
            public_id: case.public_id,
            kind: case.kind,
        };
        heads.insert(case.case_id, head);
    }
    let titles = heads.values().map(|h| h.title.as_str()).collect();
    let names = LineNames::read(&mut tx, titles).await?;
    for head in heads.values_mut() {
        names.put(&mut head.title);
    }
    Ok(heads)
}
