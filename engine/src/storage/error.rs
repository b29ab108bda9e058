//! What the database refused or could not do, in our words: no driver type leaves this folder.

/// A failure of storage.
#[derive(Debug, thiserror::Error)]
pub enum StorageError {
    /// A row with the same key exists.
    #[error("a row with the same key exists ({constraint})")]
    Duplicate {
        /// Which uniqueness rule, as far as the database names it.
        constraint: String,
    },
    /// A rule of the schema refused the row: a check, a reference, a missing value.
    #[error("the database refused the row ({constraint})")]
    Constraint {
        /// Which rule, as far as the database names it.
        constraint: String,
    },
    /// A history was to be changed.
    #[error("{table} is a history: rows are only added to it")]
    AppendOnly {
        /// The history.
        table: String,
    },
    /// A ledger entry does not sum to zero in each currency.
    #[error("a ledger entry must sum to zero in every currency")]
    Unbalanced,
    /// A posting came after its entry.
    #[error("a ledger entry takes no further postings")]
    EntryClosed,
    /// A statement failed half-way and the unit of work was to be committed all the same.
    #[error("a statement failed before: nothing of this unit of work was written")]
    Spoilt,
    /// Others were in the way; the same work may succeed when begun again.
    #[error("the database was busy: {detail}")]
    Busy {
        /// What the database said.
        detail: String,
    },
    /// Stored data is impossible.
    #[error("{table}.{column} of row {row} is impossible: {problem}")]
    Corrupt {
        /// The table.
        table: &'static str,
        /// The column.
        column: &'static str,
        /// The row's key.
        row: String,
        /// What is wrong with it.
        problem: String,
    },
    /// A write touched another number of rows than it must.
    #[error("{statement} changed {found} rows instead of {expected}")]
    RowCount {
        /// The statement's name.
        statement: &'static str,
        /// How many it must change.
        expected: u64,
        /// How many it changed.
        found: u64,
    },
    /// A text holds U+0000, which PostgreSQL cannot keep.
    #[error("{place} holds a text with a zero character")]
    ZeroCharacter {
        /// The statement and its column, as far as they are known.
        place: String,
    },
    /// The caller built rows that do not fit their columns.
    #[error("{statement}: {problem}")]
    Misuse {
        /// The statement's name.
        statement: &'static str,
        /// What does not fit.
        problem: String,
    },
    /// The address of the database or its state does not allow to open it.
    #[error("cannot open the database: {0}")]
    Open(String),
    /// Anything else that the driver reports.
    #[error("the database failed: {0}")]
    Other(#[source] Box<dyn std::error::Error + Send + Sync>),
}

impl From<sqlx::Error> for StorageError {
    fn from(error: sqlx::Error) -> Self {
        match &error {
            sqlx::Error::Database(db) => {
                from_database(db.as_ref()).unwrap_or_else(|| Self::Other(Box::new(error)))
            }
            sqlx::Error::PoolTimedOut => Self::Busy {
                detail: "no connection became free in time".to_owned(),
            },
            _ => Self::Other(Box::new(error)),
        }
    }
}

impl From<sqlx::migrate::MigrateError> for StorageError {
    fn from(error: sqlx::migrate::MigrateError) -> Self {
        match error {
            sqlx::migrate::MigrateError::Execute(inner) => inner.into(),
            other => Self::Open(other.to_string()),
        }
    }
}

/// Our triggers speak through SQLSTATE `TO00n` on PostgreSQL, through their message on SQLite.
fn from_database(db: &dyn sqlx::error::DatabaseError) -> Option<StorageError> {
    let code = db.code().unwrap_or_default().into_owned();
    let message = db.message();
    let trigger = |text: &str| {
        message
            .strip_prefix(text)
            .map(|rest| rest.trim().to_owned())
    };
    if let Some(table) = trigger("append_only:") {
        return Some(StorageError::AppendOnly { table });
    }
    if trigger("unbalanced_entry").is_some() {
        return Some(StorageError::Unbalanced);
    }
    if trigger("entry_is_closed").is_some() {
        return Some(StorageError::EntryClosed);
    }
    let constraint = || {
        db.constraint()
            .map_or_else(|| message.to_owned(), str::to_owned)
    };
    if db.is_unique_violation() {
        return Some(StorageError::Duplicate {
            constraint: constraint(),
        });
    }
    if db.is_check_violation()
        || db.is_foreign_key_violation()
        || matches!(code.as_str(), "23502" | "1299")
    {
        return Some(StorageError::Constraint {
            constraint: constraint(),
        });
    }
    // Character not in repertoire: what was looked for rather than written, since rows are checked before.
    if code == "22021" {
        return Some(StorageError::ZeroCharacter {
            place: "what was looked for".to_owned(),
        });
    }
    // 40001 serialisation failure, 40P01 deadlock, 55P03 lock not available; SQLite 5 busy, 6
    // locked, 517 busy snapshot.
    let busy = matches!(
        code.as_str(),
        "40001" | "40P01" | "55P03" | "5" | "6" | "261" | "517"
    );
    busy.then(|| StorageError::Busy {
        detail: format!("{code} {message}"),
    })
}
