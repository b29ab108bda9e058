//! The times of a row, each in the zone that its column, the row or the account names.

use super::super::{
    RowReason,
    clock_text::{Place, TimeProblem, parse_place, parse_time},
    layout::TimeColumn,
};
use super::{Fault, LineMaker, Record};
use crate::time::{Instant, Zone};

impl LineMaker {
    pub(super) fn time(
        &mut self,
        record: Record,
        columns: &[TimeColumn],
    ) -> Result<Option<Instant>, Fault> {
        for column in columns {
            let text = record.value(column.index);
            if text.is_empty() {
                continue;
            }
            let place = match column.place_column {
                None => column.place,
                Some(index) => self.place(index, &record.value(index), column.place)?,
            };
            let latest = self.recognition.latest;
            return parse_time(&text, &self.recognition.profile.time.formats, place, latest)
                .map(Some)
                .map_err(|problem| {
                    let (reason, message) = match problem {
                        TimeProblem::Unreadable => (
                            RowReason::UnreadableTime,
                            "cannot be read as a time: write it like 2026-03-01 14:05:00"
                                .to_owned(),
                        ),
                        TimeProblem::Skipped => (
                            RowReason::UnreadableTime,
                            "never was in its zone: clocks were put forward over it".to_owned(),
                        ),
                        TimeProblem::OutOfRange => (
                            RowReason::TimeOutOfRange,
                            format!(
                                "lies outside of 1970 to {}: check the year",
                                latest.day_in(Zone::UTC)
                            ),
                        ),
                    };
                    Fault::new(column.index, &text, reason, message)
                });
        }
        Ok(None)
    }

    fn place(&mut self, index: usize, text: &str, fallback: Place) -> Result<Place, Fault> {
        if text.is_empty() {
            return Ok(fallback);
        }
        if let Some((last, place)) = &self.place
            && last == text
        {
            return Ok(*place);
        }
        let place = parse_place(text).ok_or_else(|| {
            Fault::new(
                index,
                text,
                RowReason::UnreadableTime,
                "is no time zone that is known and means one offset, such as CET or PST".to_owned(),
            )
        })?;
        self.place = Some((text.to_owned(), place));
        Ok(place)
    }
}
