//! Which encoding the bytes of a file are in: settled once, for the whole file.

use crate::coded_enum;

coded_enum! {
    /// How the bytes of a file become text.
    pub enum Encoding as "encoding" {
        /// The rule.
        Utf8 = "utf-8",
        /// What spreadsheets on Windows write; assumed where the bytes are no UTF-8, and said so.
        Windows1252 = "windows-1252",
        /// What some exports write, low byte first.
        Utf16Le = "utf-16le",
        /// The same, high byte first.
        Utf16Be = "utf-16be",
    }
}
