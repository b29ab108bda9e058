//! The fields of one record by their columns, and what is wrong with one.

use super::super::{RowReason, layout::TextColumn, record::Field};
use crate::{formula_guard::unguarded, line::RowKind, one_line::is_one_line};
use std::borrow::Cow;

/// The longest id, reference or batch name that is read: databases index them.
pub(super) const LONGEST_ID: usize = 1000;

/// The fields of one record.
#[derive(Clone, Copy)]
pub(in super::super) struct Record<'a> {
    pub text: &'a str,
    pub fields: &'a [Field],
    /// Whether it went out to be repaired: see [`super::super::repair`].
    pub guarded: bool,
}

/// What is wrong with a row.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in super::super) struct Fault {
    pub column: Option<usize>,
    pub value: String,
    pub reason: RowReason,
    /// What is wrong and what would do, to stand behind the column's name.
    pub message: String,
}

impl<'a> Record<'a> {
    /// The value of a column, outer white space off; empty where the record has no such field.
    pub(in super::super) fn value(&self, index: usize) -> Cow<'a, str> {
        let Some(field) = self.fields.get(index) else {
            return Cow::Borrowed("");
        };
        match field.text(self.text) {
            Cow::Borrowed(text) => Cow::Borrowed(plain_value(text, self.guarded)),
            Cow::Owned(text) => Cow::Owned(plain_value(&text, self.guarded).to_owned()),
        }
    }

    /// Its first field that its provider wrote.
    pub(super) fn first_own(&self) -> usize {
        usize::from(self.guarded)
    }

    /// The first of the columns with a value.
    pub(super) fn first(
        &self,
        columns: &[TextColumn],
        kind: Option<RowKind>,
    ) -> (Option<usize>, Cow<'a, str>) {
        for column in columns {
            let serves = match (&column.kinds, kind) {
                (None, _) => true,
                (Some(kinds), Some(kind)) => kinds.contains(&kind),
                (Some(_), None) => false,
            };
            if serves {
                let value = self.value(column.index);
                if !value.is_empty() {
                    return (Some(column.index), value);
                }
            }
        }
        (columns.first().map(|c| c.index), Cow::Borrowed(""))
    }
}

/// The value in the text of a field: outer white space off, and its guard where it may bear one.
pub(in super::super) fn plain_value(text: &str, guarded: bool) -> &str {
    let text = text.trim();
    if guarded {
        unguarded(text).trim()
    } else {
        text
    }
}

impl Fault {
    pub(super) fn new(column: usize, value: &str, reason: RowReason, message: String) -> Self {
        Self {
            column: Some(column),
            value: value.to_owned(),
            reason,
            message,
        }
    }

    pub(in super::super) const fn of_shape(reason: RowReason, message: String) -> Self {
        Self {
            column: None,
            value: String::new(),
            reason,
            message,
        }
    }
}

/// An id as it is kept: as written, or refused.
pub(super) fn id(column: Option<usize>, value: &str) -> Result<String, Fault> {
    let refused = |reason, message: &str| {
        Err(Fault {
            column,
            value: value.to_owned(),
            reason,
            message: message.to_owned(),
        })
    };
    if value.len() > LONGEST_ID {
        return refused(
            RowReason::FieldTooLong,
            "is longer than the 1,000 bytes that an id may have",
        );
    }
    if !is_one_line(value) {
        return refused(
            RowReason::UnreadableText,
            "holds a line end or another control character, which no id does",
        );
    }
    Ok(value.to_owned())
}

/// Free text without the zero byte, which databases refuse.
pub(super) fn printable(text: &str) -> String {
    if text.contains('\0') {
        text.replace('\0', "\u{fffd}")
    } else {
        text.to_owned()
    }
}
