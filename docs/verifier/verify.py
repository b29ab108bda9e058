#!/usr/bin/env python3
"""Verifies a Tieout audit bundle. Python 3.8 or newer, standard library only.

    python3 verify.py BUNDLE.zip [--head N:HASH]

Written from the specification in README.md beside it, not from Tieout's own code. Exit code 0:
verified; 1: something differs, the first record that does is named; 2: wrong usage.
"""

import datetime
import hashlib
import json
import struct
import sys
import zipfile

# Field types. A hash says how many bytes it has.
INT, OPT_INT, ID, OPT_ID, TEXT, POSTINGS, HASH32, HASH16 = (
    "int", "opt_int", "id", "opt_id", "text", "postings", "hash32", "hash16")

# Every kind of record: its fields in the order in which they are sealed.
KINDS = {
    "user_event": "user:text what:id roles:id by:text at:int",
    "audit_record": "at:int actor:text action:id subject:text detail:text",
    "provider_policy": "provider:id kind:id zone:id version:int fields:id changed_by:text changed_at:int",
    "intent": "intent:id merchant_reference:id operation:id amount:int currency:id direction:id "
              "counterparty:text created_at:int loss_policy:id source:id",
    "attempt": "intent:id provider:id attempt:id number:int idempotency_key:id provider_payment_id:id "
               "started_at:int finished_at:opt_int outcome:id error_code:id",
    "attempt_event": "attempt:id seq:int outcome:id provider_payment_id:id finished_at:opt_int "
                     "error_code:id cause_kind:id cause:id acted_at:opt_int",
    "intent_event": "intent:id version:int state:id cause_kind:id cause:id acted_at:opt_int",
    "evidence": "kind:id provider:opt_id intent:opt_id attempt:opt_id source:text content_hash:hash32 "
                "claim:text occurred_at:opt_int received_at:int",
    "settlement_file": "provider:id file:hash32 bytes:int name:text received_at:int received_by:text",
    "file_event": "provider:id file:hash32 seq:int state:id detail:text actor:text acted_at:opt_int",
    "line": "provider:id file:hash32 line_no:int byte_offset:int byte_len:int row_id:id identity:hash16 "
            "kind:id source_kind:id provider_payment_id:id modification_id:id merchant_reference:id "
            "gross:int fee:int net:int currency:id presented_amount:int presented_currency:id "
            "occurred_at:opt_int settled_at:opt_int accounting_day:int batch:id counterparty:text "
            "description:text lossy_text:int",
    "verdict": "provider:id file:hash32 line_no:int seq:int verdict:id rule:id policy_version:int "
               "intent:opt_id attempt:opt_id contra:id contra_amount:int contra_currency:id detail:text "
               "cause_kind:id cause:id",
    "rejected_row": "provider:id file:hash32 line_no:int byte_offset:int byte_len:int row_id:text "
                    "column_name:text value:text reason:id message:text",
    "review_case": "kind:id subject:id opening:int provider:id",
    "case_event": "kind:id subject:id opening:int version:int what:id state:id detail:text actor:text "
                  "acted_at:opt_int",
    "decision": "decision:id case_kind:id case_subject:id case_opening:int case_version:int "
                "evidence_version:int action:id reason_code:id comment:text params:text input_hash:hash32 "
                "evidence_hashes:id needs_approval:int decided_by:text decided_at:int reverses:opt_id",
    "approval": "decision:id approved:int comment:text approved_by:text approved_at:int",
    "ledger_entry": "provider:id accounting_day:int batch:id cause_kind:id cause:id detail:text "
                    "postings:postings",
}
KINDS = {kind: [tuple(field.split(":")) for field in fields.split()] for kind, fields in KINDS.items()}


class Broken(Exception):
    """Something is not as it was sealed."""


def sha256(data):
    return hashlib.sha256(data).digest()


def put_int(value):
    if type(value) is not int:
        raise ValueError("not an integer")
    return struct.pack(">q", value)


def put_id(value):
    data = value.encode("utf-8")
    return struct.pack(">I", len(data)) + data


def put_hash(value, length):
    data = bytes.fromhex(value)
    if len(data) != length or value != value.lower():
        raise ValueError("a hash of another length or spelling")
    return data


def put_text(value):
    if value == "":
        return b"\x00"
    if set(value) == {"salt", "text"}:
        return b"\x01" + sha256(put_hash(value["salt"], 16) + value["text"].encode("utf-8"))
    if set(value) == {"hash"}:
        return b"\x01" + put_hash(value["hash"], 32)
    raise ValueError("not a text")


def put_postings(rows):
    out = struct.pack(">I", len(rows))
    for account, currency, amount in rows:
        out += put_id(account) + put_id(currency) + put_int(amount)
    return out


def put_optional(value, put):
    return b"\x00" if value is None else b"\x01" + put(value)


PUT = {
    INT: put_int,
    ID: put_id,
    TEXT: put_text,
    POSTINGS: put_postings,
    OPT_INT: lambda value: put_optional(value, put_int),
    OPT_ID: lambda value: put_optional(value, put_id),
    HASH32: lambda value: put_hash(value, 32),
    HASH16: lambda value: put_hash(value, 16),
}


def canonical(kind, record):
    """The canonical bytes of a record."""
    fields = KINDS[kind]
    if list(record) != [name for name, _ in fields]:
        raise ValueError("its fields are not those of its kind")
    out = b"\x01" + put_id(kind)
    for name, type_ in fields:
        out += PUT[type_](record[name])
    return out


def leaf_hash(canonical_bytes):
    return sha256(b"\x00" + canonical_bytes)


def node_hash(left, right):
    return sha256(b"\x01" + left + right)


def merkle_root(leaves):
    """RFC 6962, section 2.1, over leaf hashes."""
    if not leaves:
        return sha256(b"")
    if len(leaves) == 1:
        return leaves[0]
    split = 1
    while split * 2 < len(leaves):
        split *= 2
    return node_hash(merkle_root(leaves[:split]), merkle_root(leaves[split:]))


def header_bytes(block):
    return (b"\x02\x01" + put_int(block["number"]) + put_hash(block["previous"], 32)
            + put_hash(block["root"], 32) + put_int(block["leaf_count"]) + put_int(block["sealed_at"]))


def block_hash(block):
    return sha256(header_bytes(block))


class Member:
    """A member that is read in order and hashed on the way.

    Members are stored, so they are read straight from the archive: zipfile would give up at its own
    checksum before the changed record could be named.
    """

    def __init__(self, path, bundle, name):
        info = bundle.getinfo(name)
        if info.compress_type != zipfile.ZIP_STORED:
            raise Broken(f"member {name} is compressed, which an export never is")
        self.name, self.left, self.hash, self.size, self.line = name, info.file_size, hashlib.sha256(), 0, 0
        self.file = open(path, "rb")
        self.file.seek(info.header_offset)
        header = self.file.read(30)
        name_length, extra_length = struct.unpack("<HH", header[26:30])
        if header[:4] != b"PK\x03\x04" or self.file.read(name_length) != name.encode("ascii"):
            raise Broken(f"the header of member {name} is damaged")
        self.file.seek(extra_length, 1)

    def take(self, data):
        self.hash.update(data)
        self.size += len(data)
        self.left -= len(data)
        return data

    def next_line(self):
        self.line += 1
        return self.take(self.file.readline(self.left))

    def next_bytes(self, count):
        return self.take(self.file.read(min(count, self.left)))

    def finish(self):
        if self.left:
            raise Broken(f"member {self.name} holds more than the blocks name")
        self.file.close()
        return self.size, self.hash.hexdigest()


def unique(pairs):
    """The fields of an object; one that is there twice would say two things."""
    fields = dict(pairs)
    if len(fields) != len(pairs):
        raise ValueError("a field is there twice")
    return fields


def digest_of(path):
    """Stored and computed digest over the archive: all bytes but the last 64."""
    with open(path, "rb") as file:
        data = file.read()
    marker = b"tieout-sha256:"
    if data[-64 - len(marker):-64] != marker:
        raise Broken("the digest at the archive's end is missing")
    return data[-64:].decode("ascii", "replace"), hashlib.sha256(data[:-64]).hexdigest()


def check_record(kind, member, leaf, sums):
    line = member.next_line()
    place = f"member {member.name} line {member.line}"
    if not line.endswith(b"\n"):
        raise Broken(f"{place}: it ends too early")
    try:
        record = json.loads(line.decode("utf-8"), object_pairs_hook=unique)
        computed = leaf_hash(canonical(kind, record))
    except (ValueError, KeyError, TypeError, AttributeError, struct.error) as problem:
        raise Broken(f"{place}: not a {kind}: {problem}") from None
    if computed != leaf:
        names = [str(record[name]) for name, type_ in KINDS[kind]
                 if type_ in (ID, INT, HASH32) and name in
                 ("provider", "file", "line_no", "seq", "intent", "attempt", "decision", "subject", "cause")]
        raise Broken(f"{kind} {':'.join(names)}, {place}: leaf differs: sealed as {leaf.hex()}, "
                     f"its contents give {computed.hex()}")
    if kind == "ledger_entry":
        residual = {}
        for account, currency, amount in record["postings"]:
            residual[currency] = residual.get(currency, 0) + amount
            sides = sums.setdefault((record["provider"], account, currency), [0, 0])
            sides[0 if amount > 0 else 1] += abs(amount)
        if any(residual.values()):
            raise Broken(f"{place}: the entry does not sum to zero")


def micros(day):
    """The first microsecond of a day in UTC."""
    moment = datetime.datetime.strptime(day, "%Y-%m-%d").replace(tzinfo=datetime.timezone.utc)
    return int(moment.timestamp()) * 1_000_000


def verify(path, noted=None):
    """Raises Broken at the first difference; returns what was verified."""
    bundle = zipfile.ZipFile(path)
    if bundle.getinfo("manifest.json").file_size > 64 << 20:
        raise Broken("the manifest is larger than any that is written")
    manifest = json.loads(bundle.read("manifest.json"), object_pairs_hook=unique)
    if manifest["format"] != "tieout-audit-1":
        raise Broken(f"this is a bundle of the form {manifest['format']!r}")
    stated = {member["name"]: member for member in manifest["members"]}
    if sorted(bundle.namelist()) != sorted([*stated, "manifest.json"]):
        raise Broken("the members are not those of the manifest")

    records = {kind: Member(path, bundle, f"{kind}.jsonl") for kind in KINDS}
    blocks, leaves = Member(path, bundle, "blocks.jsonl"), Member(path, bundle, "leaves.bin")
    before, head_seen, counted, covered, sums = None, noted is None, 0, 0, {}
    start, end = micros(manifest["from"]), micros(manifest["to"]) + 86_400_000_000
    while True:
        line = blocks.next_line()
        if not line:
            break
        try:
            block = json.loads(line, object_pairs_hook=unique)
            number, digest = block["number"], block_hash(block)
        except (ValueError, KeyError, TypeError) as problem:
            raise Broken(f"blocks.jsonl line {blocks.line}: not a block: {problem}") from None
        if digest.hex() != block["hash"]:
            raise Broken(f"block {number}: its contents give the hash {digest.hex()}")
        expected = ("00" * 32) if number == 1 else None
        if before is not None:
            if number != before["number"] + 1:
                raise Broken(f"block {number} follows block {before['number']}")
            expected = before["hash"]
        if expected is not None and block["previous"] != expected:
            raise Broken(f"block {number} does not name the block before")
        if noted == (number, block["hash"]):
            head_seen = True
        if before is None and number > 1 and block["sealed_at"] >= start:
            raise Broken(f"block {number}: blocks of the period before it are left out")
        if not block["covered"] and start <= block["sealed_at"] < end:
            raise Broken(f"block {number}: sealed in the period, but its records are left out")
        if block["covered"]:
            stored = []
            for kind, count in block["batches"]:
                if kind not in records:
                    raise Broken(f"block {number} names the unknown kind {kind!r}")
                for _ in range(count):
                    leaf = leaves.next_bytes(32)
                    stored.append(leaf)
                    check_record(kind, records[kind], leaf, sums)
            covered += 1
            counted += len(stored)
            if len(stored) != block["leaf_count"] or merkle_root(stored).hex() != block["root"]:
                raise Broken(f"block {number}: its leaves do not give its root")
        before = block

    head = "" if before is None else f"{before['number']}:{before['hash']}"
    if (manifest["head"], manifest["leaves"], manifest["covered_blocks"]) != (head, counted, covered):
        raise Broken("the manifest states another head or another number of records or blocks")
    for member in [blocks, leaves, *records.values()]:
        size, digest = member.finish()
        entry = stated[member.name]
        if (entry["bytes"], entry["sha256"]) != (size, digest):
            raise Broken(f"member {member.name} is not as the manifest says")
    balances = [{"provider": p, "account": a, "currency": c, "debit": d, "credit": k}
                for (p, a, c), (d, k) in sorted(sums.items())]
    if balances != manifest["balances"]:
        raise Broken("the manifest states other balances than the entries give")
    stored, computed = digest_of(path)
    if stored != computed:
        raise Broken("a byte outside the contents of the members was changed")
    if not head_seen:
        raise Broken("the noted head does not lie on this chain")
    return head, counted


def main(arguments):
    noted = None
    if len(arguments) == 3 and arguments[1] == "--head":
        number, _, digest = arguments[2].partition(":")
        noted = (int(number), digest)
    elif len(arguments) != 1:
        print(__doc__, file=sys.stderr)
        return 2
    try:
        head, counted = verify(arguments[0], noted)
    except (Broken, zipfile.BadZipFile, KeyError, ValueError, OSError) as problem:
        print(f"NOT VERIFIED: {problem}")
        return 1
    print(f"verified: {counted} records, head {head}")
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
