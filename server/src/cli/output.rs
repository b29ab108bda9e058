//! What a command prints: for people by default, one JSON object with `--json`.

use domain::view::visible::visible;
use serde::Serialize;
use std::{fmt::Display, io::Write as _};

/// Where a command's answer goes.
#[derive(Debug, Clone, Copy)]
pub struct Output {
    /// Whether a program reads it.
    pub json: bool,
}

impl Output {
    /// Prints the answer: the object for a program, the text for a person, who sees every character.
    pub fn answer(self, object: &impl Serialize, text: impl Display) -> Result<(), super::Refused> {
        if self.json {
            let line = serde_json::to_string(object).map_err(super::Refused::because)?;
            write_out(&line)
        } else {
            write_out(&visible(&text.to_string()))
        }
    }

    /// Says something beside the answer, on standard error.
    pub fn say(self, text: impl Display) {
        let _ = writeln!(std::io::stderr(), "{}", visible(&text.to_string()));
    }
}

/// A reader that went away (`tieout … | head`) is no failure.
fn write_out(text: &impl Display) -> Result<(), super::Refused> {
    let mut out = std::io::stdout().lock();
    match writeln!(out, "{text}").and_then(|()| out.flush()) {
        Err(error) if error.kind() != std::io::ErrorKind::BrokenPipe => {
            Err(super::Refused::because(error))
        }
        _ => Ok(()),
    }
}

/// Columns of text, padded so that they line up; numbers on the right.
#[derive(Debug, Default)]
pub struct Table {
    rows: Vec<Vec<String>>,
    right: Vec<bool>,
}

impl Table {
    /// A table with these headings; one that begins with `>` is aligned to the right.
    pub fn new(headings: &[&str]) -> Self {
        Self {
            right: headings.iter().map(|h| h.starts_with('>')).collect(),
            rows: vec![
                headings
                    .iter()
                    .map(|h| h.trim_start_matches('>').to_owned())
                    .collect(),
            ],
        }
    }

    /// Adds a row.
    pub fn row<const N: usize>(&mut self, cells: [String; N]) {
        self.rows.push(cells.into());
    }
}

impl Display for Table {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let width = |column: usize| {
            let cells = self.rows.iter().filter_map(|row| row.get(column));
            cells.map(|cell| cell.chars().count()).max().unwrap_or(0)
        };
        let widths: Vec<usize> = (0..self.right.len()).map(width).collect();
        for (number, row) in self.rows.iter().enumerate() {
            let mut line = String::new();
            for ((cell, width), right) in row.iter().zip(&widths).zip(&self.right) {
                let pad = " ".repeat(width.saturating_sub(cell.chars().count()));
                if *right {
                    line.push_str(&pad);
                    line.push_str(cell);
                } else {
                    line.push_str(cell);
                    line.push_str(&pad);
                }
                line.push_str("  ");
            }
            if number > 0 {
                writeln!(f)?;
            }
            f.write_str(line.trim_end())?;
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_line_up_and_numbers_stand_on_the_right() {
        let mut table = Table::new(&["verdict", ">rows"]);
        table.row(["MATCHED".into(), "1204".into()]);
        table.row(["CONFLICT".into(), "3".into()]);
        assert_eq!(
            table.to_string(),
            "verdict   rows\nMATCHED   1204\nCONFLICT     3"
        );
    }
}
