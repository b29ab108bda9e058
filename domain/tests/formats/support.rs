//! Reads bytes the way the engine does.

use domain::{
    account::ProviderKind,
    formats::{
        FileFacts, FileProblem, ReadContext, ReadError, Recognition, RejectedRow, Row, RowReader,
        recognise,
    },
    line::SettlementLine,
    time::Instant,
};

pub const TIEOUT_HEADER: &str = "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,\
    currency,occurred_at,settled_at,batch_id,counterparty,description";

/// A file, read.
pub struct Reading {
    pub recognition: Recognition,
    pub rows: Vec<Row>,
    pub facts: FileFacts,
}

pub fn context(kind: ProviderKind) -> ReadContext {
    ReadContext {
        kind,
        zone: "Europe/Berlin".parse().unwrap(),
        reference_column: String::new(),
        latest: Instant::parse_rfc3339("2036-11-04T00:00:00Z").unwrap(),
    }
}

pub fn try_read(bytes: &[u8], context: &ReadContext) -> Result<Reading, FileProblem> {
    let recognition = recognise(bytes, true, context, None)?;
    let mut facts = FileFacts::new(&recognition);
    let mut rows = Vec::new();
    for row in RowReader::new(bytes, &recognition) {
        match row {
            Ok(row) => {
                facts.add(&row);
                rows.push(row);
            }
            Err(ReadError::File(problem)) => return Err(problem),
            Err(ReadError::Io(error)) => panic!("{error}"),
        }
    }
    Ok(Reading {
        recognition,
        rows,
        facts,
    })
}

pub fn read_as(kind: ProviderKind, bytes: impl AsRef<[u8]>) -> Reading {
    try_read(bytes.as_ref(), &context(kind)).unwrap()
}

/// A Tieout file of these rows, under the contract's header.
pub fn tieout(rows: &[&str]) -> String {
    let mut file = TIEOUT_HEADER.to_owned();
    for row in rows {
        file.push('\n');
        file.push_str(row);
    }
    file.push('\n');
    file
}

/// One Tieout row with this gross, net and currency.
pub fn paying(amount: &str, currency: &str) -> String {
    format!(
        "r1,payment,pay_1,ORD-1,\"{amount}\",0,\"{amount}\",{currency},2026-03-01T10:00:00Z,,B-1,,"
    )
}

pub fn read_tieout(rows: &[&str]) -> Reading {
    read_as(ProviderKind::Generic, tieout(rows))
}

pub fn utf16(text: &str, little: bool) -> Vec<u8> {
    text.encode_utf16()
        .flat_map(|unit| {
            if little {
                unit.to_le_bytes()
            } else {
                unit.to_be_bytes()
            }
        })
        .collect()
}

impl Reading {
    pub fn lines(&self) -> Vec<&SettlementLine> {
        self.rows
            .iter()
            .filter_map(|row| match row {
                Row::Line(line) => Some(line),
                _ => None,
            })
            .collect()
    }

    pub fn line(&self, row_id: &str) -> &SettlementLine {
        self.lines()
            .into_iter()
            .find(|line| line.row_id == row_id)
            .unwrap()
    }

    pub fn rejected(&self) -> Vec<&RejectedRow> {
        self.rows
            .iter()
            .filter_map(|row| match row {
                Row::Rejected(row) => Some(row),
                _ => None,
            })
            .collect()
    }

    /// Gross, fee and net of a batch, what is declared for it, and whether it ties.
    pub fn batch(
        &self,
        batch_id: &str,
        currency: &str,
    ) -> (i128, i128, i128, Option<i128>, Option<bool>) {
        let key = (batch_id.to_owned(), currency.parse().unwrap());
        let total = &self.facts.totals[&key];
        (
            total.gross,
            total.fee,
            total.net,
            total.declared,
            total.ties(),
        )
    }
}
