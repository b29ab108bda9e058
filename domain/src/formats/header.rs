//! Finding the header: by what it holds, not by where it stands.

use super::{
    FileProblem, Profile,
    card::masked,
    layout::{compare, plain_name, repeated},
    looks::{Looks, kinds_in_words, looks_like, separator_name},
    recognition::delimiter_byte,
    record::{Scan, scan},
    repair::is_of_repaired_rows,
};
use crate::{account::ProviderKind, formula_guard::unguarded};
use std::sync::Arc;

/// Lines among which the header must stand.
const HEADER_WITHIN_LINES: u64 = 20;

/// A header that fits a profile.
pub(super) struct FoundHeader {
    pub profile: Arc<Profile>,
    pub delimiter: char,
    pub line_no: u64,
    pub header: Vec<String>,
    /// The header as names are compared.
    pub names: Vec<String>,
}

/// How near a line comes to being a profile's header.
struct Near<'a> {
    profile: &'a Arc<Profile>,
    line_no: u64,
    header: String,
    missing: Vec<String>,
    known: usize,
}

/// Finds the header of a profile in the first lines of a text.
pub(super) fn find_header(
    text: &str,
    whole: bool,
    kind: ProviderKind,
    requested: Option<&Arc<Profile>>,
    profiles: &[Arc<Profile>],
) -> Result<FoundHeader, FileProblem> {
    let mut best: Option<(usize, FoundHeader)> = None;
    let mut stranger: Option<&Arc<Profile>> = None;
    let mut nearest: Option<Near> = None;
    let mut first_line = String::new();
    let mut fields = Vec::new();
    let mut delimiters: Vec<char> = Vec::new();
    for delimiter in profiles.iter().flat_map(|p| p.delimiters.iter()) {
        if !delimiters.contains(delimiter) {
            delimiters.push(*delimiter);
        }
    }
    for delimiter in delimiters {
        let mut rest = text;
        let mut line_no = 1;
        while line_no <= HEADER_WITHIN_LINES && !rest.is_empty() {
            let Scan::Record(shape) = scan(
                rest.as_bytes(),
                whole,
                delimiter_byte(delimiter),
                &mut fields,
            ) else {
                break;
            };
            let record = rest.get(..shape.len).unwrap_or_default();
            let mut header: Vec<String> = fields
                .iter()
                .map(|field| field.text(record).trim_matches('\u{feff}').to_owned())
                .collect();
            if is_of_repaired_rows(&header) {
                for name in &mut header {
                    *name = unguarded(name.trim()).to_owned();
                }
            }
            let names: Vec<String> = header.iter().map(|name| plain_name(name)).collect();
            if first_line.is_empty() {
                record.trim().clone_into(&mut first_line);
            }
            let candidates: Vec<&Arc<Profile>> = match requested {
                Some(profile) => vec![profile],
                None => profiles.iter().collect(),
            };
            for profile in candidates {
                // Cut by another delimiter, a header is one long name.
                let uncut = names.len() < 2 && profile.header.required.len() > 1;
                if uncut || !profile.delimiters.contains(&delimiter) {
                    continue;
                }
                let (missing, known) = compare(profile, &names);
                if !missing.is_empty() {
                    let nearer = known > 0
                        && nearest.as_ref().is_none_or(|near| {
                            (known, near.missing.len()) > (near.known, missing.len())
                        });
                    if nearer {
                        nearest = Some(Near {
                            profile,
                            line_no,
                            header: record.to_owned(),
                            missing,
                            known,
                        });
                    }
                } else if requested.is_none() && !profile.serves(kind) {
                    stranger = Some(profile);
                } else if best.as_ref().is_none_or(|(most, _)| known > *most) {
                    best = Some((
                        known,
                        FoundHeader {
                            profile: Arc::clone(profile),
                            delimiter,
                            line_no,
                            header: header.clone(),
                            names: names.clone(),
                        },
                    ));
                }
            }
            line_no += shape.line_ends.max(1);
            rest = rest.get(shape.taken..).unwrap_or_default();
        }
    }
    if let Some((_, found)) = best {
        return match repeated(&found.profile, &found.names) {
            Some(column) => Err(FileProblem::RepeatedColumn {
                column,
                line_no: found.line_no,
            }),
            None => Ok(found),
        };
    }
    if let Some(profile) = stranger {
        return Err(FileProblem::WrongProvider {
            profile: profile.title.clone(),
            providers: kinds_in_words(&profile.providers),
            account: kind.title().to_owned(),
        });
    }
    if let Some(problem) = misplaced(text) {
        return Err(problem);
    }
    Err(not_found(nearest, &first_line, requested, profiles))
}

/// A file that belongs elsewhere, or is separated by another character.
fn misplaced(text: &str) -> Option<FileProblem> {
    let looks = text
        .lines()
        .take(usize::try_from(HEADER_WITHIN_LINES).unwrap_or(usize::MAX))
        .find_map(looks_like)?;
    match looks {
        Looks::Payments { .. } => Some(FileProblem::PaymentsFile),
        Looks::Settlement {
            title,
            separator,
            readable: false,
            ..
        } => Some(FileProblem::WrongSeparator {
            profile: title,
            separator: separator_name(separator),
        }),
        Looks::Settlement { .. } => None,
    }
}

fn not_found(
    nearest: Option<Near>,
    first_line: &str,
    requested: Option<&Arc<Profile>>,
    profiles: &[Arc<Profile>],
) -> FileProblem {
    let shortened = |line: &str| -> String { masked(line).chars().take(200).collect() };
    match nearest {
        Some(near) if requested.is_some() || near.missing.len() <= near.known => {
            FileProblem::MissingColumn {
                profile: near.profile.name.clone(),
                column: near.missing.join(", "),
                line_no: near.line_no,
            }
        }
        Some(near) => FileProblem::UnknownHeader {
            header: shortened(&near.header),
            closest: near.profile.name.clone(),
            missing: near.missing.join(", "),
        },
        None => {
            let closest = requested.or_else(|| profiles.first());
            FileProblem::UnknownHeader {
                header: shortened(first_line),
                closest: closest.map(|p| p.name.clone()).unwrap_or_default(),
                missing: closest
                    .map(|p| p.header.required.join(", "))
                    .unwrap_or_default(),
            }
        }
    }
}
