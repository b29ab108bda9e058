//! Macros by result. Each takes a mutable reference to whatever is
//! [`Connected`](super::tx::Connected) (`&mut Tx`, `&mut Reader`), a
//! statement constant and its parameters, and expands to one call
//! per backend. The number of parameters is checked when compiling.
//!
//! | Macro | Gives |
//! |---|---|
//! | `one!(tx, Row, SQL, …)` | exactly one row |
//! | `opt!(tx, Row, SQL, …)` | one row or none |
//! | `all!(tx, Row, SQL, …)` | all rows |
//! | `scalar!(tx, i64, SQL, …)` | the one value of the one row |
//! | `scalar_opt!(tx, i64, SQL, …)` | that value, or none without a row |
//! | `exec!(tx, SQL, …)` | how many rows changed |
//! | `exec_one!(tx, SQL, …)` | nothing; an error unless exactly one row changed |

/// How many parameters a call passes.
#[doc(hidden)]
#[macro_export]
macro_rules! count_params {
    () => { 0usize };
    ($head:expr $(, $tail:expr)*) => { 1usize + $crate::count_params!($($tail),*) };
}

#[doc(hidden)]
#[macro_export]
macro_rules! on_conn {
    ($tx:expr, $sql:expr, [$($bind:expr),*], $make:ident [$($ty:ty),*], $fetch:ident $($then:tt)*) => {{
        const {
            assert!(
                $sql.params == $crate::count_params!($($bind),*),
                "a statement takes another number of parameters than this call passes"
            );
        }
        #[allow(unused_imports)] // callers may have it in scope
        use $crate::storage::tx::Connected as _;
        match ($tx).conn() {
            $crate::storage::tx::Conn::Sqlite(c) => {
                ::sqlx::$make::<::sqlx::Sqlite $(, $ty)*>($sql.sqlite)$(.bind($bind))*.$fetch(c).await$($then)*
            }
            $crate::storage::tx::Conn::Postgres(c) => {
                ::sqlx::$make::<::sqlx::Postgres $(, $ty)*>($sql.postgres)$(.bind($bind))*.$fetch(c).await$($then)*
            }
        }
        .map_err($crate::storage::StorageError::from)
    }};
}

/// Exactly one row.
#[macro_export]
macro_rules! one {
    ($tx:expr, $ty:ty, $sql:expr $(, $bind:expr)* $(,)?) => {
        $crate::on_conn!($tx, $sql, [$($bind),*], query_as [$ty], fetch_one)
    };
}

/// One row or none.
#[macro_export]
macro_rules! opt {
    ($tx:expr, $ty:ty, $sql:expr $(, $bind:expr)* $(,)?) => {
        $crate::on_conn!($tx, $sql, [$($bind),*], query_as [$ty], fetch_optional)
    };
}

/// All rows.
#[macro_export]
macro_rules! all {
    ($tx:expr, $ty:ty, $sql:expr $(, $bind:expr)* $(,)?) => {
        $crate::on_conn!($tx, $sql, [$($bind),*], query_as [$ty], fetch_all)
    };
}

/// The one value of the one row.
#[macro_export]
macro_rules! scalar {
    ($tx:expr, $ty:ty, $sql:expr $(, $bind:expr)* $(,)?) => {
        $crate::on_conn!($tx, $sql, [$($bind),*], query_scalar [$ty], fetch_one)
    };
}

/// The one value of the one row, or none without a row.
#[macro_export]
macro_rules! scalar_opt {
    ($tx:expr, $ty:ty, $sql:expr $(, $bind:expr)* $(,)?) => {
        $crate::on_conn!($tx, $sql, [$($bind),*], query_scalar [$ty], fetch_optional)
    };
}

/// How many rows changed.
#[macro_export]
macro_rules! exec {
    ($tx:expr, $sql:expr $(, $bind:expr)* $(,)?) => {
        $crate::on_conn!($tx, $sql, [$($bind),*], query [], execute .map(|done| done.rows_affected()))
    };
}

/// An error unless exactly one row changed.
#[macro_export]
macro_rules! exec_one {
    ($tx:expr, $sql:expr $(, $bind:expr)* $(,)?) => {
        $crate::exec!($tx, $sql $(, $bind)*)
            .and_then(|found| $crate::storage::run::expect_rows($sql.name, 1, found))
    };
}

/// Refuses a write that touched another number of rows than it must.
pub fn expect_rows(
    statement: &'static str,
    expected: u64,
    found: u64,
) -> Result<(), super::StorageError> {
    if expected == found {
        Ok(())
    } else {
        Err(super::StorageError::RowCount {
            statement,
            expected,
            found,
        })
    }
}
