//! Characters that cannot be seen, or that turn the order of others round, shown as what they are.
//!
//! A reference, a name or a file name comes from outside and is kept byte for byte. Shown as it is,
//! `U+202E` makes `fdp.exe` read `exe.pdf`, and a zero-width space makes two references look alike.
//! So whatever people read passes through here: pages, the command line, the log. Files for programs
//! (exports, JSON) keep what came; nothing is matched or stored by what this makes.

use std::{borrow::Cow, fmt::Write as _};

/// The text with each character that cannot be seen written as `⟨U+202E⟩`. Line ends and tabs stay.
pub fn visible(text: &str) -> Cow<'_, str> {
    if !text.contains(is_hidden) {
        return Cow::Borrowed(text);
    }
    let mut shown = String::with_capacity(text.len() + 16);
    for c in text.chars() {
        push(&mut shown, c);
    }
    Cow::Owned(shown)
}

/// The same for an HTML document: its text, and the attributes that people read. Values of forms are
/// left alone, since they are sent back, and so are scripts.
pub fn visible_html(html: &str) -> Cow<'_, str> {
    if !html.contains(is_hidden) {
        return Cow::Borrowed(html);
    }
    let mut page = Page::default();
    let mut shown = String::with_capacity(html.len() + 256);
    for c in html.chars() {
        if page.step(c) {
            push(&mut shown, c);
        } else {
            shown.push(c);
        }
    }
    Cow::Owned(shown)
}

fn push(shown: &mut String, c: char) {
    if is_hidden(c) {
        let code = u32::from(c);
        // Writing to a text does not fail.
        write!(shown, "\u{27e8}U+{code:04X}\u{27e9}").unwrap_or_default();
    } else {
        shown.push(c);
    }
}

/// Whether a character shows nothing of itself: controls, marks of direction, joiners and spaces
/// without width, fillers, tags (Unicode 16: general category Cf and what is rendered as nothing).
const fn is_hidden(c: char) -> bool {
    matches!(c,
        '\u{0}'..='\u{8}' | '\u{b}' | '\u{c}' | '\u{e}'..='\u{1f}' | '\u{7f}'..='\u{9f}'
        | '\u{ad}' | '\u{34f}' | '\u{61c}' | '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}'
        | '\u{180b}'..='\u{180f}' | '\u{200b}'..='\u{200f}' | '\u{2028}'..='\u{202e}'
        | '\u{2060}'..='\u{206f}' | '\u{3164}' | '\u{feff}' | '\u{ffa0}' | '\u{fff0}'..='\u{fffb}'
        | '\u{1bca0}'..='\u{1bca3}' | '\u{1d173}'..='\u{1d17a}' | '\u{e0000}'..='\u{e0fff}')
}

/// Where in a document a character stands. Our own pages only: quotes are closed, `<` and `>` stand
/// in text only as entities.
#[derive(Default)]
struct Page {
    place: Place,
    /// The name of the tag that is being read, or of the element whose text is not shown.
    tag: String,
    attribute: String,
    /// Inside of an element whose text is sent back or run.
    apart: Option<String>,
}

#[derive(Default, PartialEq, Eq)]
enum Place {
    #[default]
    Text,
    TagName,
    Tag,
    Value(char),
}

impl Page {
    /// Takes one more character; whether it is one that people read.
    fn step(&mut self, c: char) -> bool {
        match self.place {
            Place::Text => {
                if c == '<' {
                    self.place = Place::TagName;
                    self.tag.clear();
                }
                self.apart.is_none()
            }
            Place::TagName => {
                match c {
                    '>' => self.end_tag(),
                    c if c.is_ascii_whitespace() => {
                        self.place = Place::Tag;
                        self.attribute.clear();
                    }
                    c => self.tag.push(c.to_ascii_lowercase()),
                }
                false
            }
            Place::Tag => {
                match c {
                    '>' => self.end_tag(),
                    '"' | '\'' => self.place = Place::Value(c),
                    '=' => {}
                    c if c.is_ascii_whitespace() => self.attribute.clear(),
                    c => self.attribute.push(c),
                }
                false
            }
            Place::Value(quote) => {
                if c == quote {
                    self.place = Place::Tag;
                    self.attribute.clear();
                    return false;
                }
                matches!(
                    self.attribute.as_str(),
                    "title" | "aria-label" | "alt" | "placeholder"
                )
            }
        }
    }

    fn end_tag(&mut self) {
        self.place = Place::Text;
        match &self.apart {
            Some(element) if self.tag.strip_prefix('/') == Some(element) => self.apart = None,
            None if matches!(self.tag.as_str(), "script" | "style" | "textarea") => {
                self.apart = Some(self.tag.clone());
            }
            _ => {}
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_cannot_be_seen_is_shown_and_everything_else_stays() {
        for (text, shown) in [
            ("order-1", "order-1"),
            (
                "Zo\u{eb} \u{1f600} \u{65e5}\u{672c}\n\tx",
                "Zo\u{eb} \u{1f600} \u{65e5}\u{672c}\n\tx",
            ),
            ("inv\u{202e}fdp.exe", "inv\u{27e8}U+202E\u{27e9}fdp.exe"),
            ("A\u{200b}1", "A\u{27e8}U+200B\u{27e9}1"),
            (
                "\u{feff}id\u{0}\u{1b}[31m",
                "\u{27e8}U+FEFF\u{27e9}id\u{27e8}U+0000\u{27e9}\u{27e8}U+001B\u{27e9}[31m",
            ),
            ("tag\u{e0041}", "tag\u{27e8}U+E0041\u{27e9}"),
        ] {
            assert_eq!(visible(text), shown);
        }
    }

    #[test]
    fn a_page_shows_them_in_its_text_and_leaves_what_a_form_sends_back() {
        let page = "<title>a\u{202e}b</title><p title=\"c\u{202e}d\" data-x='e\u{202e}f'>g\u{202e}h</p>\
            <input value=\"i\u{202e}j\"><textarea name=\"k\">l\u{202e}m</textarea>\
            <script>n\u{202e}o</script>p\u{202e}q";
        let mark = "\u{27e8}U+202E\u{27e9}";
        let shown = format!(
            "<title>a{mark}b</title><p title=\"c{mark}d\" data-x='e\u{202e}f'>g{mark}h</p>\
            <input value=\"i\u{202e}j\"><textarea name=\"k\">l\u{202e}m</textarea>\
            <script>n\u{202e}o</script>p{mark}q"
        );
        assert_eq!(visible_html(page), shown);
        assert_eq!(visible_html("<p>plain</p>"), "<p>plain</p>");
    }
}
