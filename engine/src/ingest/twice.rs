//! Which rows of a file carry the row id of another: told exactly, and in the same memory for a file of
//! any length. Hashes beyond what a buffer takes are sorted and laid down in a file without a name;
//! sorted parts are merged at the end, so that rows of one id come together.

use super::rows::Prepared;
use std::{
    cmp::Reverse,
    collections::BinaryHeap,
    fs::File,
    io::{self, Read, Seek, SeekFrom, Write},
    path::PathBuf,
};

/// Hashes held in memory: 3 MB.
const HELD: usize = 131_072;

/// Bytes that are read at once when parts are merged, shared by all parts.
const READ_AHEAD: usize = 1 << 20;

/// Sixteen bytes of identity, then eight of what the row says.
type Entry = [u8; ENTRY];
const ENTRY: usize = 24;
const IDENTITY: usize = 16;

/// Row ids that stand more than once in the file itself.
#[derive(Debug, Default, PartialEq, Eq)]
pub(super) struct Twice {
    /// Rows that say the same as one above with their id.
    pub same: u64,
    /// Rows that say something else.
    pub other: u64,
}

/// Collects the hashes of all rows of a file.
pub(super) struct RowIds {
    held: Vec<Entry>,
    most: usize,
    /// Where hashes are laid down that are too many.
    folder: PathBuf,
    laid: Option<Laid>,
}

/// Sorted parts in a file.
struct Laid {
    file: File,
    /// Where each part begins, in entries; then where the last one ends.
    bounds: Vec<u64>,
}

impl RowIds {
    pub(super) fn new(folder: PathBuf) -> Self {
        Self::with_room(folder, HELD)
    }

    fn with_room(folder: PathBuf, most: usize) -> Self {
        Self {
            held: Vec::new(),
            most,
            folder,
            laid: None,
        }
    }

    pub(super) fn add(&mut self, row: &Prepared) -> io::Result<()> {
        let mut entry = [0; ENTRY];
        let (identity, content) = entry.split_at_mut(IDENTITY);
        identity.copy_from_slice(&row.identity);
        content.copy_from_slice(&row.content);
        self.held.push(entry);
        if self.held.len() < self.most {
            return Ok(());
        }
        self.lay_down()
    }

    fn lay_down(&mut self) -> io::Result<()> {
        self.held.sort_unstable();
        if self.laid.is_none() {
            self.laid = Some(Laid {
                file: tempfile::tempfile_in(&self.folder)?,
                bounds: vec![0],
            });
        }
        if let Some(laid) = &mut self.laid {
            laid.file.write_all(self.held.as_flattened())?;
            let end = laid.bounds.last().copied().unwrap_or(0) + self.held.len() as u64;
            laid.bounds.push(end);
        }
        self.held.clear();
        Ok(())
    }

    /// What came more than once.
    pub(super) fn twice(mut self) -> io::Result<Twice> {
        let mut count = Count::default();
        if self.laid.is_some() && !self.held.is_empty() {
            self.lay_down()?;
        }
        match self.laid {
            None => {
                self.held.sort_unstable();
                self.held.iter().for_each(|entry| count.next(*entry));
            }
            Some(laid) => laid.merge(|entry| count.next(entry))?,
        }
        Ok(count.done())
    }
}

impl Laid {
    /// Gives the entries of all parts in order.
    fn merge(mut self, mut each: impl FnMut(Entry)) -> io::Result<()> {
        let parts = self.bounds.len().saturating_sub(1).max(1);
        let room = (READ_AHEAD / parts / ENTRY).max(64);
        let bounds = self.bounds.iter().zip(self.bounds.iter().skip(1));
        let mut parts: Vec<Part> = bounds
            .map(|(from, to)| Part {
                next: *from,
                end: *to,
                read: Vec::new(),
            })
            .collect();
        let mut heads = BinaryHeap::with_capacity(parts.len());
        for (at, part) in parts.iter_mut().enumerate() {
            if let Some(entry) = part.take(&mut self.file, room)? {
                heads.push(Reverse((entry, at)));
            }
        }
        while let Some(Reverse((entry, at))) = heads.pop() {
            each(entry);
            if let Some(part) = parts.get_mut(at)
                && let Some(entry) = part.take(&mut self.file, room)?
            {
                heads.push(Reverse((entry, at)));
            }
        }
        Ok(())
    }
}

/// A sorted part while it is merged.
struct Part {
    /// The next entry to read, and where the part ends.
    next: u64,
    end: u64,
    /// Entries that were read, the next one last.
    read: Vec<Entry>,
}

impl Part {
    fn take(&mut self, file: &mut File, room: usize) -> io::Result<Option<Entry>> {
        if self.read.is_empty() && self.next < self.end {
            let left = usize::try_from(self.end - self.next).unwrap_or(room);
            self.read.resize(left.min(room), [0; ENTRY]);
            file.seek(SeekFrom::Start(self.next * ENTRY as u64))?;
            file.read_exact(self.read.as_flattened_mut())?;
            self.next += self.read.len() as u64;
            self.read.reverse();
        }
        Ok(self.read.pop())
    }
}

/// Counts entries that come in order.
#[derive(Default)]
struct Count {
    twice: Twice,
    /// The first entry of the id at hand.
    first: Option<Entry>,
    /// How many more have its id, and whether all say the same.
    more: u64,
    differ: bool,
}

impl Count {
    fn next(&mut self, entry: Entry) {
        let known = self
            .first
            .filter(|first| first.get(..IDENTITY) == entry.get(..IDENTITY));
        match known {
            Some(first) => {
                self.more += 1;
                self.differ |= first != entry;
            }
            None => {
                self.settle();
                self.first = Some(entry);
            }
        }
    }

    fn settle(&mut self) {
        if self.differ {
            self.twice.other += self.more;
        } else {
            self.twice.same += self.more;
        }
        self.more = 0;
        self.differ = false;
    }

    fn done(mut self) -> Twice {
        self.settle();
        self.twice
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn row(identity: u8, content: u8) -> Prepared {
        Prepared {
            line_no: 0,
            identity: [identity; 16],
            content: [content; 8],
        }
    }

    fn twice(rows: &[(u8, u8)], room: usize) -> Twice {
        let mut ids = RowIds::with_room(std::env::temp_dir(), room);
        for (identity, content) in rows {
            ids.add(&row(*identity, *content)).unwrap();
        }
        ids.twice().unwrap()
    }

    #[test]
    fn rows_that_share_an_id_are_found_however_far_apart_they_stand() {
        // Id 1 three times with one content: two more of the same. Id 2 twice with two contents: one
        // that says something else. Id 4 three times, the last of them different: two more.
        let rows = [
            (1, 9),
            (2, 5),
            (4, 1),
            (3, 3),
            (1, 9),
            (4, 1),
            (2, 6),
            (5, 5),
            (1, 9),
            (4, 2),
        ];
        let expected = Twice { same: 2, other: 3 };
        for room in [100, 10, 4, 3, 2, 1] {
            assert_eq!(twice(&rows, room), expected, "{room} held");
        }
        assert_eq!(twice(&[], 1), Twice::default());
        assert_eq!(twice(&[(7, 7)], 1), Twice::default());
    }

    #[test]
    fn ids_that_agree_in_all_but_their_last_byte_are_two() {
        let mut other = row(1, 1);
        other.identity[15] = 2;
        let mut ids = RowIds::with_room(std::env::temp_dir(), 10);
        ids.add(&row(1, 1)).unwrap();
        ids.add(&other).unwrap();
        assert_eq!(ids.twice().unwrap(), Twice::default());
    }

    #[test]
    fn more_hashes_than_memory_takes_are_merged_in_order() {
        // 0..250 four times over, in four orders, with the same content: three more of each.
        let rows: Vec<(u8, u8)> = [1_u8, 3, 7, 9]
            .iter()
            .flat_map(|step| (0..250_u16).map(move |n| (((n * u16::from(*step)) % 250) as u8, 0)))
            .collect();
        let expected = Twice {
            same: 750,
            other: 0,
        };
        assert_eq!(twice(&rows, 64), expected);
    }
}
