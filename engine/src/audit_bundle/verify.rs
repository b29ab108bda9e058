//! Verifies a bundle with no database: recomputes every leaf from its record, every root from the
//! leaves, the chain from the blocks, and compares every member with the manifest. The first record
//! that was changed is named.

use super::{
    archive::{COMMENT, DIGITS, digest},
    layout::ambiguous,
    manifest::{BLOCKS, BlockLine, FORMAT, LEAVES, MANIFEST, Manifest, member_of},
    member::MemberReader,
    sums::Sums,
};
use domain::{
    seal::{
        Block, BlockHeader, Head, Posting, RecordKind, hash_from_hex, hex_of,
        json::{self, ReadRecord},
        merkle::Tree,
    },
    time::{Day, Instant, Zone},
    view::{
        amount::counted,
        audit::{Check, Verification},
    },
};
use std::{
    collections::{BTreeMap, BTreeSet},
    fs::File,
    io::{self, BufReader, Read, Seek, SeekFrom},
    path::Path,
};
use zip::ZipArchive;

/// The largest manifest that is read.
const LARGEST_MANIFEST: u64 = 64 << 20;

type Member<'z> = MemberReader<zip::read::ZipFile<'z, BufReader<File>>>;

/// Verifies the bundle at `path`. `noted` is a head that was written down elsewhere: the chain in
/// the bundle must pass through it. Blocks until it is done.
pub fn verify_bundle(
    path: &Path,
    noted: Option<Head>,
    at: Instant,
    by: &str,
) -> io::Result<Verification> {
    // A file that is not there is the caller's trouble, not the bundle's.
    let digest_holds = check_digest(&mut File::open(path)?)?;
    let mut found = Findings::default();
    if let Err(problem) = check_members(path, noted, &mut found) {
        found.structure.get_or_insert(problem);
    } else {
        found.structure = ambiguous(path)?;
    }
    // What is wrong inside is named first; that the archive is another is true beside it.
    if found.structure.is_none() {
        found.structure = digest_holds;
    }
    let mut checks = vec![
        check("every record gives its leaf", found.records, || {
            format!("{} recomputed", counted(found.leaves, "record", "records"))
        }),
        check(
            "every block holds the root of its leaves and names the block before",
            found.chain,
            || format!("{} blocks recomputed", found.blocks),
        ),
        check(
            "every entry sums to zero in each currency",
            found.entries,
            String::new,
        ),
        check(
            "the balances are the sums of the entries",
            found.balances,
            String::new,
        ),
        check(
            "every member is as the manifest says",
            found.members,
            String::new,
        ),
        check(
            "the archive is as it was exported",
            found.structure,
            String::new,
        ),
    ];
    if let Some(noted) = noted {
        checks.push(check(
            "the noted head lies on the chain",
            found.off_chain,
            || noted.to_string(),
        ));
    }
    Ok(Verification {
        at,
        by: by.to_owned(),
        blocks: found.blocks,
        leaves: found.leaves,
        head_block: found.head.map_or(0, |h| h.number),
        head_hash: found.head.map_or_else(String::new, |h| hex_of(&h.hash)),
        checks,
    })
}

/// What was found wrong, the first of each kind.
#[derive(Default)]
struct Findings {
    records: Option<String>,
    chain: Option<String>,
    entries: Option<String>,
    balances: Option<String>,
    members: Option<String>,
    structure: Option<String>,
    off_chain: Option<String>,
    blocks: u64,
    leaves: u64,
    head: Option<Head>,
}

fn check(what: &str, broken: Option<String>, good: impl FnOnce() -> String) -> Check {
    Check {
        what: what.to_owned(),
        holds: broken.is_none(),
        detail: broken.unwrap_or_else(good),
    }
}

/// What is wrong with the digest at the archive's end, if anything is.
fn check_digest(file: &mut File) -> io::Result<Option<String>> {
    let computed = digest(file)?;
    let length = file.seek(SeekFrom::End(0))?;
    let tail = COMMENT.len() as u64 + u64::from(DIGITS);
    file.seek(SeekFrom::Start(length.saturating_sub(tail)))?;
    let mut text = Vec::new();
    file.read_to_end(&mut text)?;
    Ok(match text.strip_prefix(COMMENT.as_bytes()) {
        Some(stored) if stored == computed.as_bytes() => None,
        Some(_) => Some(
            "a byte outside the contents of its members was changed: they verify, the archive around them does not"
                .to_owned(),
        ),
        None => Some(
            "the digest at its end is missing: the archive was cut off or packed again".to_owned(),
        ),
    })
}

fn check_members(path: &Path, noted: Option<Head>, found: &mut Findings) -> Result<(), String> {
    let mut archive = open(path)?;
    let manifest = read_manifest(&mut archive)?;
    check_names(&mut archive, &manifest, found);

    let mut blocks_zip = open(path)?;
    let mut leaves_zip = open(path)?;
    let mut record_zips = RecordKind::ALL
        .iter()
        .map(|kind| Ok((*kind, open(path)?)))
        .collect::<Result<Vec<_>, String>>()?;
    let mut blocks = member(&mut blocks_zip, BLOCKS)?;
    let mut walk = Walk {
        period: period(&manifest)?,
        covered: 0,
        leaves: member(&mut leaves_zip, LEAVES)?,
        records: BTreeMap::new(),
        sums: Sums::default(),
        found,
    };
    for (kind, zip) in &mut record_zips {
        walk.records
            .insert(kind.code(), (*kind, member(zip, &member_of(*kind))?));
    }
    let mut before = None;
    loop {
        let line = match blocks.line() {
            Ok(Some(line)) => line.to_vec(),
            Ok(None) => break,
            Err(e) => {
                walk.found.members.get_or_insert(unreadable(BLOCKS, &e));
                break;
            }
        };
        let line_no = blocks.line_no();
        let Some((block, line)) = read_block(&line) else {
            let broken = format!("{BLOCKS} line {line_no} is not a block");
            walk.found.chain.get_or_insert(broken);
            break;
        };
        walk.block(&block, &line, before, noted);
        before = Some(block.head());
    }
    walk.found.head = before;
    walk.finish(&manifest, blocks);
    check_manifest(&manifest, before, noted, found);
    Ok(())
}

fn open(path: &Path) -> Result<ZipArchive<BufReader<File>>, String> {
    File::open(path)
        .map_err(zip::result::ZipError::from)
        .and_then(|file| ZipArchive::new(BufReader::new(file)))
        .map_err(|e| format!("the archive cannot be opened: {e}"))
}

fn member<'z>(zip: &'z mut ZipArchive<BufReader<File>>, name: &str) -> Result<Member<'z>, String> {
    let file = zip
        .by_name(name)
        .map_err(|e| format!("member {name} cannot be read: {e}"))?;
    if file.compression() != zip::CompressionMethod::Stored {
        return Err(format!(
            "member {name} is compressed, which an export never is"
        ));
    }
    Ok(MemberReader::new(file))
}

fn unreadable(name: &str, error: &io::Error) -> String {
    format!("member {name} is damaged: {error}")
}

fn read_manifest(archive: &mut ZipArchive<BufReader<File>>) -> Result<Manifest, String> {
    let mut text = String::new();
    archive
        .by_name(MANIFEST)
        .map_err(|e| format!("member {MANIFEST} cannot be read: {e}"))?
        .take(LARGEST_MANIFEST)
        .read_to_string(&mut text)
        .map_err(|e| unreadable(MANIFEST, &e))?;
    let manifest: Manifest = serde_json::from_str(&text)
        .map_err(|e| format!("member {MANIFEST} is not a manifest: {e}"))?;
    if manifest.format != FORMAT {
        return Err(format!(
            "this is a bundle of the form {:?}; this program verifies {FORMAT}",
            manifest.format
        ));
    }
    Ok(manifest)
}

/// Exactly the members that the manifest names, and the manifest.
fn check_names(
    archive: &mut ZipArchive<BufReader<File>>,
    manifest: &Manifest,
    found: &mut Findings,
) {
    let mut named: BTreeSet<&str> = manifest.members.iter().map(|m| m.name.as_str()).collect();
    let twice = named.len() != manifest.members.len();
    named.insert(MANIFEST);
    let present: BTreeSet<&str> = archive.file_names().collect();
    let wrong = if let Some(name) = named.difference(&present).next() {
        Some(format!("member {name} is missing"))
    } else if let Some(name) = present.difference(&named).next() {
        Some(format!("member {name:?} is not in the manifest"))
    } else if twice {
        Some("the manifest names a member twice".to_owned())
    } else {
        None
    };
    if let Some(wrong) = wrong {
        found.members.get_or_insert(wrong);
    }
}

fn read_block(line: &[u8]) -> Option<(Block, BlockLine)> {
    let line: BlockLine = serde_json::from_slice(line).ok()?;
    let block = Block {
        header: BlockHeader {
            number: line.number,
            previous: hash_from_hex(&line.previous)?,
            root: hash_from_hex(&line.root)?,
            leaf_count: line.leaf_count,
            sealed_at: line.sealed_at,
        },
        hash: hash_from_hex(&line.hash)?,
    };
    Some((block, line))
}

/// The walk along the chain.
struct Walk<'z, 'f> {
    /// From which instant to before which other a block that was sealed is covered.
    period: (i64, i64),
    /// Covered blocks so far.
    covered: u64,
    leaves: Member<'z>,
    records: BTreeMap<&'static str, (RecordKind, Member<'z>)>,
    sums: Sums,
    found: &'f mut Findings,
}

/// The days that a bundle is about, as instants.
fn period(manifest: &Manifest) -> Result<(i64, i64), String> {
    let day = |text: &String| {
        Day::parse(text).map_err(|_| format!("the manifest names {text:?}, which is no day"))
    };
    let (from, to) = (day(&manifest.from)?, day(&manifest.to)?);
    Ok((
        from.start_in(Zone::UTC).micros(),
        to.next().start_in(Zone::UTC).micros(),
    ))
}

impl Walk<'_, '_> {
    /// A block that was sealed in the period is covered, and the first one shows that none is missing
    /// before it.
    fn left_out(&mut self, block: &Block, covered: bool, first: bool) {
        let (number, sealed) = (block.header.number, block.header.sealed_at);
        let (start, end) = self.period;
        let wrong = if first && number > 1 && sealed >= start {
            format!(
                "block {number} is the first that is here, but was not sealed before the period: blocks before it are left out"
            )
        } else if !covered && (start..end).contains(&sealed) {
            format!("block {number} was sealed in the period, but its records are left out")
        } else {
            return;
        };
        self.found.chain.get_or_insert(wrong);
    }

    fn block(
        &mut self,
        block: &Block,
        line: &BlockLine,
        before: Option<Head>,
        noted: Option<Head>,
    ) {
        self.found.blocks += 1;
        let number = block.header.number;
        // The first block of a bundle need not be the first of the chain.
        let linked = match before {
            Some(_) => block.check_after(before),
            None if number == 1 => block.check_after(None),
            None => block.check_hash(),
        };
        if let Err(broken) = linked {
            self.found.chain.get_or_insert(broken.to_string());
        }
        if let Some(noted) = noted.filter(|n| n.number == number && n.hash != block.hash) {
            self.found.off_chain.get_or_insert(format!(
                "block {number} has the hash {}, the noted head says {}",
                hex_of(&block.hash),
                hex_of(&noted.hash)
            ));
        }
        self.left_out(block, line.covered, before.is_none());
        if !line.covered {
            return;
        }
        self.covered += 1;
        let mut tree = Tree::default();
        for (kind, count) in &line.batches {
            for _ in 0..*count {
                if !self.record(kind, number, &mut tree) {
                    return;
                }
            }
        }
        if i64::try_from(tree.count()) != Ok(block.header.leaf_count) {
            self.found.chain.get_or_insert(format!(
                "block {number} was sealed over {} leaves, {} are here",
                block.header.leaf_count,
                tree.count()
            ));
        } else if tree.root() != block.header.root {
            self.found.chain.get_or_insert(format!(
                "block {number} has the root {}, its leaves give {}",
                hex_of(&block.header.root),
                hex_of(&tree.root())
            ));
        }
    }

    /// The next record of a kind with the next leaf; false where the walk cannot go on.
    fn record(&mut self, kind: &str, block: i64, tree: &mut Tree) -> bool {
        let leaf = match self.leaves.hash() {
            Ok(Some(leaf)) => leaf,
            Ok(None) => {
                let short = format!("{LEAVES} ends before the leaves of block {block} do");
                self.found.members.get_or_insert(short);
                return false;
            }
            Err(e) => {
                self.found.members.get_or_insert(unreadable(LEAVES, &e));
                return false;
            }
        };
        tree.push(leaf);
        let Some((kind, member)) = self.records.get_mut(kind) else {
            self.found
                .chain
                .get_or_insert(format!("block {block} names the unknown kind {kind:?}"));
            return false;
        };
        let kind = *kind;
        let name = member_of(kind);
        let line = match member.line() {
            Ok(Some(line)) => std::str::from_utf8(line).ok().map(str::to_owned),
            Ok(None) => {
                let short = format!("{name} ends before the records of block {block} do");
                self.found.members.get_or_insert(short);
                return false;
            }
            Err(e) => {
                self.found.members.get_or_insert(unreadable(&name, &e));
                return false;
            }
        };
        self.found.leaves += 1;
        let place = format!("member {name} line {}", member.line_no());
        let read = line
            .ok_or_else(|| format!("{place}: it is not UTF-8"))
            .and_then(|line| json::read(kind, &line).map_err(|e| format!("{place}: {e}")));
        match read {
            Ok(record) if record.leaf == leaf => self.entry(kind, &record),
            Ok(record) => {
                self.found.records.get_or_insert(format!(
                    "{}, {place}: leaf differs: sealed as {}, its contents give {}",
                    record.name,
                    hex_of(&leaf),
                    hex_of(&record.leaf)
                ));
            }
            Err(problem) => {
                self.found.records.get_or_insert(problem);
            }
        }
        true
    }

    fn entry(&mut self, kind: RecordKind, record: &ReadRecord) {
        if kind != RecordKind::LedgerEntry {
            return;
        }
        let field = |name: &str| record.fields.get(name);
        let provider = field("provider")
            .and_then(|p| p.as_str())
            .unwrap_or_default();
        let postings: Vec<Posting<'_>> = field("postings")
            .and_then(|p| p.as_array())
            .map(|rows| rows.iter().filter_map(json::posting).collect())
            .unwrap_or_default();
        if let Some((currency, residual)) = self.sums.add(provider, &postings) {
            self.found.entries.get_or_insert(format!(
                "{} leaves {residual} minor units of {currency}",
                record.name
            ));
        }
    }

    /// Compares lengths, hashes and sums with the manifest.
    fn finish(self, manifest: &Manifest, blocks: Member<'_>) {
        let found = self.found;
        if manifest.covered_blocks != self.covered {
            found.members.get_or_insert(format!(
                "the manifest counts {} covered blocks, {} are here",
                manifest.covered_blocks, self.covered
            ));
        }
        if self.sums.balances() != manifest.balances {
            found
                .balances
                .get_or_insert("the manifest states other balances".to_owned());
        }
        let mut read = vec![
            (BLOCKS.to_owned(), blocks.finish()),
            (LEAVES.to_owned(), self.leaves.finish()),
        ];
        for (kind, member) in self.records.into_values() {
            read.push((member_of(kind), member.finish()));
        }
        for (name, result) in read {
            let wrong = match result {
                Err(e) => unreadable(&name, &e),
                Ok((bytes, sha256, left)) => {
                    let stated = manifest.members.iter().find(|m| m.name == name);
                    if stated.is_some_and(|m| m.bytes == bytes && m.sha256 == sha256) && !left {
                        continue;
                    }
                    if left {
                        format!("member {name} holds more than the blocks name")
                    } else {
                        format!(
                            "member {name} is not as the manifest says: {bytes} bytes, SHA-256 {sha256}"
                        )
                    }
                }
            };
            found.members.get_or_insert(wrong);
        }
    }
}

fn check_manifest(
    manifest: &Manifest,
    head: Option<Head>,
    noted: Option<Head>,
    found: &mut Findings,
) {
    let last = head.map_or_else(String::new, |h| h.to_string());
    if manifest.head != last {
        found.chain.get_or_insert(format!(
            "the manifest names the head {:?}, the chain ends with {last:?}",
            manifest.head
        ));
    }
    if manifest.blocks != found.blocks || manifest.leaves != found.leaves {
        found.members.get_or_insert(format!(
            "the manifest counts {} blocks and {} records, {} and {} are here",
            manifest.blocks, manifest.leaves, found.blocks, found.leaves
        ));
    }
    if let Some(noted) = noted {
        let last = head.map_or(0, |h| h.number);
        let first = last - i64::try_from(found.blocks).unwrap_or(0) + 1;
        if noted.number < first || noted.number > last {
            found.off_chain.get_or_insert(format!(
                "block {} is not in this bundle, which holds blocks {first} to {last}",
                noted.number
            ));
        }
    }
}
