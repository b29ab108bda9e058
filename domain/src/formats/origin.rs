//! Where repaired rows come from.
//!
//! Rows without a row id that are equal are told apart by how many came before each in its file. A rejected
//! row that goes out to be repaired loses that place, and would come back as the first of its kind: as one
//! that counts already. So it goes out with its [`Origin`], and comes back as if it stood behind all rows that
//! could be read in its file. That holds for all rejected rows of a file together, so the upload must have
//! them all; where it has not, or does not say where a row is from, the row is rejected and nothing is guessed.

use super::{ReadError, Recognition, RowReader};
use std::{
    collections::{BTreeMap, BTreeSet, HashMap},
    fmt,
    io::Read,
    sync::Arc,
};

/// The place of a rejected row.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Origin {
    /// SHA-256 of its file.
    pub file: [u8; 32],
    /// Its physical line there.
    pub line_no: u64,
}

const BEGIN: &str = "[line ";
const MIDDLE: &str = " of sha256 ";

impl fmt::Display for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let file = hex::encode(self.file);
        write!(f, "{BEGIN}{}{MIDDLE}{file}]", self.line_no)
    }
}

impl Origin {
    /// The origin at the end of a cell.
    pub(super) fn at_end_of(cell: &str) -> Option<Self> {
        let (_, place) = cell.trim_end().strip_suffix(']')?.rsplit_once(BEGIN)?;
        let (line, hash) = place.split_once(MIDDLE)?;
        let mut file = [0; 32];
        hex::decode_to_slice(hash, &mut file).ok()?;
        Some(Self {
            file,
            line_no: line.parse().ok()?,
        })
    }
}

/// The origins that the rows of a file name.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Origins {
    lines: BTreeMap<[u8; 32], BTreeSet<u64>>,
    twice: bool,
}

impl Origins {
    /// Those of a file of repaired rows.
    pub fn read(input: impl Read, recognition: &Recognition) -> Result<Self, ReadError> {
        let mut reader = RowReader::new(input, recognition);
        while reader.next_row()?.is_some() {}
        Ok(reader.into_origins())
    }

    pub(super) fn add(&mut self, origin: Origin) {
        let lines = self.lines.entry(origin.file).or_default();
        self.twice |= !lines.insert(origin.line_no);
    }

    /// The file that they all name, each of its lines once.
    pub fn file(&self) -> Option<[u8; 32]> {
        let mut files = self.lines.keys();
        let first = files.next().copied();
        first.filter(|_| files.next().is_none() && !self.twice)
    }
}

/// What the rows of a file leave behind for those of its rows that come back repaired.
#[derive(Debug, PartialEq, Eq)]
pub struct Earlier {
    pub(super) file: [u8; 32],
    /// How often each identity without a row id was met, by its 64-bit hash.
    pub(super) met: HashMap<u64, u32>,
    rejected: BTreeSet<u64>,
}

impl Earlier {
    /// That of a whole file with this SHA-256. None where the file has repaired rows itself whose place it
    /// does not know.
    pub fn read(
        input: impl Read,
        recognition: &Recognition,
        file: [u8; 32],
    ) -> Result<Option<Self>, ReadError> {
        let mut reader = RowReader::new(input, recognition);
        let mut rejected = BTreeSet::new();
        while let Some(row) = reader.next_row()? {
            if let super::Row::Rejected(row) = row
                && row.row_id.is_empty()
            {
                rejected.insert(row.line_no);
            }
        }
        Ok(reader.into_met().map(|met| Self {
            file,
            met,
            rejected,
        }))
    }

    /// Whether all of its rows without a row id that could not be read are among these.
    fn is_whole_in(&self, origins: &Origins) -> bool {
        let lines = origins.lines.get(&self.file);
        lines.is_some_and(|lines| self.rejected.is_subset(lines))
    }
}

impl Recognition {
    /// Whether the file's rows went out to be repaired.
    pub const fn is_of_repaired_rows(&self) -> bool {
        self.guarded
    }

    /// The same for rows that stand behind those of an earlier file, if all that it rejected are here.
    #[must_use]
    pub fn behind(mut self, earlier: Earlier, origins: &Origins) -> Self {
        if earlier.is_whole_in(origins) {
            self.earlier = Some(Arc::new(earlier));
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_read_from_the_end_of_a_cell_or_not_at_all() {
        let origin = Origin {
            file: [0xab; 32],
            line_no: 17,
        };
        let whole = format!("line 17, fee: fee \"[line 1\" is no amount {origin} ");
        assert_eq!(Origin::at_end_of(&whole), Some(origin));
        for cell in [
            "",
            "line 17, fee: wrong",
            "line 17, fee: wrong [line 17 of sha256 abab]",
            "line 17 [line x of sha256 abababababababababababababababababababababababababababababababab]",
            &whole.replace(']', ""),
            &format!("{whole}."),
        ] {
            assert_eq!(Origin::at_end_of(cell), None, "{cell:?}");
        }
    }
}
