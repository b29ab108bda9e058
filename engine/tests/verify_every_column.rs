//! Every table of the schema is sealed, compared with what is sealed, or said not to be covered; and
//! of the covered ones a change to any column is found. A new table or column cannot be forgotten.

#![allow(clippy::unwrap_used, clippy::panic, clippy::indexing_slicing)]

#[path = "every_column/kept.rs"]
mod kept;
#[path = "support/shop.rs"]
mod shop;
#[path = "every_column/tampered.rs"]
mod tampered;
#[path = "every_column/world.rs"]
mod world;

use domain::actor::{Actor, Role};
use engine::{Engine, testing::both, verify::verify_database};
use kept::{Kept, RENAMED, TABLES};
use std::collections::BTreeMap;
use tampered::Owner;

async fn wrong(engine: &Engine) -> Vec<String> {
    let auditor = Actor::Person {
        user_id: 1,
        email: "auditor@example.com".to_owned(),
        roles: [Role::Auditor].into(),
    };
    match verify_database(engine, &auditor, None).await {
        Ok(found) => found
            .checks
            .into_iter()
            .filter(|c| !c.holds)
            .map(|c| format!("{}: {}", c.what, c.detail))
            .collect(),
        Err(error) => panic!("verify stopped: {error}"),
    }
}

#[test]
fn every_table_and_every_exception_is_declared_and_documented() {
    let page = include_str!("../../docs/verifier/README.md");
    both(async |store| {
        let columns = Owner::of(&store).await.columns().await;
        let declared: BTreeMap<&str, &kept::Table> = TABLES.iter().map(|t| (t.name, t)).collect();
        for table in columns.keys() {
            assert!(
                declared.contains_key(table.as_str()),
                "{table} is new: declare in tests/every_column/kept.rs how verify keeps it honest"
            );
        }
        for table in TABLES {
            let known = columns
                .get(table.name)
                .unwrap_or_else(|| panic!("there is no table {}", table.name));
            let mut exceptions = Vec::new();
            if table.kept == Kept::Apart {
                exceptions.push(format!("`{}`", table.name));
            }
            for column in table.apart {
                assert!(known.iter().any(|c| c.name == *column), "{column}");
                exceptions.push(format!("`{}.{column}`", table.name));
            }
            for exception in exceptions {
                assert!(
                    page.contains(&exception),
                    "docs/verifier does not say why {exception} is not covered"
                );
            }
        }
    });
}

#[test]
fn a_change_to_any_column_is_found_and_the_record_named() {
    both(async |store| {
        let shop = world::build(store).await;
        assert_eq!(wrong(&shop.engine).await, Vec::<String>::new());
        let mut owner = Owner::of(&shop.engine.store).await;
        let columns = owner.columns().await;
        let mut missed = Vec::new();
        for table in TABLES.iter().filter(|t| t.kept != Kept::Apart) {
            owner.unguard(table.name).await;
            for column in &columns[table.name] {
                if table.apart.contains(&column.name.as_str()) {
                    continue;
                }
                let Some(change) = owner.change(table, column).await else {
                    missed.push(format!("{}.{}: no row to change", table.name, column.name));
                    continue;
                };
                let wrong = wrong(&shop.engine).await;
                owner.restore(&change).await;
                if wrong.is_empty() {
                    missed.push(format!("{}.{}: {change:?}", table.name, column.name));
                    continue;
                }
                let instead = RENAMED
                    .iter()
                    .find(|(t, c, _)| (*t, *c) == (table.name, column.name.as_str()));
                let name = instead.map_or(change.name.as_str(), |(_, _, name)| *name);
                if !column.key && !wrong.iter().any(|w| w.contains(name)) {
                    missed.push(format!(
                        "{}.{}: {name:?} is not named in {wrong:#?}",
                        table.name, column.name
                    ));
                }
            }
        }
        assert_eq!(wrong(&shop.engine).await, Vec::<String>::new());
        assert!(missed.is_empty(), "{}", missed.join("\n"));
    });
}

#[test]
fn a_row_more_or_less_in_any_table_is_found() {
    both(async |store| {
        let shop = world::build(store).await;
        let mut owner = Owner::of(&shop.engine.store).await;
        let mut missed = Vec::new();
        for table in TABLES.iter().filter(|t| t.kept != Kept::Apart) {
            owner.unguard(table.name).await;
            if owner.remove(table).await {
                if wrong(&shop.engine).await.is_empty() {
                    missed.push(format!("{}: a row less", table.name));
                }
                owner.put_back(table).await;
            }
            if let Some(added) = owner.add(table).await {
                if wrong(&shop.engine).await.is_empty() {
                    missed.push(format!("{}: a row more", table.name));
                }
                owner.take_back(&added).await;
            }
        }
        assert_eq!(wrong(&shop.engine).await, Vec::<String>::new());
        assert!(missed.is_empty(), "{}", missed.join("\n"));
    });
}
