//! Texts that are one line: ids, references, and names of files. None holds a control character. They come
//! from outside and stand in tables, logs, terminals, addresses and exports, where a line end makes two
//! rows of one, an escape moves a terminal's cursor, and a zero is no text to a database.

/// Characters of a file's name that are kept.
const LONGEST_FILE_NAME: usize = 200;

/// Whether a text holds no control character (Unicode category Cc: line ends and tabs are among them).
pub fn is_one_line(text: &str) -> bool {
    if text.is_ascii() {
        !text.bytes().any(|byte| byte.is_ascii_control())
    } else {
        !text.chars().any(char::is_control)
    }
}

/// The name of a received file: without the folders before it, shortened, and with `U+FFFD` where a
/// control character was. A name never decides whether the bytes are taken, so it is not refused.
pub fn file_name(given: &str) -> String {
    let name = given.rsplit(['/', '\\']).next().unwrap_or_default().trim();
    let shown = |c: char| if c.is_control() { '\u{fffd}' } else { c };
    name.chars().take(LONGEST_FILE_NAME).map(shown).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_control_character_and_nothing_else_is_one() {
        for code in (0..=0x1f).chain(0x7f..=0x9f) {
            let control = char::from_u32(code).unwrap();
            assert!(!is_one_line(&format!("a{control}b")), "U+{code:04X}");
            assert!(!is_one_line(&format!("ä{control}b")), "U+{code:04X}");
            assert_eq!(file_name(&format!("a{control}b")), "a\u{fffd}b");
        }
        for text in ["", "order-1", "Zoë 日本 😀", "a\u{a0}b", "\u{202e}"] {
            assert!(is_one_line(text), "{text:?}");
            assert_eq!(file_name(text), text);
        }
    }

    #[test]
    fn a_file_is_named_without_its_folders_and_within_bounds() {
        assert_eq!(file_name("C:\\bank\\ nov.csv "), "nov.csv");
        assert_eq!(file_name("/home/ann/nov.csv"), "nov.csv");
        assert_eq!(file_name(&"ä".repeat(300)).chars().count(), 200);
    }
}
