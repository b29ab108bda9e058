//! What PostgreSQL plans by, kept true while tables are being filled.
//!
//! It looks at a table only now and then. A look-up of some thousand keys in a table of which it knows
//! nothing yet, or what was true of an empty one, is planned as a walk over all of it. So bulk work says
//! how much it has written, and the figures are taken anew each time that the table has doubled. SQLite
//! plans by its indexes alone.

use super::{StorageError, store::Store};

/// Rows below which no plan is worth it.
const FIRST: u64 = 5_000;

/// Tables that are filled together.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Filled {
    /// By an import of payments.
    Payments,
    /// By a settlement file.
    Lines,
    /// By what is judged of lines one by one.
    Cases,
}

impl Filled {
    /// The table that tells how far the others are.
    const fn first(self) -> &'static str {
        match self {
            Self::Payments => "attempt",
            Self::Lines => "line",
            Self::Cases => "review_case",
        }
    }

    const fn analyse(self) -> &'static str {
        match self {
            Self::Payments => {
                "ANALYZE intent, attempt, intent_key_now, intent_now, intent_open, attempt_now, attempt_id_now"
            }
            Self::Cases => {
                "ANALYZE review_case, case_now, case_event, line_now, line_key_now, line_bucket_now, verdict"
            }
            Self::Lines => {
                "ANALYZE line, line_now, line_key_now, line_bucket_now, row_identity_now, verdict"
            }
        }
    }
}

/// How much was written since the figures were taken.
#[derive(Debug)]
pub struct Statistics {
    tables: Filled,
    /// Rows that are there, as far as is known.
    rows: u64,
    /// At how many the figures are taken again.
    next: u64,
}

impl Statistics {
    /// As the database knows the tables now.
    pub async fn of(store: &Store, tables: Filled) -> Result<Self, StorageError> {
        let rows = store.rows_known(tables.first()).await?;
        Ok(Self {
            tables,
            rows,
            next: (2 * rows).max(rows + FIRST),
        })
    }

    /// Takes the figures of what much was added to, whatever was there before.
    pub async fn settled(&self, store: &Store, rows: u64) -> Result<(), StorageError> {
        if rows >= FIRST {
            store.analyse(self.tables.analyse()).await?;
        }
        Ok(())
    }

    /// Notes rows that were committed.
    pub async fn grown(&mut self, store: &Store, rows: u64) -> Result<(), StorageError> {
        self.rows += rows;
        if self.rows >= self.next {
            store.analyse(self.tables.analyse()).await?;
            self.next = 2 * self.rows;
        }
        Ok(())
    }
}
