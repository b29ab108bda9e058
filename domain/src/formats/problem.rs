//! What can be wrong with a file or with one of its rows, told so that the reader can act.

use crate::coded_enum;

coded_enum! {
    /// Why a row could not be read.
    pub enum RowReason as "row reason" {
        TooFewFields = "too_few_fields",
        TooManyFields = "too_many_fields",
        UnreadableAmount = "unreadable_amount",
        TooPrecise = "too_precise",
        AmountTooLarge = "amount_too_large",
        UnknownCurrency = "unknown_currency",
        UnreadableTime = "unreadable_time",
        TimeOutOfRange = "time_out_of_range",
        MissingValue = "missing_value",
        UnreadableText = "unreadable_text",
        FieldTooLong = "field_too_long",
        /// The file ends in the middle of the row.
        CutOff = "cut_off",
    }
}

/// A row that could not be read: kept, shown and counted, never guessed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RejectedRow {
    /// Physical line at which the record starts, the file's first line being 1.
    pub line_no: u64,
    /// Where the record starts in the stored bytes.
    pub byte_offset: u64,
    /// How many bytes the record has, without its line end.
    pub byte_len: u32,
    /// The provider's row id, where it could be read.
    pub row_id: String,
    /// The column's name as the file writes it, or empty where the row's shape is wrong.
    pub column: String,
    /// The value, shortened to 40 characters, card numbers masked.
    pub value: String,
    /// What is wrong.
    pub reason: RowReason,
    /// A sentence for a finance person: what is wrong and what would do.
    pub message: String,
}

/// Why a file as a whole cannot be used. Its bytes are kept all the same.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FileProblem {
    /// No bytes at all, or nothing but blank lines.
    #[error("the file is empty")]
    Empty,
    /// The bytes are of another kind of file, whatever its name says.
    #[error("this is {what}, not a CSV file: export it as CSV and upload that")]
    NotText {
        /// What the bytes are, such as `a zip archive or an XLSX workbook`.
        what: String,
    },
    /// The bytes are no text in the expected encoding.
    #[error("byte {offset} cannot be read as {encoding}: save the file as UTF-8")]
    Undecodable {
        /// The encoding tried.
        encoding: String,
        /// The first byte that cannot be.
        offset: u64,
    },
    /// No profile knows the header.
    #[error(
        "no profile knows this header: {header}. Closest is {closest}, which also needs: {missing}"
    )]
    UnknownHeader {
        /// The header as read, shortened.
        header: String,
        /// The closest profile's name.
        closest: String,
        /// Columns it needs that are not there.
        missing: String,
    },
    /// The header is that of another provider's file.
    #[error(
        "this looks like the file “{profile}”, which accounts of {providers} receive, and this account is of {account}: upload it again for the account that it belongs to and put it away here"
    )]
    WrongProvider {
        /// The profile that knows the header.
        profile: String,
        /// The kinds of account that receive such files.
        providers: String,
        /// The kind of the account that it was given to.
        account: String,
    },
    /// The company's own payments instead of a provider's file.
    #[error(
        "this looks like a payments CSV, the company's own side: bring it under Payments, “Import payments” (`tieout import payments`), not as a settlement file"
    )]
    PaymentsFile,
    /// The header of a profile, cut by a character that it does not take.
    #[error(
        "this looks like the file “{profile}”, but its columns are separated by {separator}: save it with commas, semicolons or tabs between them"
    )]
    WrongSeparator {
        /// The profile that would know the header.
        profile: String,
        /// What separates the columns.
        separator: &'static str,
    },
    /// The profile that was asked for does not exist.
    #[error("there is no profile {name:?}; known: {known}")]
    NoSuchProfile {
        /// The name given.
        name: String,
        /// All names.
        known: String,
    },
    /// The profile needs a column that the file does not have.
    #[error("line {line_no}: column {column:?} is missing, which profile {profile} needs")]
    MissingColumn {
        /// Which profile.
        profile: String,
        /// Which column.
        column: String,
        /// The header's line.
        line_no: u64,
    },
    /// Two columns bear a name that the profile reads: which of them holds is not guessed.
    #[error(
        "line {line_no}: column {column:?} stands twice: take the one out that does not count, or give it another name"
    )]
    RepeatedColumn {
        /// Which column.
        column: String,
        /// The header's line.
        line_no: u64,
    },
}

impl FileProblem {
    /// The stable text for the API and the answer of `import settlement`.
    pub const fn code(&self) -> &'static str {
        match self {
            Self::Empty => "empty_file",
            Self::NotText { .. } => "not_text",
            Self::Undecodable { .. } => "undecodable",
            Self::UnknownHeader { .. } => "unknown_header",
            Self::WrongProvider { .. } => "wrong_provider",
            Self::PaymentsFile => "payments_file",
            Self::WrongSeparator { .. } => "wrong_separator",
            Self::NoSuchProfile { .. } => "no_such_profile",
            Self::MissingColumn { .. } => "missing_column",
            Self::RepeatedColumn { .. } => "repeated_column",
        }
    }
}
