//! What a header looks like that is not what was asked for: a file in the wrong place, or one whose
//! columns are separated by another character.

use super::{
    Profile,
    layout::{compare, plain_name},
    recognition::delimiter_byte,
    record::{Scan, scan},
};
use crate::{account::ProviderKind, payments_file};

/// Characters that separate columns somewhere.
const SEPARATORS: [char; 4] = [',', ';', '\t', '|'];

/// What a header looks like.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Looks {
    /// The company's own payments, separated by this character.
    Payments {
        /// What separates the columns.
        separator: char,
    },
    /// A settlement file of a profile.
    Settlement {
        /// The profile's title.
        title: String,
        /// Kinds of account that receive such files; empty for any.
        providers: Vec<ProviderKind>,
        /// What separates the columns.
        separator: char,
        /// Whether the profile takes that.
        readable: bool,
    },
}

/// What one line of a file looks like as a header, if it is one that we know.
pub fn looks_like(line: &str) -> Option<Looks> {
    for separator in SEPARATORS {
        let header = cut(line, separator);
        if header.len() < 2 {
            continue;
        }
        if payments_file::is_header(header.iter().map(String::as_str)) {
            return Some(Looks::Payments { separator });
        }
        let names: Vec<String> = header.iter().map(|name| plain_name(name)).collect();
        let profile = Profile::built_in()
            .iter()
            .filter_map(|profile| {
                let (missing, known) = compare(profile, &names);
                missing.is_empty().then_some((known, profile))
            })
            .max_by_key(|(known, _)| *known);
        if let Some((_, profile)) = profile {
            return Some(Looks::Settlement {
                title: profile.title.clone(),
                providers: profile.providers.clone(),
                separator,
                readable: profile.delimiters.contains(&separator),
            });
        }
    }
    None
}

/// The first record of a text, cut.
fn cut(text: &str, separator: char) -> Vec<String> {
    let mut fields = Vec::new();
    let Scan::Record(shape) = scan(
        text.as_bytes(),
        true,
        delimiter_byte(separator),
        &mut fields,
    ) else {
        return Vec::new();
    };
    let record = text.get(..shape.len).unwrap_or_default();
    fields
        .iter()
        .map(|field| {
            field
                .text(record)
                .trim_matches('\u{feff}')
                .trim()
                .to_owned()
        })
        .collect()
}

/// A separator by name.
pub const fn separator_name(separator: char) -> &'static str {
    match separator {
        ',' => "commas",
        ';' => "semicolons",
        '\t' => "tabs",
        _ => "vertical bars",
    }
}

/// Kinds of account in words: `Stripe or Adyen`.
pub fn kinds_in_words(kinds: &[ProviderKind]) -> String {
    let titles: Vec<&str> = kinds.iter().map(|kind| kind.title()).collect();
    if titles.is_empty() {
        "any kind".to_owned()
    } else {
        titles.join(" or ")
    }
}
