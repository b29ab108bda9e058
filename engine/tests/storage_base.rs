//! The base of storage behaves the same on both databases.

#![allow(clippy::unwrap_used, clippy::indexing_slicing, clippy::panic)] // as in any test

use engine::{
    Error, Store,
    ids::allocate,
    in_tx,
    storage::{
        Backend, ColumnType, Rows, RowsSql, StorageError,
        tx::{Conn, Connected},
    },
    testing::{both, both_addresses},
};

const SETTING: &[(&str, ColumnType)] = &[("name", ColumnType::Text), ("value", ColumnType::Text)];

#[test]
fn ids_are_consecutive_and_those_that_are_counted_come_back_with_a_roll_back() {
    both(async |store| {
        // Drawn apart on PostgreSQL: what was given up leaves a gap.
        let gap = i64::from(store.backend() == Backend::Postgres) * 5;
        for (table, next) in [("line", 11 + gap), ("ledger_entry", 11)] {
            let mut tx = store.begin().await.unwrap();
            assert_eq!(allocate(&mut tx, table, 10).await.unwrap(), 1);
            tx.commit().await.unwrap();
            let mut tx = store.begin().await.unwrap();
            assert_eq!(allocate(&mut tx, table, 5).await.unwrap(), 11);
            tx.rollback().await.unwrap();
            let mut tx = store.begin().await.unwrap();
            assert_eq!(allocate(&mut tx, table, 0).await.unwrap(), 0);
            assert_eq!(allocate(&mut tx, table, 1).await.unwrap(), next);
            assert_eq!(allocate(&mut tx, "intent", 1).await.unwrap(), 1);
        }
    });
}

/// Whatever a unit of work took before, and in whatever order: two of them at once never wait for each
/// other, and what they got is never the same.
#[test]
fn two_units_of_work_that_need_ids_of_the_same_tables_never_wait_for_each_other() {
    async fn both_of(store: &Store, tables: [&'static str; 2]) -> Result<[i64; 2], Error> {
        let mut tx = store.begin().await?;
        let first = allocate(&mut tx, tables[0], 1).await?;
        tokio::task::yield_now().await;
        let second = allocate(&mut tx, tables[1], 1).await?;
        tx.commit().await?;
        Ok([first, second])
    }
    both(async |store| {
        let together = [
            "attempt",
            "evidence",
            "rematch",
            "decision",
            "line",
            "settlement_batch",
            "ledger_entry",
            "review_case",
            "audit_record",
            "leaf_batch",
        ];
        for (n, one) in together.into_iter().enumerate() {
            for other in together.into_iter().skip(n + 1) {
                let (first, second) =
                    tokio::join!(both_of(&store, [one, other]), both_of(&store, [other, one]));
                let (first, second) = (first.unwrap(), second.unwrap());
                assert!(
                    first[0] != second[1] && first[1] != second[0],
                    "{one}, {other}: {first:?} {second:?}"
                );
            }
        }
    });
}

/// Two rows of three stand when the third is refused: whoever commits all the same keeps none of them.
#[test]
fn a_unit_of_work_in_which_a_bulk_insert_failed_leaves_nothing() {
    both(async |store| {
        let mut rows = Rows::new("setting", SETTING);
        for name in ["one", "two", "one"] {
            rows.add().text(name).text("");
        }
        let mut tx = store.begin().await.unwrap();
        let refused = rows.insert_into(&mut tx, "setting").await.unwrap_err();
        assert!(
            matches!(refused, StorageError::Duplicate { .. }),
            "{refused:?}"
        );
        let committed = tx.commit().await;
        if store.backend() == Backend::Sqlite {
            assert!(
                matches!(committed, Err(StorageError::Spoilt)),
                "{committed:?}"
            );
        }
        let mut rows = Rows::new("setting", SETTING);
        for name in ["one", "two"] {
            rows.add().text(name).text("");
        }
        let mut tx = store.begin().await.unwrap();
        rows.insert_into(&mut tx, "setting").await.unwrap();
        tx.commit().await.unwrap();
    });
}

#[test]
fn a_second_row_with_the_same_key_is_a_duplicate() {
    both(async |store| {
        let mut rows = Rows::new("setting", SETTING);
        rows.add()
            .text("colour")
            .text("a \"quoted\" \\ back\nline \u{1f600} '");
        let mut tx = store.begin().await.unwrap();
        rows.insert_into(&mut tx, "setting").await.unwrap();
        tx.commit().await.unwrap();
        let mut tx = store.begin().await.unwrap();
        let refused = rows.insert_into(&mut tx, "setting").await.unwrap_err();
        assert!(
            matches!(refused, StorageError::Duplicate { .. }),
            "{refused:?}"
        );
    });
}

#[test]
fn rows_that_do_not_fit_their_columns_are_refused_before_they_are_sent() {
    both(async |store| {
        let mut tx = store.begin().await.unwrap();
        let mut short = Rows::new("setting", SETTING);
        short.add().text("colour");
        let refused = short.insert_into(&mut tx, "setting").await.unwrap_err();
        assert!(
            matches!(refused, StorageError::Misuse { .. }),
            "{refused:?}"
        );
        let mut wrong = Rows::new("setting", SETTING);
        wrong.add().text("colour").int(3);
        let refused = wrong.insert_into(&mut tx, "setting").await.unwrap_err();
        assert!(
            matches!(refused, StorageError::Misuse { .. }),
            "{refused:?}"
        );
        let mut zero = Rows::new("setting", SETTING);
        zero.add().text("colour").text("a\0b");
        let refused = zero.insert_into(&mut tx, "setting").await.unwrap_err();
        assert!(
            matches!(refused, StorageError::ZeroCharacter { .. }),
            "{refused:?}"
        );
    });
}

/// Work in `in_tx!` must be able to run on any thread of a server.
#[test]
fn written_work_may_move_between_threads() {
    async fn take(store: &Store, table: &'static str) -> Result<i64, Error> {
        in_tx!(store, |tx| Ok(allocate(tx, table, 2).await?))
    }
    both(async |store| {
        let task = tokio::spawn({
            let store = store.clone();
            async move { take(&store, "line").await }
        });
        assert_eq!(task.await.unwrap().unwrap(), 1);
    });
}

/// Texts and numbers of every length that the encodings treat differently come back as they were.
#[test]
fn rows_come_back_as_they_were_put_in() {
    both(async |store| {
        let mut tx = store.begin().await.unwrap();
        let lengths = [0, 1, 11, 12, 255, 256, 65_535, 65_536, 70_000];
        let mut given = Vec::new();
        let mut rows = Rows::new("setting", SETTING);
        for (n, length) in lengths.into_iter().enumerate() {
            let text = "\u{e9}\"'\\\n\t{[,"
                .chars()
                .cycle()
                .take(length)
                .collect::<String>();
            rows.add().text(&format!("n{n}")).text(&text);
            given.push((format!("n{n}"), text));
        }
        rows.insert_into(&mut tx, "setting").await.unwrap();

        let mut echo = Rows::of(&ECHO);
        for (n, (name, text)) in (0_i64..).zip(&given) {
            echo.add()
                .text(name)
                .text(text)
                .int(i64::MIN + n)
                .blob(text.as_bytes())
                .opt_int(None)
                .opt_text(None)
                .opt_blob(None);
        }
        let found: Vec<Echo> = echo.all(&mut tx, &ECHO).await.unwrap();
        assert_eq!(found.len(), given.len());
        for (n, (row, (name, text))) in (0_i64..).zip(found.iter().zip(&given)) {
            assert_eq!(
                (&row.name, &row.value, &row.kept),
                (name, text, text),
                "{name}"
            );
            assert_eq!(
                (row.number, row.bytes.as_slice()),
                (i64::MIN + n, text.as_bytes()),
                "{name}"
            );
            assert_eq!(
                (row.no_number, &row.no_text, &row.no_bytes),
                (None, &None, &None),
                "{name}"
            );
        }
    });
}

#[derive(sqlx::FromRow)]
struct Echo {
    name: String,
    value: String,
    number: i64,
    bytes: Vec<u8>,
    no_number: Option<i64>,
    no_text: Option<String>,
    no_bytes: Option<Vec<u8>>,
    kept: String,
}

const ECHO: RowsSql = RowsSql {
    name: "echo",
    sqlite: ECHO_TEXT,
    postgres: ECHO_TEXT,
    columns: &[
        ("name", ColumnType::Text),
        ("value", ColumnType::Text),
        ("number", ColumnType::Int),
        ("bytes", ColumnType::Blob),
        ("no_number", ColumnType::Int),
        ("no_text", ColumnType::Text),
        ("no_bytes", ColumnType::Blob),
    ],
    may_scan: "",
};
const ECHO_TEXT: &str = "SELECT rows.name, rows.value, rows.number, rows.bytes, rows.no_number, rows.no_text, rows.no_bytes, s.value AS kept FROM rows CROSS JOIN setting s WHERE s.name = rows.name ORDER BY rows.number";

#[test]
fn work_that_met_others_begins_again_from_the_start() {
    both(async |store| {
        let mut tries = 0;
        let taken = in_tx!(store, |tx| {
            tries += 1;
            let id = allocate(&mut *tx, "intent", 1).await?;
            if tries < 3 {
                return Err(Error::Storage(StorageError::Busy {
                    detail: "others".into(),
                }));
            }
            Ok(id)
        });
        // What the first two tries took was rolled back.
        assert_eq!((taken.unwrap(), tries), (1, 3));
        let refused = in_tx!(store, |tx| {
            tries += 1;
            allocate(&mut *tx, "intent", 1).await?;
            Err::<(), _>(Error::Conflict("no".into()))
        });
        assert!(matches!(refused, Err(Error::Conflict(_))));
        assert_eq!(tries, 4, "a refusal is not tried again");
        let mut tx = store.begin().await.unwrap();
        assert_eq!(allocate(&mut tx, "intent", 1).await.unwrap(), 2);
    });
}

/// Two units of work that need each other's rows: the database breaks the tie, and both are done.
#[test]
fn two_who_wait_for_each_other_are_both_served() {
    async fn take(store: &Store, tables: [&'static str; 2]) -> Result<(), Error> {
        in_tx!(store, |tx| {
            for table in tables {
                allocate(&mut *tx, table, 1).await?;
                tokio::task::yield_now().await;
            }
            Ok(())
        })
    }
    both(async |store| {
        for _ in 0..20 {
            let (one, two) = tokio::join!(
                take(&store, ["settlement_file", "intent"]),
                take(&store, ["intent", "settlement_file"])
            );
            one.unwrap();
            two.unwrap();
        }
        let mut tx = store.begin().await.unwrap();
        assert_eq!(allocate(&mut tx, "settlement_file", 1).await.unwrap(), 41);
        assert_eq!(allocate(&mut tx, "intent", 1).await.unwrap(), 41);
    });
}

#[test]
fn a_read_sees_one_state_to_its_end() {
    both(async |store| {
        let next = async |reader: &mut engine::storage::Reader| {
            engine::storage::settings::get(reader, "colour")
                .await
                .unwrap()
        };
        let mut reader = store.read().await.unwrap();
        assert_eq!(next(&mut reader).await, None);
        in_tx!(store, |tx| Ok(engine::storage::settings::put(
            tx, "colour", "red"
        )
        .await?))
        .unwrap();
        assert_eq!(next(&mut reader).await, None);
        drop(reader);
        let mut reader = store.read().await.unwrap();
        assert_eq!(next(&mut reader).await.as_deref(), Some("red"));
    });
}

/// Tables of another program, some of which bear a name of ours.
#[test]
fn a_database_of_somebody_else_is_refused_before_anything_in_it_is_changed() {
    both_addresses(async |url| {
        let store = Store::open(&url).await.unwrap();
        let mut tx = store.begin().await.unwrap();
        let leaves_a_foreign_one = "DROP TABLE _sqlx_migrations";
        match tx.conn() {
            Conn::Sqlite(c) => drop(sqlx::query(leaves_a_foreign_one).execute(c).await.unwrap()),
            Conn::Postgres(c) => drop(sqlx::query(leaves_a_foreign_one).execute(c).await.unwrap()),
        }
        tx.commit().await.unwrap();
        store.close().await;
        let refused = Store::open(&url).await.unwrap_err().to_string();
        assert!(refused.contains("is not Tieout's"), "{refused}");
    });
}
