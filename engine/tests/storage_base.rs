//! The base of storage behaves the same on both databases.

use engine::{
    Error, Store,
    ids::allocate,
    in_tx,
    storage::{ColumnType, Rows, StorageError},
    testing::both,
};

const SETTING: &[(&str, ColumnType)] = &[("name", ColumnType::Text), ("value", ColumnType::Text)];

#[test]
fn ids_are_consecutive_and_come_back_with_a_roll_back() {
    both(async |store| {
        let mut tx = store.begin().await.unwrap();
        assert_eq!(allocate(&mut tx, "line", 10).await.unwrap(), 1);
        tx.commit().await.unwrap();
        let mut tx = store.begin().await.unwrap();
        assert_eq!(allocate(&mut tx, "line", 5).await.unwrap(), 11);
        tx.rollback().await.unwrap();
        let mut tx = store.begin().await.unwrap();
        assert_eq!(allocate(&mut tx, "line", 1).await.unwrap(), 11);
        assert_eq!(allocate(&mut tx, "intent", 1).await.unwrap(), 1);
        drop(tx);
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
