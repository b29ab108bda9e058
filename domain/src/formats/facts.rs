//! What pass one learns of a file: counts, totals and whether what it declares ties.

use super::{
    FooterTotal, Period, Recognition, RejectedRow, Row, RowReason, TotalRule, TotalScope,
    stretches::{BusyDay, Stretch, stretches},
};
use crate::{
    line::{RowKind, SettlementLine},
    money::{Currency, Money},
    time::{Day, Instant, Zone},
};
use std::collections::BTreeMap;

/// Batches tracked per file; rows of further ones are counted, their sums are not kept.
pub const MOST_BATCHES: usize = 100_000;
/// Days tracked per file: eleven years of them. Rows of further days are counted with none.
pub const MOST_DAYS: usize = 4_000;
/// Rows named in a list; beyond them only the count grows.
const MOST_NAMED_ROWS: usize = 100;

/// Sums of one batch in one currency, in minor units.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BatchTotal {
    /// The provider's batch id, or empty for rows without one.
    pub batch_id: String,
    /// The currency of the sums.
    pub currency: Currency,
    /// Sum of gross over all readable rows but payouts and their reversals.
    pub gross: i128,
    /// Sum of fees over the same rows.
    pub fee: i128,
    /// Sum of net over the same rows.
    pub net: i128,
    /// What is declared for them, if the file declares it: minus the net of the payout rows, or
    /// zero for a batch that a profile wants at zero and that was carried over instead.
    pub declared: Option<i128>,
    /// Rows in it.
    pub rows: u64,
    /// Rows in it that are no payouts; a batch without any is a payout whose members are elsewhere.
    pub members: u64,
}

/// Rows that a page names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NamedRows {
    /// How many there are.
    pub count: u64,
    /// Physical lines of the first hundred.
    pub first_lines: Vec<u64>,
}

/// What pass one knows of a whole file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FileFacts {
    /// Data rows: lines and rejected ones.
    pub rows: u64,
    /// Rows that could be read.
    pub lines: u64,
    /// Rows that could not.
    pub rejected: u64,
    /// The last row, where the file ends in the middle of it.
    pub cut_off: Option<RejectedRow>,
    /// Blank lines, lines before the header, and trailers.
    pub blank: u64,
    /// Readable rows by kind.
    pub kinds: BTreeMap<RowKind, u64>,
    /// First day that the rows span, in the account's zone.
    pub first_day: Option<Day>,
    /// Last day that the rows span.
    pub last_day: Option<Day>,
    /// Whether there were more days than [`MOST_DAYS`], so that what the file covers is not known.
    pub days_cut: bool,
    /// Sums by batch and currency.
    pub totals: BTreeMap<(String, Currency), BatchTotal>,
    /// Whether there were more batches than [`MOST_BATCHES`], so that `totals` is not all.
    pub totals_cut: bool,
    /// What footers declare as the net of the whole file.
    pub footers: BTreeMap<Currency, i128>,
    /// The first footer whose total cannot be read.
    unread_footer: Option<RejectedRow>,
    /// The first footer that names no currency, the one in which it was read, and what is wrong with it
    /// where the file has another.
    footer_of_only: Option<(Currency, RejectedRow)>,
    /// Net of all readable rows by currency, payouts included.
    pub nets: BTreeMap<Currency, i128>,
    /// The amounts of all readable rows without their signs, by currency: no sum over any of them is more.
    pub volumes: BTreeMap<Currency, i128>,
    /// Rows whose gross less fee is not their net.
    pub uneven: NamedRows,
    /// Rows whose text was already damaged at its source.
    pub lossy_rows: u64,
    /// Ids that look as if a spreadsheet had rounded them.
    pub rounded_ids: u64,
    /// Rows without a row id that equal another row of the file: used by their occurrence.
    pub repeated_identities: NamedRows,
    zone: Zone,
    period: Period,
    rule: TotalRule,
    scope: TotalScope,
    /// Days with rows and the end of each, by the instant at which they begin.
    days: BTreeMap<Instant, (Instant, BusyDay)>,
}

impl BatchTotal {
    /// Declared less summed; nothing where nothing is declared or where the members are elsewhere.
    pub fn residual(&self) -> Option<i128> {
        self.declared
            .filter(|_| self.members > 0)
            .map(|declared| declared - self.net)
    }

    /// Whether it ties; nothing declared never ties.
    pub fn ties(&self) -> Option<bool> {
        self.residual().map(|residual| residual == 0)
    }
}

impl FileFacts {
    /// Nothing yet.
    pub fn new(recognition: &Recognition) -> Self {
        Self {
            rows: 0,
            lines: 0,
            rejected: 0,
            cut_off: None,
            blank: 0,
            kinds: BTreeMap::new(),
            first_day: None,
            last_day: None,
            days_cut: false,
            totals: BTreeMap::new(),
            totals_cut: false,
            footers: BTreeMap::new(),
            unread_footer: None,
            footer_of_only: None,
            nets: BTreeMap::new(),
            volumes: BTreeMap::new(),
            uneven: NamedRows::default(),
            lossy_rows: 0,
            rounded_ids: 0,
            repeated_identities: NamedRows::default(),
            zone: recognition.zone,
            period: recognition.profile.period,
            rule: recognition.profile.total.rule,
            scope: recognition.profile.total.scope,
            days: BTreeMap::new(),
        }
    }

    /// Adds one row.
    pub fn add(&mut self, row: &Row) {
        match row {
            Row::Blank { .. } => self.blank += 1,
            Row::Trailer { total, .. } => {
                self.blank += 1;
                self.add_footer(total);
            }
            Row::Rejected(row) => {
                self.rows += 1;
                self.rejected += 1;
                if row.reason == RowReason::CutOff {
                    self.cut_off = Some(row.clone());
                }
            }
            Row::Line(line) => {
                self.rows += 1;
                self.lines += 1;
                self.add_line(line);
            }
        }
    }

    /// Whether the totals that belong to the file tie: its footers, and its batches where the
    /// profile says that a file holds them whole. Nothing where nothing is declared; what is declared and
    /// cannot be read never ties.
    pub fn file_ties(&self) -> Option<bool> {
        if self.unread_footer().is_some() {
            return Some(false);
        }
        let footers = self.footers.iter().map(|(currency, declared)| {
            self.nets.get(currency).copied().unwrap_or_default() == *declared
        });
        let batches = self
            .totals
            .values()
            .filter(|_| self.scope == TotalScope::File)
            .filter_map(BatchTotal::ties);
        footers.chain(batches).reduce(|all, one| all && one)
    }

    /// A footer whose total cannot be read, or names no currency although the file has several.
    pub fn unread_footer(&self) -> Option<&RejectedRow> {
        let ambiguous = self
            .footer_of_only
            .as_ref()
            .filter(|(currency, _)| !self.nets.keys().eq([currency]));
        self.unread_footer
            .as_ref()
            .or(ambiguous.map(|(_, row)| row))
    }

    fn add_footer(&mut self, total: &FooterTotal) {
        match total {
            FooterTotal::None => {}
            FooterTotal::Net(net) => self.declare(*net),
            FooterTotal::OfOnlyCurrency { net, otherwise } => {
                self.declare(*net);
                self.footer_of_only
                    .get_or_insert_with(|| (net.currency, otherwise.clone()));
            }
            FooterTotal::Unreadable(row) => {
                self.unread_footer.get_or_insert_with(|| row.clone());
            }
        }
    }

    fn declare(&mut self, net: Money) {
        *self.footers.entry(net.currency).or_default() += i128::from(net.minor);
    }

    /// The batches that the file has rows of: where a profile says that a report is whole, these
    /// are the reports whose re-issue it may be.
    pub fn batch_ids(&self) -> impl Iterator<Item = &str> {
        let mut last = "";
        self.totals.keys().filter_map(move |(batch_id, _)| {
            let new = !batch_id.is_empty() && batch_id != last;
            last = batch_id;
            new.then_some(batch_id.as_str())
        })
    }

    /// The days of the rows, cut where they lie too far apart to be of one period.
    pub fn stretches(&self) -> Vec<Stretch> {
        let days: Vec<BusyDay> = self.days.values().map(|(_, busy)| *busy).collect();
        stretches(&days)
    }

    /// Whether batches whose totals hold the file were left out of the sums.
    pub fn totals_unchecked(&self) -> bool {
        self.totals_cut && self.scope == TotalScope::File && self.rule != TotalRule::None
    }

    fn add_line(&mut self, line: &SettlementLine) {
        *self.kinds.entry(line.kind).or_default() += 1;
        *self.nets.entry(line.currency).or_default() += i128::from(line.net);
        self.lossy_rows += u64::from(line.lossy_text);
        self.rounded_ids += u64::from(
            looks_rounded(&line.provider_payment_id)
                || looks_rounded(&line.merchant_reference)
                || looks_rounded(&line.row_id),
        );
        if line.occurrence > 0 {
            self.repeated_identities.note(line.line_no);
        }
        let uneven = i128::from(line.gross) - i128::from(line.fee) != i128::from(line.net);
        if uneven && !line.kind.is_fee() {
            self.uneven.note(line.line_no);
        }
        self.add_volumes(line);
        self.count_day(line);
        self.add_to_batch(line);
    }

    fn add_volumes(&mut self, line: &SettlementLine) {
        let [gross, fee, net] = [line.gross, line.fee, line.net].map(i128::from);
        let off_by = net + fee - gross;
        let moved = gross.abs() + fee.abs() + net.abs() + off_by.abs();
        *self.volumes.entry(line.currency).or_default() += moved;
        if line.presented.currency != line.currency {
            let presented = i128::from(line.presented.minor).abs();
            *self.volumes.entry(line.presented.currency).or_default() += presented;
        }
    }

    fn add_to_batch(&mut self, line: &SettlementLine) {
        let key = (line.batch_id.clone(), line.currency);
        if self.totals.len() >= MOST_BATCHES && !self.totals.contains_key(&key) {
            self.totals_cut = true;
            return;
        }
        let total = self.totals.entry(key).or_insert_with(|| BatchTotal {
            batch_id: line.batch_id.clone(),
            currency: line.currency,
            gross: 0,
            fee: 0,
            net: 0,
            declared: None,
            rows: 0,
            members: 0,
        });
        total.rows += 1;
        let declares = self.rule != TotalRule::None && !line.batch_id.is_empty();
        if matches!(line.kind, RowKind::Payout | RowKind::PayoutReversal) {
            if declares {
                *total.declared.get_or_insert(0) -= i128::from(line.net);
            }
            return;
        }
        total.members += 1;
        total.gross += i128::from(line.gross);
        total.fee += i128::from(line.fee);
        total.net += i128::from(line.net);
        // A batch that pays nothing out is carried over: it too must come to zero.
        if declares && self.rule == TotalRule::BatchSumsToZero && line.kind == RowKind::CarryOver {
            total.declared.get_or_insert(0);
        }
    }

    fn count_day(&mut self, line: &SettlementLine) {
        let time = match self.period {
            Period::Occurred => line.occurred_at.or(line.settled_at),
            Period::Settled => line.settled_at.or(line.occurred_at),
        };
        let Some(time) = time else { return };
        // Which day an instant lies in is looked up only where no known day holds it.
        if let Some((_, (end, busy))) = self.days.range_mut(..=time).next_back()
            && time < *end
        {
            busy.rows += 1;
            return;
        }
        let day = time.day_in(self.zone);
        self.first_day = Some(self.first_day.map_or(day, |first| first.min(day)));
        self.last_day = Some(self.last_day.map_or(day, |last| last.max(day)));
        if self.days.len() >= MOST_DAYS {
            self.days_cut = true;
            return;
        }
        let busy = BusyDay {
            day,
            rows: 1,
            first_line: line.line_no,
        };
        let end = day.next().start_in(self.zone);
        self.days.insert(day.start_in(self.zone), (end, busy));
    }
}

impl NamedRows {
    fn note(&mut self, line_no: u64) {
        self.count += 1;
        if self.first_lines.len() < MOST_NAMED_ROWS {
            self.first_lines.push(line_no);
        }
    }
}

/// Whether an id looks as a spreadsheet leaves it: more than 15 digits of which the last are
/// zeros, or scientific notation. Excel keeps 15 significant digits.
fn looks_rounded(id: &str) -> bool {
    let digits = id.len() > 15 && id.bytes().all(|b| b.is_ascii_digit());
    if digits {
        return id.ends_with("000");
    }
    let Some((mantissa, exponent)) = id.split_once("E+") else {
        return false;
    };
    mantissa
        .bytes()
        .all(|b| b.is_ascii_digit() || matches!(b, b'.' | b','))
        && !mantissa.is_empty()
        && !exponent.is_empty()
        && exponent.bytes().all(|b| b.is_ascii_digit())
}
