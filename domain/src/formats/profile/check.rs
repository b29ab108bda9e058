//! Whether a profile can be used: what it needs is there, and it names only columns that it lists.

use super::Profile;

/// Why a text is no usable profile.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ProfileError {
    /// Not TOML, or not the fields of a profile.
    #[error("the profile cannot be read: {0}")]
    Unreadable(String),
    /// A name of ours is `a-z`, digits and `_`, up to 60 characters.
    #[error(
        "{0:?} is no name for a profile: use up to 60 of a-z, digits and _, starting with a letter"
    )]
    BadName(String),
    /// A field points at a column that the header rule does not list.
    #[error(
        "{field} of profile {profile} names the column {column:?}, which its header does not list"
    )]
    UnlistedColumn {
        /// The profile.
        profile: String,
        /// The field.
        field: &'static str,
        /// The column.
        column: String,
    },
    /// Too little to make a line.
    #[error("profile {profile}: {what}")]
    Incomplete {
        /// The profile.
        profile: String,
        /// What is missing.
        what: &'static str,
    },
    /// A delimiter that cannot be told from text.
    #[error("profile {profile}: {delimiter:?} cannot be a delimiter")]
    BadDelimiter {
        /// The profile.
        profile: String,
        /// The character.
        delimiter: char,
    },
    /// A time pattern that chrono does not understand.
    #[error("profile {profile}: {pattern:?} is no time pattern")]
    BadTimePattern {
        /// The profile.
        profile: String,
        /// The pattern.
        pattern: String,
    },
}

impl Profile {
    pub(super) fn check(&self) -> Result<(), ProfileError> {
        let mut letters = self.name.bytes();
        let starts_well = letters.next().is_some_and(|b| b.is_ascii_lowercase());
        let goes_on_well =
            letters.all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || b == b'_');
        if !starts_well || !goes_on_well || self.name.len() > 60 {
            return Err(ProfileError::BadName(self.name.chars().take(60).collect()));
        }
        let incomplete = |what| {
            Err(ProfileError::Incomplete {
                profile: self.name.clone(),
                what,
            })
        };
        if self.header.required.is_empty() {
            return incomplete("no column is required, so no file can be recognised");
        }
        if self.header.one_of.iter().any(Vec::is_empty) {
            return incomplete("a group of header.one_of is empty");
        }
        if self.columns.kind.is_empty() {
            return incomplete("no column gives the row kind");
        }
        if self.amounts.net.is_none() && self.amounts.gross.is_none() {
            return incomplete("neither gross nor net has a column");
        }
        if self.delimiters.is_empty() {
            return incomplete("no delimiter");
        }
        for &delimiter in &self.delimiters {
            let usable =
                delimiter == '\t' || (delimiter.is_ascii_punctuation() && delimiter != '"');
            if !usable {
                return Err(ProfileError::BadDelimiter {
                    profile: self.name.clone(),
                    delimiter,
                });
            }
        }
        for pattern in &self.time.formats {
            let mut items = chrono::format::StrftimeItems::new(pattern);
            if items.any(|item| item == chrono::format::Item::Error) {
                return Err(ProfileError::BadTimePattern {
                    profile: self.name.clone(),
                    pattern: pattern.clone(),
                });
            }
        }
        for (field, column) in self.named_columns() {
            if !self.lists(column) {
                return Err(ProfileError::UnlistedColumn {
                    profile: self.name.clone(),
                    field,
                    column: column.to_owned(),
                });
            }
        }
        Ok(())
    }

    /// Every column that a field reads, with the field's name.
    fn named_columns(&self) -> Vec<(&'static str, &str)> {
        let columns = &self.columns;
        let mut named = Vec::new();
        for (field, sources) in [
            ("row_id", &columns.row_id),
            ("kind", &columns.kind),
            ("payment_id", &columns.payment_id),
            ("modification_id", &columns.modification_id),
            ("reference", &columns.reference),
            ("batch_id", &columns.batch_id),
            ("counterparty", &columns.counterparty),
            ("description", &columns.description),
        ] {
            named.extend(sources.iter().map(|source| (field, source.column())));
        }
        for (field, sources) in [
            ("occurred_at", &columns.occurred_at),
            ("settled_at", &columns.settled_at),
        ] {
            for source in sources {
                named.push((field, source.column.as_str()));
                named.extend(source.zone_column.iter().map(|c| (field, c.as_str())));
            }
        }
        let amounts = &self.amounts;
        named.push(("currency", &amounts.currency));
        named.extend(
            amounts
                .presented_currency
                .iter()
                .map(|c| ("presented_currency", c.as_str())),
        );
        for (field, source) in [
            ("gross", &amounts.gross),
            ("fee", &amounts.fee),
            ("net", &amounts.net),
            ("presented", &amounts.presented),
        ] {
            if let Some(source) = source {
                named.extend(source.columns().into_iter().map(|c| (field, c)));
            }
        }
        named.extend(
            self.identity
                .columns
                .iter()
                .map(|c| ("identity", c.as_str())),
        );
        named.extend(
            self.identity
                .when_empty
                .iter()
                .map(|c| ("identity", c.as_str())),
        );
        named.extend(self.report.column.iter().map(|c| ("report", c.as_str())));
        named
    }

    fn lists(&self, column: &str) -> bool {
        self.header
            .required
            .iter()
            .chain(self.header.optional.iter())
            .chain(self.header.one_of.iter().flatten())
            .any(|listed| listed == column)
    }
}
