//! A unit of work, and a consistent read.

use super::{StorageError, store::Backend};
use crate::Error;
use sqlx::{PgConnection, PgPool, Postgres, Sqlite, SqliteConnection};
use std::time::Duration;

/// A unit of work: what is written in it stands together after [`commit`](Tx::commit), or not at
/// all. Dropped without a commit, it is rolled back.
#[derive(Debug)]
pub enum Tx {
    /// The one writer of a SQLite database.
    Sqlite {
        /// The transaction.
        inner: sqlx::Transaction<'static, Sqlite>,
        /// Whether a statement failed and left some of its rows: then it can only be rolled back.
        spoilt: bool,
    },
    /// A transaction of PostgreSQL.
    Postgres {
        /// At READ COMMITTED.
        inner: sqlx::Transaction<'static, Postgres>,
        /// Where ids are drawn that no other unit of work shall wait for.
        apart: PgPool,
    },
}

/// How often `in_tx!` begins again after others were in the way.
const TRIES: u32 = 8;

/// How often it does where a row is there already: once, the other's row is seen and reckoned with;
/// a third time, it is no coincidence.
const DUPLICATE_TRIES: u32 = 3;

/// Counts the tries of `in_tx!`.
#[derive(Debug, Default)]
pub struct Tries(u32);

impl Tries {
    /// Commits work that succeeded and gives its value; none where it should begin again.
    pub async fn settle<T>(
        &mut self,
        tx: Tx,
        result: Result<T, Error>,
    ) -> Result<Option<T>, Error> {
        let backend = tx.backend();
        let error = match result {
            Ok(value) => match tx.commit().await {
                Ok(()) => return Ok(Some(value)),
                Err(error) => error.into(),
            },
            Err(error) => {
                // A connection whose roll-back fails is not used again; what went wrong first is what counts.
                let _ = tx.rollback().await;
                error
            }
        };
        self.0 += 1;
        if self.0 >= tries(&error, backend) {
            return Err(error);
        }
        tokio::time::sleep(Duration::from_millis(5 << self.0)).await;
        Ok(None)
    }
}

/// How often work that failed so is tried. A row that is there already may have come between our look
/// and our writing, but only on PostgreSQL: SQLite's one writer would have seen it.
const fn tries(error: &Error, backend: Backend) -> u32 {
    match (error, backend) {
        (Error::Storage(StorageError::Duplicate { .. }), Backend::Postgres) => DUPLICATE_TRIES,
        _ if error.is_retryable() => TRIES,
        _ => 1,
    }
}

/// Does work in one unit and commits it: `in_tx!(store, |tx| { … Ok(value) })`, where `tx` is
/// `&mut Tx` and errors are [`engine::Error`](crate::Error). All of it begins again when others
/// were in the way (serialisation failure, deadlock, busy; on PostgreSQL also a row that somebody
/// else added at the same time). An error rolls back.
///
/// A macro, because a function over async closures gives futures that cannot move between threads.
#[macro_export]
macro_rules! in_tx {
    ($store:expr, |$tx:ident| $work:expr) => {
        async {
            let mut tries = $crate::storage::tx::Tries::default();
            loop {
                let mut unit = $store.begin().await.map_err($crate::Error::from)?;
                let result: ::std::result::Result<_, $crate::Error> = async {
                    let $tx = &mut unit;
                    $work
                }
                .await;
                if let Some(value) = tries.settle(unit, result).await? {
                    break ::std::result::Result::<_, $crate::Error>::Ok(value);
                }
            }
        }
        .await
    };
}

/// A consistent read: all statements see the database as of the first. Ends when dropped.
#[derive(Debug)]
pub enum Reader {
    /// A read transaction of SQLite.
    Sqlite(sqlx::Transaction<'static, Sqlite>),
    /// A read-only transaction at REPEATABLE READ.
    Postgres(sqlx::Transaction<'static, Postgres>),
}

/// A borrowed connection of either backend: what the statement macros run on.
#[derive(Debug)]
pub enum Conn<'a> {
    /// SQLite.
    Sqlite(&'a mut SqliteConnection),
    /// PostgreSQL.
    Postgres(&'a mut PgConnection),
}

/// Whatever a statement can run on.
pub trait Connected: Send {
    /// The connection beneath.
    fn conn(&mut self) -> Conn<'_>;

    /// Which database it is.
    fn backend(&self) -> Backend;

    /// Connections that are no part of this unit of work, for ids that nobody waits for: on PostgreSQL.
    fn apart(&self) -> Option<&PgPool> {
        None
    }
}

impl Tx {
    /// Makes everything written in this unit of work durable.
    pub async fn commit(self) -> Result<(), StorageError> {
        match self {
            Self::Sqlite {
                inner,
                spoilt: true,
            } => {
                inner.rollback().await?;
                return Err(StorageError::Spoilt);
            }
            Self::Sqlite { inner, .. } => inner.commit().await?,
            Self::Postgres { inner, .. } => inner.commit().await?,
        }
        Ok(())
    }

    /// A statement failed and may have left some of its rows. From here on PostgreSQL takes nothing
    /// but a roll-back, and so do we on SQLite.
    pub(super) const fn spoil(&mut self) {
        if let Self::Sqlite { spoilt, .. } = self {
            *spoilt = true;
        }
    }

    /// Undoes everything written in this unit of work.
    pub async fn rollback(self) -> Result<(), StorageError> {
        match self {
            Self::Sqlite { inner, .. } => inner.rollback().await?,
            Self::Postgres { inner, .. } => inner.rollback().await?,
        }
        Ok(())
    }
}

impl Connected for Tx {
    fn conn(&mut self) -> Conn<'_> {
        match self {
            Self::Sqlite { inner, .. } => Conn::Sqlite(inner),
            Self::Postgres { inner, .. } => Conn::Postgres(inner),
        }
    }

    fn backend(&self) -> Backend {
        match self {
            Self::Sqlite { .. } => Backend::Sqlite,
            Self::Postgres { .. } => Backend::Postgres,
        }
    }

    fn apart(&self) -> Option<&PgPool> {
        match self {
            Self::Sqlite { .. } => None,
            Self::Postgres { apart, .. } => Some(apart),
        }
    }
}

impl Connected for Reader {
    fn conn(&mut self) -> Conn<'_> {
        match self {
            Self::Sqlite(t) => Conn::Sqlite(t),
            Self::Postgres(t) => Conn::Postgres(t),
        }
    }

    fn backend(&self) -> Backend {
        match self {
            Self::Sqlite(_) => Backend::Sqlite,
            Self::Postgres(_) => Backend::Postgres,
        }
    }
}

impl Connected for Conn<'_> {
    fn conn(&mut self) -> Conn<'_> {
        match self {
            Self::Sqlite(c) => Conn::Sqlite(c),
            Self::Postgres(c) => Conn::Postgres(c),
        }
    }

    fn backend(&self) -> Backend {
        match self {
            Self::Sqlite(_) => Backend::Sqlite,
            Self::Postgres(_) => Backend::Postgres,
        }
    }
}

impl<T: Connected + ?Sized> Connected for &mut T {
    fn conn(&mut self) -> Conn<'_> {
        (**self).conn()
    }

    fn backend(&self) -> Backend {
        (**self).backend()
    }

    fn apart(&self) -> Option<&PgPool> {
        (**self).apart()
    }
}
