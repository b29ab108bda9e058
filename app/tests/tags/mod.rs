//! The tags of a page, read just well enough for tests of our own markup.

/// A tag with its attributes.
#[derive(Debug, Clone)]
pub struct Tag {
    /// Its name in small letters.
    pub name: String,
    /// Whether it ends an element.
    pub closing: bool,
    /// Names and values; without a value, empty.
    pub attributes: Vec<(String, String)>,
}

impl Tag {
    /// Whether it begins an element of that name.
    pub fn opens(&self, name: &str) -> bool {
        !self.closing && self.name == name
    }

    /// The value of an attribute.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.attributes
            .iter()
            .find(|(n, _)| n == name)
            .map(|(_, v)| v.as_str())
    }
}

/// Every tag in order; comments and the document type are left out.
pub fn tags(html: &str) -> Vec<Tag> {
    let mut found = Vec::new();
    let mut rest = html;
    while let Some(start) = rest.find('<') {
        rest = &rest[start + 1..];
        if let Some(comment) = rest.strip_prefix("!--") {
            rest = comment.split_once("-->").map_or("", |(_, after)| after);
        } else if rest.starts_with(|c: char| c == '/' || c.is_ascii_alphabetic()) {
            let (tag, after) = read(rest);
            found.push(tag);
            rest = after;
        }
    }
    found
}

fn read(text: &str) -> (Tag, &str) {
    let closing = text.starts_with('/');
    let text = text.trim_start_matches('/');
    let end = text
        .find(|c: char| c.is_whitespace() || c == '>' || c == '/')
        .unwrap();
    let mut tag = Tag {
        name: text[..end].to_ascii_lowercase(),
        closing,
        attributes: Vec::new(),
    };
    let mut rest = text[end..].trim_start();
    while !rest.starts_with('>') {
        if let Some(after) = rest.strip_prefix('/') {
            rest = after.trim_start();
            continue;
        }
        let end = rest
            .find(|c: char| c.is_whitespace() || matches!(c, '=' | '>' | '/'))
            .unwrap();
        assert!(
            end > 0,
            "no attribute name at {:?}",
            rest.chars().take(60).collect::<String>()
        );
        let name = rest[..end].to_owned();
        rest = &rest[end..];
        let mut value = String::new();
        if let Some(quoted) = rest.strip_prefix("=\"") {
            let (inside, after) = quoted.split_once('"').unwrap();
            inside.clone_into(&mut value);
            rest = after;
        }
        tag.attributes.push((name, value));
        rest = rest.trim_start();
    }
    (tag, &rest[1..])
}
