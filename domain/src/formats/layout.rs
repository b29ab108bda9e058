//! Where the columns of a profile stand in one file's header.

use super::{
    REASON_COLUMN,
    clock_text::Place,
    profile::{AmountSource, Profile, Source, TimeSource},
};
use crate::{line::RowKind, time::Zone};

/// A column that a text comes from.
#[derive(Debug, Clone)]
pub(super) struct TextColumn {
    pub index: usize,
    /// The row kinds that it serves; none means all.
    pub kinds: Option<Vec<RowKind>>,
}

/// A column that a time comes from.
#[derive(Debug, Clone)]
pub(super) struct TimeColumn {
    pub index: usize,
    pub place: Place,
    pub place_column: Option<usize>,
}

/// The columns that an amount comes from.
#[derive(Debug, Clone)]
pub(super) enum AmountColumns {
    Signed(usize),
    Pair {
        debit: usize,
        credit: usize,
    },
    Marked {
        amount: usize,
        mark: usize,
        credit_words: Vec<String>,
        debit_words: Vec<String>,
    },
    Sum {
        columns: Vec<usize>,
        otherwise: Option<usize>,
    },
}

/// Where every value of a line stands in the file.
#[derive(Debug, Clone, Default)]
pub(super) struct Layout {
    pub row_id: Vec<TextColumn>,
    pub kind: Vec<TextColumn>,
    pub payment_id: Vec<TextColumn>,
    pub modification_id: Vec<TextColumn>,
    pub reference: Vec<TextColumn>,
    pub batch_id: Vec<TextColumn>,
    pub counterparty: Vec<TextColumn>,
    pub description: Vec<TextColumn>,
    pub occurred_at: Vec<TimeColumn>,
    pub settled_at: Vec<TimeColumn>,
    pub currency: Option<usize>,
    pub gross: Option<AmountColumns>,
    pub fee: Option<AmountColumns>,
    pub net: Option<AmountColumns>,
    pub presented: Option<AmountColumns>,
    pub presented_currency: Option<usize>,
    pub identity: Vec<usize>,
    pub identity_when_empty: Vec<usize>,
}

/// A column name as it is compared: outer white space off, inner runs one space, small letters.
pub(super) fn plain_name(name: &str) -> String {
    let mut plain = String::with_capacity(name.len());
    for word in name.trim_matches('\u{feff}').split_whitespace() {
        if !plain.is_empty() {
            plain.push(' ');
        }
        plain.push_str(&word.to_lowercase());
    }
    plain
}

/// The header's columns that a name of a profile means; `*` stands for any text.
fn columns_named(names: &[String], wanted: &str) -> Vec<usize> {
    let wanted = plain_name(wanted);
    let fits = |name: &String| match wanted.split_once('*') {
        None => *name == wanted,
        Some((start, end)) => {
            name.len() >= start.len() + end.len() && name.starts_with(start) && name.ends_with(end)
        }
    };
    let found = names.iter().enumerate().filter(|(_, name)| fits(name));
    let indexes = found.map(|(index, _)| index);
    if wanted.contains('*') {
        indexes.collect()
    } else {
        // A name that the profile reads and that stands twice is refused with the header.
        indexes.take(1).collect()
    }
}

/// The first column with this name.
pub(super) fn column_named(names: &[String], wanted: &str) -> Option<usize> {
    columns_named(names, wanted).first().copied()
}

/// A name that a profile reads and that stands twice.
pub(super) fn repeated(profile: &Profile, names: &[String]) -> Option<String> {
    let header = &profile.header;
    let mut read = header
        .required
        .iter()
        .chain(header.one_of.iter().flatten())
        .chain(header.optional.iter());
    let stands_twice = |wanted: &&String| {
        let wanted = plain_name(wanted);
        names.iter().filter(|name| **name == wanted).count() > 1
    };
    read.find(stands_twice).cloned()
}

/// What a header lacks for a profile, and how many of the profile's columns it has.
pub(super) fn compare(profile: &Profile, names: &[String]) -> (Vec<String>, usize) {
    let header = &profile.header;
    let has = |name: &String| column_named(names, name).is_some();
    let mut missing: Vec<String> = header
        .required
        .iter()
        .filter(|name| !has(name))
        .cloned()
        .collect();
    missing.extend(
        header
            .one_of
            .iter()
            .filter(|group| !group.iter().any(has))
            .map(|group| group.join(" or ")),
    );
    let known = header
        .required
        .iter()
        .chain(header.one_of.iter().flatten())
        .chain(header.optional.iter())
        .filter(|name| has(name))
        .count();
    (missing, known)
}

impl Layout {
    /// Places a profile's columns in a header of [`plain_name`]s. `reference_column` is the
    /// account's policy, empty for the profile's own.
    pub(super) fn new(
        profile: &Profile,
        names: &[String],
        reference_column: &str,
        zone: Zone,
    ) -> Self {
        let texts = |sources: &[Source]| -> Vec<TextColumn> {
            sources
                .iter()
                .flat_map(|source| {
                    let kinds = match source {
                        Source::Any(_) => None,
                        Source::Kinds { kinds, .. } => Some(kinds.clone()),
                    };
                    columns_named(names, source.column())
                        .into_iter()
                        .map(move |index| TextColumn {
                            index,
                            kinds: kinds.clone(),
                        })
                })
                .collect()
        };
        let times = |sources: &[TimeSource]| -> Vec<TimeColumn> {
            sources
                .iter()
                .filter_map(|source| {
                    Some(TimeColumn {
                        index: column_named(names, &source.column)?,
                        place: Place::Zone(source.zone.unwrap_or(zone)),
                        place_column: source
                            .zone_column
                            .as_ref()
                            .and_then(|column| column_named(names, column)),
                    })
                })
                .collect()
        };
        let amounts = |source: &Option<AmountSource>| {
            source
                .as_ref()
                .and_then(|source| amount_columns(source, names))
        };
        let indexes = |columns: &[String]| -> Vec<usize> {
            columns
                .iter()
                .filter_map(|column| column_named(names, column))
                .collect()
        };
        let columns = &profile.columns;
        let identity = if profile.identity.columns.is_empty() {
            // What was said of a rejected row is none of it.
            let own = names.iter().enumerate();
            own.filter(|(_, name)| *name != REASON_COLUMN)
                .map(|(index, _)| index)
                .collect()
        } else {
            indexes(&profile.identity.columns)
        };
        Self {
            row_id: texts(&columns.row_id),
            kind: texts(&columns.kind),
            payment_id: texts(&columns.payment_id),
            modification_id: texts(&columns.modification_id),
            reference: if reference_column.trim().is_empty() {
                texts(&columns.reference)
            } else {
                chosen_reference(names, reference_column)
            },
            batch_id: texts(&columns.batch_id),
            counterparty: texts(&columns.counterparty),
            description: texts(&columns.description),
            occurred_at: times(&columns.occurred_at),
            settled_at: times(&columns.settled_at),
            currency: column_named(names, &profile.amounts.currency),
            gross: amounts(&profile.amounts.gross),
            fee: amounts(&profile.amounts.fee),
            net: amounts(&profile.amounts.net),
            presented: amounts(&profile.amounts.presented),
            presented_currency: profile
                .amounts
                .presented_currency
                .as_ref()
                .and_then(|column| column_named(names, column)),
            identity,
            identity_when_empty: indexes(&profile.identity.when_empty),
        }
    }

    /// Every column that holds an amount.
    pub(super) fn amount_columns(&self) -> Vec<usize> {
        let mut all = Vec::new();
        for columns in [&self.gross, &self.fee, &self.net, &self.presented]
            .into_iter()
            .flatten()
        {
            match columns {
                AmountColumns::Signed(index) | AmountColumns::Marked { amount: index, .. } => {
                    all.push(*index);
                }
                AmountColumns::Pair { debit, credit } => all.extend([*debit, *credit]),
                AmountColumns::Sum { columns, otherwise } => {
                    all.extend(columns.iter().chain(otherwise));
                }
            }
        }
        all.sort_unstable();
        all.dedup();
        all
    }

    /// Whether a column holds ids, which are never altered.
    pub(super) fn holds_ids(&self, index: usize) -> bool {
        [
            &self.row_id,
            &self.payment_id,
            &self.modification_id,
            &self.reference,
            &self.batch_id,
        ]
        .into_iter()
        .flatten()
        .any(|column| column.index == index)
    }
}

/// The column that the account's policy names: as the header writes it, or a metadata key alone.
fn chosen_reference(names: &[String], wanted: &str) -> Vec<TextColumn> {
    let mut found = columns_named(names, wanted);
    if found.is_empty() {
        found = columns_named(names, &format!("payment_metadata[{}]", wanted.trim()));
    }
    found
        .into_iter()
        .map(|index| TextColumn { index, kinds: None })
        .collect()
}

fn amount_columns(source: &AmountSource, names: &[String]) -> Option<AmountColumns> {
    let at = |column: &String| column_named(names, column);
    Some(match source {
        AmountSource::Signed { column } => AmountColumns::Signed(at(column)?),
        AmountSource::Pair { debit, credit } => AmountColumns::Pair {
            debit: at(debit)?,
            credit: at(credit)?,
        },
        AmountSource::Marked {
            amount,
            mark,
            credit_words,
            debit_words,
        } => AmountColumns::Marked {
            amount: at(amount)?,
            mark: at(mark)?,
            credit_words: credit_words.clone(),
            debit_words: debit_words.clone(),
        },
        AmountSource::Sum { sum, otherwise } => AmountColumns::Sum {
            columns: sum.iter().filter_map(at).collect(),
            otherwise: otherwise.as_ref().and_then(at),
        },
    })
}
