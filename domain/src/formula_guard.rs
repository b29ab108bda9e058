//! Text that a spreadsheet would take for a formula gets a leading apostrophe where we write it, as OWASP's
//! page on CSV injection has it, and loses it again where we read our own exports.
//!
//! A text that begins with apostrophes before such a sign gets one more, so that reading takes off exactly
//! what writing put on: any id comes back as it was.

use std::borrow::Cow;

const SIGNS: [char; 6] = ['=', '+', '-', '@', '\t', '\r'];

/// Whether a spreadsheet would take a text for a formula, or for one that is guarded.
pub fn is_formula(text: &str) -> bool {
    text.trim_start_matches('\'').starts_with(SIGNS)
}

/// A text for a cell.
pub fn guarded(text: &str) -> Cow<'_, str> {
    if is_formula(text) {
        format!("'{text}").into()
    } else {
        text.into()
    }
}

/// The text of a cell that may be guarded.
pub fn unguarded(text: &str) -> &str {
    match text.strip_prefix('\'') {
        Some(rest) if is_formula(rest) => rest,
        _ => text,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    #[test]
    fn a_text_that_begins_like_a_formula_is_text_in_a_spreadsheet() {
        for (text, cell) in [
            ("=1+1", "'=1+1"),
            ("+49", "'+49"),
            ("-x", "'-x"),
            ("@a", "'@a"),
            ("\tx", "'\tx"),
            ("'=1+1", "''=1+1"),
            ("''-", "'''-"),
            ("'tis", "'tis"),
            ("''", "''"),
            ("order-1", "order-1"),
            ("", ""),
        ] {
            assert_eq!(guarded(text), cell);
            assert_eq!(unguarded(cell), text);
        }
    }

    proptest! {
        #[test]
        fn what_was_guarded_comes_back_as_it_was(text in "['=+@\\-ab]{0,6}") {
            let guarded = guarded(&text);
            prop_assert_eq!(unguarded(&guarded), text.as_str());
        }
    }
}
