//! A table that is written row by row.

use crate::Error;
use domain::{coded_enum, formula_guard::guarded, money::major};
use rust_xlsxwriter::{Format as Style, Workbook};
use std::io::{self, Write};

coded_enum! {
    /// How a table is written.
    pub enum Format as "export format" { Csv = "csv", Json = "json", Xlsx = "xlsx" }
}

/// Rows of an XLSX sheet below its header; more go to the next sheet.
const ROWS_PER_SHEET: u32 = 1_000_000;
/// Up to here a spreadsheet's numbers are exact.
const EXACT: u64 = 1 << 53;

/// One value of a row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Cell<'a> {
    /// Nothing.
    Empty,
    /// Text, which a spreadsheet must not take for a formula.
    Text(&'a str),
    /// A whole number.
    Int(i64),
    /// An amount in minor units with its number of decimals.
    Decimal(i64, u32),
}

/// A table that is being written.
pub struct Table<W: Write> {
    columns: &'static [&'static str],
    rows: u64,
    form: Form<W>,
}

enum Form<W: Write> {
    Csv(Box<csv::Writer<W>>),
    Json(W),
    Xlsx {
        book: Box<Workbook>,
        row: u32,
        out: W,
    },
}

impl Format {
    /// The media type of a file of this format.
    pub const fn media_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8",
            Self::Json => "application/json",
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }
}

impl<W: Write> Table<W> {
    /// Begins a table with a header.
    pub fn begin(format: Format, columns: &'static [&'static str], out: W) -> Result<Self, Error> {
        let form = match format {
            Format::Csv => {
                let mut writer = csv::WriterBuilder::new()
                    .buffer_capacity(1 << 16)
                    .from_writer(out);
                writer.write_record(columns).map_err(csv_failed)?;
                Form::Csv(Box::new(writer))
            }
            Format::Json => Form::Json(out),
            Format::Xlsx => Form::Xlsx {
                book: Box::new(Workbook::new()),
                row: 0,
                out,
            },
        };
        Ok(Self {
            columns,
            rows: 0,
            form,
        })
    }

    /// Appends a row: one cell for each column.
    pub fn row(&mut self, cells: &[Cell<'_>]) -> Result<(), Error> {
        if cells.len() != self.columns.len() {
            return Err(Error::Internal(format!(
                "a row of {} cells in a table of {} columns",
                cells.len(),
                self.columns.len()
            )));
        }
        let first = self.rows == 0;
        self.rows += 1;
        match &mut self.form {
            Form::Csv(writer) => {
                for cell in cells {
                    match cell {
                        Cell::Empty => writer.write_field(""),
                        Cell::Text(text) => writer.write_field(guarded(text).as_ref()),
                        Cell::Int(int) => writer.write_field(int.to_string()),
                        Cell::Decimal(minor, exponent) => {
                            writer.write_field(major(*minor, *exponent))
                        }
                    }
                    .map_err(csv_failed)?;
                }
                writer.write_record(None::<&[u8]>).map_err(csv_failed)
            }
            Form::Json(out) => json_row(out, first, self.columns, cells).map_err(failed),
            Form::Xlsx { book, row, .. } => xlsx_row(book, row, self.columns, cells),
        }
    }

    /// Ends the table and gives back what it was written to, and how many rows there were.
    pub fn finish(self) -> Result<(W, u64), Error> {
        let mut out = match self.form {
            Form::Csv(writer) => writer.into_inner().map_err(|e| failed(e.into_error()))?,
            Form::Json(mut out) => {
                let end: &[u8] = if self.rows == 0 { b"[]\n" } else { b"\n]\n" };
                out.write_all(end).map_err(failed)?;
                out
            }
            Form::Xlsx {
                mut book,
                mut row,
                mut out,
            } => {
                if self.rows == 0 {
                    xlsx_sheet(&mut book, &mut row, self.columns)?;
                }
                let bytes = book.save_to_buffer().map_err(xlsx_failed)?;
                out.write_all(&bytes).map_err(failed)?;
                out
            }
        };
        out.flush().map_err(failed)?;
        Ok((out, self.rows))
    }
}

fn json_row(
    out: &mut impl Write,
    first: bool,
    columns: &[&str],
    cells: &[Cell<'_>],
) -> io::Result<()> {
    out.write_all(if first { b"[\n{" } else { b",\n{" })?;
    for (place, (column, cell)) in columns.iter().zip(cells).enumerate() {
        if place > 0 {
            out.write_all(b",")?;
        }
        serde_json::to_writer(&mut *out, column)?;
        out.write_all(b":")?;
        match cell {
            Cell::Empty => out.write_all(b"null")?,
            Cell::Text(text) => serde_json::to_writer(&mut *out, text)?,
            Cell::Int(int) => write!(out, "{int}")?,
            Cell::Decimal(minor, exponent) => write!(out, "\"{}\"", major(*minor, *exponent))?,
        }
    }
    out.write_all(b"}")
}

fn xlsx_sheet(book: &mut Workbook, row: &mut u32, columns: &[&str]) -> Result<(), Error> {
    let sheet = book.add_worksheet_with_constant_memory();
    let bold = Style::new().set_bold();
    for (column, name) in (0_u16..).zip(columns) {
        sheet
            .write_string_with_format(0, column, *name, &bold)
            .map_err(xlsx_failed)?;
    }
    *row = 1;
    Ok(())
}

fn xlsx_row(
    book: &mut Workbook,
    row: &mut u32,
    columns: &[&str],
    cells: &[Cell<'_>],
) -> Result<(), Error> {
    if *row == 0 || *row > ROWS_PER_SHEET {
        xlsx_sheet(book, row, columns)?;
    }
    let last = book.worksheets().len().saturating_sub(1);
    let sheet = book.worksheet_from_index(last).map_err(xlsx_failed)?;
    for (column, cell) in (0_u16..).zip(cells) {
        match cell {
            Cell::Empty => continue,
            Cell::Text(text) => sheet.write_string(*row, column, guarded(text).as_ref()),
            Cell::Int(int) if int.unsigned_abs() < EXACT => {
                sheet.write_number(*row, column, exact(*int))
            }
            Cell::Int(int) => sheet.write_string(*row, column, int.to_string()),
            Cell::Decimal(minor, exponent) if minor.unsigned_abs() < EXACT => {
                let places = *exponent as usize;
                let style = if places == 0 {
                    Style::new().set_num_format("0")
                } else {
                    Style::new().set_num_format(format!("0.{}", "0".repeat(places)))
                };
                let scale = 10_f64.powi(i32::try_from(*exponent).unwrap_or(0));
                sheet.write_number_with_format(*row, column, exact(*minor) / scale, &style)
            }
            Cell::Decimal(minor, exponent) => {
                sheet.write_string(*row, column, major(*minor, *exponent))
            }
        }
        .map_err(xlsx_failed)?;
    }
    *row += 1;
    Ok(())
}

/// A number below 2^53 as a spreadsheet keeps it.
#[allow(clippy::cast_precision_loss)]
const fn exact(int: i64) -> f64 {
    int as f64
}

fn failed(error: io::Error) -> Error {
    Error::Internal(format!("the export cannot be written: {error}"))
}

fn csv_failed(error: csv::Error) -> Error {
    Error::Internal(format!("the export cannot be written: {error}"))
}

fn xlsx_failed(error: rust_xlsxwriter::XlsxError) -> Error {
    Error::Internal(format!("the workbook cannot be written: {error}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    const COLUMNS: &[&str] = &["name", "count", "amount"];

    fn written(format: Format) -> Vec<u8> {
        let mut table = Table::begin(format, COLUMNS, Vec::new()).unwrap();
        for (name, amount) in [
            ("=1+1", -1250),
            ("plain, \"quoted\"", 0),
            ("-x", i64::MAX),
            ("\tx", 5),
        ] {
            table
                .row(&[Cell::Text(name), Cell::Int(-3), Cell::Decimal(amount, 2)])
                .unwrap();
        }
        table.row(&[Cell::Empty, Cell::Empty, Cell::Empty]).unwrap();
        let (out, rows) = table.finish().unwrap();
        assert_eq!(rows, 5);
        out
    }

    #[test]
    fn text_that_begins_like_a_formula_is_made_text_and_numbers_stay_numbers() {
        assert_eq!(
            String::from_utf8(written(Format::Csv)).unwrap(),
            "name,count,amount\n'=1+1,-3,-12.50\n\"plain, \"\"quoted\"\"\",-3,0.00\n'-x,-3,92233720368547758.07\n'\tx,-3,0.05\n,,\n"
        );
    }

    #[test]
    fn json_is_a_list_of_objects_with_amounts_as_text() {
        let json: serde_json::Value = serde_json::from_slice(&written(Format::Json)).unwrap();
        assert_eq!(json.as_array().unwrap().len(), 5);
        assert_eq!(
            json[0],
            serde_json::json!({"name": "=1+1", "count": -3, "amount": "-12.50"})
        );
        let empty = Table::begin(Format::Json, COLUMNS, Vec::new()).unwrap();
        assert_eq!(empty.finish().unwrap().0, b"[]\n");
    }

    #[test]
    fn a_workbook_holds_shared_strings_and_exact_numbers() {
        let mut zip = zip::ZipArchive::new(std::io::Cursor::new(written(Format::Xlsx))).unwrap();
        let mut sheet = String::new();
        io::Read::read_to_string(
            &mut zip.by_name("xl/worksheets/sheet1.xml").unwrap(),
            &mut sheet,
        )
        .unwrap();
        assert!(sheet.contains("<v>-12.5</v>"), "{sheet}");
        assert!(sheet.contains("92233720368547758.07"), "{sheet}");
        assert!(!sheet.contains("<f>"), "{sheet}");
    }

    #[test]
    fn a_row_of_the_wrong_length_is_refused() {
        let mut table = Table::begin(Format::Csv, COLUMNS, Vec::new()).unwrap();
        assert!(table.row(&[Cell::Empty]).is_err());
    }
}
