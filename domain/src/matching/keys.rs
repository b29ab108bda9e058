//! By which texts lines and intents can meet.

use unicode_normalization::{IsNormalized, UnicodeNormalization, is_nfc_quick};

/// A reference as it is compared: trimmed, Unicode NFC, inner white space to one space; case
/// matters. Empty where the text was already damaged at its source, since damaged text never
/// matches.
pub fn normalise(text: &str) -> String {
    if text.contains('\u{FFFD}') {
        return String::new();
    }
    if text.is_ascii() && !text.contains(|c: char| c.is_ascii_whitespace()) {
        return text.to_owned();
    }
    let composed = if is_nfc_quick(text.chars()) == IsNormalized::Yes {
        text.to_owned()
    } else {
        text.nfc().collect()
    };
    composed.split_whitespace().collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn references_meet_in_spite_of_spaces_and_composition_but_not_of_case() {
        for (ours, theirs, meet) in [
            ("A-1", " A-1 ", true),
            ("A  1", "A 1", true),
            ("Caf\u{e9}", "Cafe\u{301}", true),
            ("a-1", "A-1", false),
            ("A-1", "A1", false),
        ] {
            assert_eq!(
                normalise(ours) == normalise(theirs),
                meet,
                "{ours} {theirs}"
            );
        }
    }

    #[test]
    fn damaged_text_is_no_key() {
        assert_eq!(normalise("Caf\u{FFFD} 12"), "");
    }
}
