//! Loads what must be judged together: starting from some lines and intents, everything that shares
//! a key with them, until nothing more is reached.

use crate::{
    Error,
    storage::{
        StorageError, accounts,
        matching::{self, LearnedIdRow, ShareRow, StoredLine},
        payments::{StoredAttempt, StoredIntent},
        stored,
        tx::Connected,
    },
};
use domain::{
    matching::{
        AttemptFacts, AttemptRulings, IntentFacts, LearnedFrom, LineFacts, LineName, LineRulings,
        ProviderId, Ruling, RulingSubject, World, keys::normalise,
    },
    money::{Currency, Money},
    payment::Outcome,
    posting::arithmetic_difference,
    time::Instant,
};
use std::collections::{BTreeMap, BTreeSet, HashMap};

/// More lines or payments than this that all hang together are no settlement but a mistake in the keys:
/// a constant in the reference column, say.
pub(super) const MOST_TOGETHER: usize = 50_000;

/// Where judging begins.
#[derive(Debug, Clone, Default)]
pub struct Seeds {
    /// Keys of lines.
    pub lines: BTreeSet<i64>,
    /// Keys of intents.
    pub intents: BTreeSet<i64>,
}

/// What is judged together, and how it stands.
#[derive(Debug, Default)]
pub struct Loaded {
    /// The facts.
    pub world: World,
    /// The lines as they stand.
    pub lines: BTreeMap<i64, StoredLine>,
    /// Shares as they stand, by line.
    pub shares: BTreeMap<i64, Vec<ShareRow>>,
    /// The intents.
    pub intents: BTreeMap<i64, StoredIntent>,
    /// The attempts as they stand.
    pub attempts: BTreeMap<i64, StoredAttempt>,
    /// Which ids lines taught: attempt, account, id, line.
    pub learned: BTreeSet<(i64, i64, String, i64)>,
}

impl Seeds {
    /// The same in two, each with about half of them; of one alone nothing.
    pub(super) fn halves(&self) -> Option<(Self, Self)> {
        if self.lines.len() + self.intents.len() < 2 {
            return None;
        }
        let halved = |all: &BTreeSet<i64>, round_up: bool| {
            let middle = if round_up {
                all.len().div_ceil(2)
            } else {
                all.len() / 2
            };
            let (first, second): (Vec<_>, Vec<_>) =
                all.iter().enumerate().partition(|(n, _)| *n < middle);
            let ids = |part: Vec<(usize, &i64)>| part.into_iter().map(|(_, id)| *id).collect();
            (ids(first), ids(second))
        };
        // One of each goes to a half of its own.
        let (lines, other_lines) = halved(&self.lines, true);
        let (intents, other_intents) = halved(&self.intents, false);
        Some((
            Self { lines, intents },
            Self {
                lines: other_lines,
                intents: other_intents,
            },
        ))
    }
}

/// Why nothing was loaded.
#[derive(Debug)]
pub(super) enum NotLoaded {
    /// Too much hangs together with the seeds, or with each of them for itself; what ties it together.
    TooMuch(String),
    /// Anything else.
    Failed(Error),
}

impl<E: Into<Error>> From<E> for NotLoaded {
    fn from(error: E) -> Self {
        Self::Failed(error.into())
    }
}

impl NotLoaded {
    pub(super) fn into_error(self) -> Error {
        match self {
            Self::TooMuch(what) => Error::Conflict(what),
            Self::Failed(error) => error,
        }
    }
}

/// Everything that must be judged with the seeds, over all accounts.
pub async fn load(tx: impl Connected, seeds: &Seeds) -> Result<Loaded, Error> {
    let loaded = load_few(tx, seeds, MOST_TOGETHER).await;
    loaded.map_err(NotLoaded::into_error)
}

/// The lines and intents that hang together with the seeds, the seeds among them. However many seeds there
/// are: what hangs together is counted for each.
pub async fn together(tx: impl Connected, seeds: &Seeds) -> Result<Seeds, Error> {
    together_of(tx, seeds, MOST_TOGETHER).await
}

async fn together_of(mut tx: impl Connected, seeds: &Seeds, most: usize) -> Result<Seeds, Error> {
    let mut all = Seeds::default();
    let mut parts = vec![seeds.clone()];
    while let Some(part) = parts.pop() {
        match load_few(&mut tx, &part, most).await {
            Ok(loaded) => {
                all.lines.extend(loaded.lines.keys());
                all.intents.extend(loaded.intents.keys());
            }
            Err(not) => parts.extend(halves_instead(&part, not)?),
        }
    }
    Ok(all)
}

/// What to load instead of seeds with which too much hung together: their halves, if there are any.
pub(super) fn halves_instead(seeds: &Seeds, not: NotLoaded) -> Result<[Seeds; 2], Error> {
    match (seeds.halves(), not) {
        (Some((first, second)), NotLoaded::TooMuch(_)) => Ok([second, first]),
        (_, not) => Err(not.into_error()),
    }
}

/// The same, where no more than so many lines and so many payments hang together with all of them.
pub(super) async fn load_few(
    mut tx: impl Connected,
    seeds: &Seeds,
    most: usize,
) -> Result<Loaded, NotLoaded> {
    let accounts: Vec<i64> = accounts::all(&mut tx).await?.into_keys().collect();
    let mut loaded = Loaded::default();
    let mut next = Reached {
        lines: seeds.lines.clone(),
        intents: seeds.intents.clone(),
        ..Reached::default()
    };
    while !next.lines.is_empty() || !next.intents.is_empty() {
        // Before anything of them is loaded.
        next.expect_few(&mut tx, &loaded, most).await?;
        let new_lines = take_lines(&mut tx, &mut loaded, &next.lines).await?;
        let new_intents = take_intents(&mut tx, &mut loaded, &next.intents).await?;
        next = reach(&mut tx, &accounts, &mut loaded, &new_lines, &new_intents).await?;
    }
    fill_rulings(&mut tx, &mut loaded).await?;
    Ok(loaded)
}

/// Lines alone, with their rulings, for the residual stage.
pub async fn load_lines(mut tx: impl Connected, ids: &BTreeSet<i64>) -> Result<Loaded, Error> {
    let mut loaded = Loaded::default();
    take_lines(&mut tx, &mut loaded, ids).await?;
    fill_rulings(&mut tx, &mut loaded).await?;
    Ok(loaded)
}

/// Intents alone, with attempts and rulings.
pub async fn load_intents(mut tx: impl Connected, ids: &BTreeSet<i64>) -> Result<Loaded, Error> {
    let mut loaded = Loaded::default();
    take_intents(&mut tx, &mut loaded, ids).await?;
    fill_rulings(&mut tx, &mut loaded).await?;
    Ok(loaded)
}

async fn take_lines(
    mut tx: impl Connected,
    loaded: &mut Loaded,
    ids: &BTreeSet<i64>,
) -> Result<Vec<i64>, Error> {
    let wanted = ids
        .iter()
        .copied()
        .filter(|id| !loaded.lines.contains_key(id));
    let mut found = matching::lines(&mut tx, wanted).await?;
    // Lines of a file that is held or was taken back, and rows that count elsewhere, are no facts.
    found.retain(|l| !["HELD", "REPEATED", "SUPERSEDED"].contains(&l.verdict.as_str()));
    found.sort_by_key(|l| l.id);
    let ids: Vec<i64> = found.iter().map(|l| l.id).collect();
    for share in matching::shares(&mut tx, ids.iter().copied()).await? {
        loaded.shares.entry(share.line_id).or_default().push(share);
    }
    for line in found {
        loaded.world.lines.push(line_facts(&line)?);
        loaded.lines.insert(line.id, line);
    }
    Ok(ids)
}

async fn take_intents(
    mut tx: impl Connected,
    loaded: &mut Loaded,
    ids: &BTreeSet<i64>,
) -> Result<Vec<i64>, Error> {
    let wanted: Vec<i64> = ids
        .iter()
        .copied()
        .filter(|id| !loaded.intents.contains_key(id))
        .collect();
    let found = matching::intents(&mut tx, wanted.iter().copied()).await?;
    let mut attempts = matching::attempts(&mut tx, wanted.iter().copied()).await?;
    attempts.sort_by_key(|a| (a.intent_id, a.number));
    let keys: Vec<i64> = attempts.iter().map(|a| a.id).collect();
    let learned = matching::learned_ids(&mut tx, keys.iter().copied()).await?;
    let claims = matching::claims(&mut tx, keys.iter().copied()).await?;
    let mut ids_of: HashMap<i64, Vec<&LearnedIdRow>> = HashMap::new();
    for id in &learned {
        ids_of.entry(id.attempt_id).or_default().push(id);
    }
    let mut responses_of: HashMap<i64, Vec<&str>> = HashMap::new();
    for (attempt, _, claim) in claims.iter().filter(|(_, kind, _)| kind == "api_response") {
        responses_of.entry(*attempt).or_default().push(claim);
    }
    let mut by_intent: HashMap<i64, Vec<AttemptFacts>> = HashMap::new();
    for attempt in attempts {
        let ids = ids_of.get(&attempt.id).map_or(&[][..], Vec::as_slice);
        let responses = responses_of.get(&attempt.id).map_or(&[][..], Vec::as_slice);
        let facts = attempt_facts(&attempt, ids, responses)?;
        by_intent.entry(attempt.intent_id).or_default().push(facts);
        loaded.attempts.insert(attempt.id, attempt);
    }
    for id in learned {
        if let Some(line) = id.line_id {
            loaded
                .learned
                .insert((id.attempt_id, id.account_id, id.provider_payment_id, line));
        }
    }
    for intent in found {
        let attempts = by_intent.remove(&intent.id).unwrap_or_default();
        loaded.world.intents.push(intent_facts(&intent, attempts)?);
        loaded.intents.insert(intent.id, intent);
    }
    Ok(wanted)
}

/// What lines and intents lead to.
#[derive(Default)]
struct Reached {
    lines: BTreeSet<i64>,
    intents: BTreeSet<i64>,
    /// By which keys the lines were found, with the accounts.
    keys: BTreeSet<(i64, String)>,
}

impl Reached {
    /// Refuses what nobody could judge, and says what ties it together.
    async fn expect_few(
        &self,
        mut tx: impl Connected,
        loaded: &Loaded,
        most: usize,
    ) -> Result<(), NotLoaded> {
        if loaded.intents.len() + self.intents.len() > most {
            return Err(NotLoaded::TooMuch(format!(
                "more than {most} payments hang together by their references and provider ids: check what the company sends as them"
            )));
        }
        if loaded.lines.len() + self.lines.len() <= most {
            return Ok(());
        }
        let keys = self.keys.iter().map(|(a, k)| (*a, k.as_str()));
        let tie = match matching::most_shared_key(&mut tx, keys).await? {
            Some((key, lines)) => {
                let what = if key.starts_with("r:") {
                    "reference"
                } else {
                    "provider id"
                };
                let key = key.get(2..).unwrap_or_default();
                format!(", {lines} of them by the {what} {key:?}")
            }
            None => String::new(),
        };
        Err(NotLoaded::TooMuch(format!(
            "more than {most} settlement lines hang together{tie}: check which column the profile takes as the reference"
        )))
    }
}

/// Which of the references of new lines and intents are shared by too many payments to name one, and
/// since when; noted in the world.
async fn note_shared(
    tx: impl Connected,
    loaded: &mut Loaded,
    references: &BTreeSet<String>,
) -> Result<(), Error> {
    for (key, since) in
        matching::shared_references(tx, references.iter().map(String::as_str)).await?
    {
        if let Some(since) = since {
            loaded.world.shared.insert(key, Instant::from_micros(since));
        }
    }
    Ok(())
}

/// What new lines and intents lead to, beyond what is loaded.
///
/// Of a reference that too many payments carry, only those lead to its lines that may decide whether
/// some line's is one of few; it leads to no more than those either.
async fn reach(
    mut tx: impl Connected,
    accounts: &[i64],
    loaded: &mut Loaded,
    new_lines: &[i64],
    new_intents: &[i64],
) -> Result<Reached, Error> {
    let new_intents: BTreeSet<i64> = new_intents.iter().copied().collect();
    let new_lines: BTreeSet<i64> = new_lines.iter().copied().collect();
    let references: BTreeSet<String> = loaded
        .world
        .lines
        .iter()
        .filter(|l| new_lines.contains(&l.key))
        .map(|l| normalise(&l.merchant_reference))
        .filter(|r| !r.is_empty())
        .collect();
    let sent = loaded.world.intents.iter();
    let sent = sent
        .filter(|i| new_intents.contains(&i.key))
        .map(|i| normalise(&i.merchant_reference))
        .filter(|r| !r.is_empty());
    let asked = references.iter().cloned().chain(sent).collect();
    note_shared(&mut tx, loaded, &asked).await?;
    let loaded = &*loaded;
    let shared_since = |reference: &str| loaded.world.shared.get(reference).copied();
    let line_facts = || {
        loaded
            .world
            .lines
            .iter()
            .filter(|l| new_lines.contains(&l.key))
    };
    let intent_facts = || {
        loaded
            .world
            .intents
            .iter()
            .filter(|i| new_intents.contains(&i.key))
    };

    let provider_ids: BTreeSet<(i64, &str)> = line_facts()
        .flat_map(|l| {
            [
                (l.account, l.provider_payment_id.as_str()),
                (l.account, l.modification_id.as_str()),
            ]
        })
        .filter(|(_, id)| !id.is_empty())
        .collect();
    let mut intents: BTreeSet<i64> = matching::intents_by_reference(
        &mut tx,
        references.iter().map(|reference| {
            let until = shared_since(reference).map_or(i64::MAX, Instant::micros);
            (reference.as_str(), until)
        }),
    )
    .await?
    .into_iter()
    .collect();
    intents.extend(matching::intents_by_provider_id(&mut tx, provider_ids.iter().copied()).await?);
    intents.extend(
        new_lines
            .iter()
            .filter_map(|id| loaded.lines.get(id))
            .filter_map(|l| l.intent_id),
    );
    intents.extend(
        new_lines
            .iter()
            .filter_map(|id| loaded.shares.get(id))
            .flatten()
            .map(|s| s.intent_id),
    );
    // Two payments may claim one provider id; the lines of the one may know nothing of the other.
    let claimed: BTreeSet<(i64, &str)> = intent_facts()
        .flat_map(|i| &i.attempts)
        .flat_map(|a| a.ids.iter().map(|id| (a.account, id.id.as_str())))
        .filter(|(_, id)| !id.is_empty())
        .collect();
    intents.extend(matching::intents_by_provider_id(&mut tx, claimed.iter().copied()).await?);
    // A person may have matched a line to a payment that shares no key with it.
    let mut keys: BTreeSet<(i64, String)> = BTreeSet::new();
    let mut shared_keys: BTreeSet<(i64, String)> = BTreeSet::new();
    for (account, id) in &provider_ids {
        keys.insert((*account, format!("p:{id}")));
        keys.insert((*account, format!("m:{id}")));
    }
    for intent in intent_facts() {
        for attempt in &intent.attempts {
            for id in attempt.ids.iter().filter(|i| !i.id.is_empty()) {
                keys.insert((attempt.account, format!("p:{}", id.id)));
                keys.insert((attempt.account, format!("m:{}", id.id)));
            }
        }
        // One that was never tried counts in every account, and whether it counts in one is judged
        // where it was tried in others.
        let own = [&intent.public_id, &intent.merchant_reference];
        let sent = intent.attempts.iter().map(|a| &a.idempotency_key);
        for key in own.into_iter().chain(sent).map(|text| normalise(text)) {
            if key.is_empty() {
                continue;
            }
            let of_accounts = accounts
                .iter()
                .map(|account| (*account, format!("r:{key}")));
            match shared_since(&key) {
                None => keys.extend(of_accounts),
                Some(since) if intent.created_at <= since => shared_keys.extend(of_accounts),
                // Whatever becomes of this one, no line's reference names it.
                Some(_) => {}
            }
        }
    }
    let mut lines: BTreeSet<i64> =
        matching::lines_by_key(&mut tx, keys.iter().map(|(a, k)| (*a, k.as_str())))
            .await?
            .into_iter()
            .collect();
    let shared = shared_keys.iter().map(|(a, k)| (*a, k.as_str()));
    lines.extend(matching::lines_by_shared_key(&mut tx, shared).await?);
    lines.extend(matching::lines_of_intents(&mut tx, new_intents.iter().copied()).await?);
    lines.retain(|id| !loaded.lines.contains_key(id));
    intents.retain(|id| !loaded.intents.contains_key(id));
    keys.append(&mut shared_keys);
    Ok(Reached {
        lines,
        intents,
        keys,
    })
}

async fn fill_rulings(tx: impl Connected, loaded: &mut Loaded) -> Result<(), Error> {
    let mut subjects: Vec<String> = Vec::new();
    for line in &loaded.world.lines {
        subjects.push(RulingSubject::Line(line.name.clone()).to_string());
        subjects.push(RulingSubject::Figures(line.name.clone()).to_string());
        if arithmetic_difference(&line.figures()) != 0 {
            subjects.push(RulingSubject::Difference(line.name.clone()).to_string());
        }
    }
    for attempt in loaded.world.intents.iter().flat_map(|i| &i.attempts) {
        subjects.push(RulingSubject::Attempt(attempt.public_id.clone()).to_string());
        subjects.push(RulingSubject::Missing(attempt.public_id.clone()).to_string());
        subjects.push(RulingSubject::External(attempt.public_id.clone()).to_string());
    }
    let found = matching::rulings(tx, subjects.iter().map(String::as_str)).await?;
    if found.is_empty() {
        return Ok(());
    }
    let mut by_line: HashMap<String, Vec<Ruling>> = HashMap::new();
    let mut by_attempt: HashMap<String, Vec<Ruling>> = HashMap::new();
    for (subject, text) in found {
        let ruling: Ruling = stored::json("ruling_now", "ruling", &subject, &text)?;
        match subject.parse::<RulingSubject>() {
            Ok(
                RulingSubject::Line(name)
                | RulingSubject::Figures(name)
                | RulingSubject::Difference(name),
            ) => {
                by_line.entry(name.to_string()).or_default().push(ruling);
            }
            Ok(
                RulingSubject::Attempt(id)
                | RulingSubject::Missing(id)
                | RulingSubject::External(id),
            ) => {
                by_attempt.entry(id).or_default().push(ruling);
            }
            Ok(_) => {}
            Err(e) => return Err(stored::corrupt("ruling_now", "subject", &subject, &e).into()),
        }
    }
    for line in &mut loaded.world.lines {
        for ruling in by_line.remove(&line.name.to_string()).unwrap_or_default() {
            line.rulings.set(ruling);
        }
    }
    for attempt in loaded
        .world
        .intents
        .iter_mut()
        .flat_map(|i| &mut i.attempts)
    {
        for ruling in by_attempt.remove(&attempt.public_id).unwrap_or_default() {
            attempt.rulings.set(ruling);
        }
    }
    Ok(())
}

/// A line's natural name from its file's hash and its place.
pub fn line_name(sha256: &[u8], line_no: i64) -> LineName {
    LineName::of(sha256, line_no)
}

fn line_facts(l: &StoredLine) -> Result<LineFacts, StorageError> {
    let currency = |column, text: &str| stored::parse::<Currency>("line", column, l.id, text);
    Ok(LineFacts {
        key: l.id,
        account: l.account_id,
        name: line_name(&l.sha256, l.line_no),
        kind: stored::parse("line", "kind", l.id, &l.kind)?,
        provider_payment_id: l.provider_payment_id.clone(),
        modification_id: l.modification_id.clone(),
        merchant_reference: l.merchant_reference.clone(),
        gross: l.gross,
        fee: l.fee,
        net: l.net,
        currency: currency("currency", &l.currency)?,
        presented: Money::new(
            l.presented_amount,
            currency("presented_currency", &l.presented_currency)?,
        ),
        occurred_at: l.occurred_at.map(Instant::from_micros),
        settled_at: l.settled_at.map(Instant::from_micros),
        counterparty: l.counterparty.clone(),
        rulings: LineRulings::default(),
    })
}

fn intent_facts(
    i: &StoredIntent,
    attempts: Vec<AttemptFacts>,
) -> Result<IntentFacts, StorageError> {
    let row = &i.public_id;
    Ok(IntentFacts {
        key: i.id,
        public_id: i.public_id.clone(),
        merchant_reference: i.merchant_reference.clone(),
        operation: i.operation.clone(),
        amount: Money::new(
            i.amount,
            stored::parse("intent", "currency", row, &i.currency)?,
        ),
        direction: stored::parse("intent", "direction", row, &i.direction)?,
        counterparty: i.counterparty.clone(),
        created_at: Instant::from_micros(i.created_at),
        loss_policy: stored::parse("intent", "loss_policy", row, &i.loss_policy)?,
        attempts,
    })
}

fn attempt_facts(
    a: &StoredAttempt,
    learned: &[&LearnedIdRow],
    responses: &[&str],
) -> Result<AttemptFacts, StorageError> {
    let reported: Outcome = stored::parse("attempt_now", "reported", &a.public_id, &a.reported)?;
    let mut ids = Vec::new();
    if !a.provider_payment_id.is_empty() {
        ids.push(ProviderId {
            id: a.provider_payment_id.clone(),
            learned_from: LearnedFrom::Company,
        });
    }
    for id in learned {
        ids.push(ProviderId {
            id: id.provider_payment_id.clone(),
            learned_from: match (id.learned_from.as_str(), id.line_id) {
                ("line", Some(line)) => LearnedFrom::Line(line),
                ("event", _) => LearnedFrom::Event,
                ("query", _) => LearnedFrom::Query,
                _ => LearnedFrom::Company,
            },
        });
    }
    let (mut contradicting, mut other_ids) = (BTreeSet::new(), BTreeSet::new());
    let first_id = ids
        .iter()
        .find(|i| i.learned_from == LearnedFrom::Company)
        .map(|i| i.id.clone());
    for claim in responses {
        let claim: Claim = stored::json("evidence", "claim", &a.public_id, claim)?;
        let is_final = |o: Outcome| matches!(o, Outcome::Succeeded | Outcome::Rejected);
        contradicting.extend(
            claim
                .outcome
                .filter(|o| is_final(*o) && is_final(reported) && *o != reported),
        );
        other_ids.extend(
            claim
                .provider_payment_id
                .filter(|id| !id.is_empty())
                .filter(|id| first_id.as_ref().is_some_and(|first| first != id)),
        );
    }
    Ok(AttemptFacts {
        key: a.id,
        account: a.account_id,
        public_id: a.public_id.clone(),
        number: a.number,
        reported,
        contradicting_reports: contradicting.into_iter().collect(),
        contradicting_ids: other_ids.into_iter().collect(),
        idempotency_key: a.idempotency_key.clone(),
        ids,
        started_at: Instant::from_micros(a.started_at),
        rulings: AttemptRulings::default(),
    })
}

#[derive(serde::Deserialize)]
struct Claim {
    outcome: Option<Outcome>,
    provider_payment_id: Option<String>,
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{
        Engine,
        evidence_store::EvidenceStore,
        import_payments::import_payments,
        ingest::{Ingest, receive_file, work_account},
        providers::{NewProvider, add_provider},
        testing::both,
    };
    use domain::{account::ProviderKind, actor::Actor, time::Zone};
    use std::fmt::Write;

    /// How many payments each of four references has; a line names each of the references.
    const GROUPS: [usize; 4] = [2, 3, 1, 2];

    async fn groups(engine: &Engine) {
        let operator = Actor::Operator;
        let new = NewProvider {
            name: "shop".to_owned(),
            kind: ProviderKind::Generic,
            zone: Zone::UTC,
            fields: Vec::new(),
        };
        add_provider(engine, &operator, new).await.unwrap();
        let mut payments = "intent_id,merchant_reference,operation,amount,currency,direction,counterparty,created_at,loss_policy,attempt_id,attempt_no,provider,idempotency_key,provider_payment_id,started_at,finished_at,outcome,error_code\n".to_owned();
        let mut lines = "row_id,kind,provider_payment_id,merchant_reference,gross,fee,net,currency,occurred_at,settled_at,batch_id,counterparty,description\n".to_owned();
        for (group, size) in GROUPS.into_iter().enumerate() {
            for n in 0..size {
                writeln!(payments, "i{group}-{n},ref-{group},charge,10.00,EUR,in,,2025-11-02T09:00:00Z,,a{group}-{n},1,shop,k{group}-{n},,2025-11-02T09:00:01Z,,succeeded,").unwrap();
            }
            writeln!(lines, "r{group},payment,,ref-{group},10.00,0.00,10.00,EUR,2025-11-02T09:00:02Z,2025-11-03T00:00:00Z,,,").unwrap();
        }
        let input = std::io::Cursor::new(payments.into_bytes());
        import_payments(engine, &operator, input).await.unwrap();
        let folder = tempfile::tempdir().unwrap();
        let evidence = EvidenceStore::open(folder.path()).await.unwrap();
        let stored = evidence.store(lines.as_bytes()).await.unwrap();
        let ingest = Ingest::silent(engine.clone(), evidence);
        let received = receive_file(engine, &operator, "shop", "day.csv", None, stored);
        let account = received.await.unwrap().account_id;
        work_account(&ingest, account).await.unwrap();
    }

    // Eight payments and four lines, of which at most three hang together; four together are too many.
    #[test]
    fn what_hangs_together_is_counted_for_each_seed() {
        both(async |store| {
            let engine = Engine::new(store);
            groups(&engine).await;
            let mut tx = engine.store.begin().await.unwrap();
            let seeds = Seeds {
                lines: (1..=4).collect(),
                intents: BTreeSet::from([1, 8]),
            };
            let whole = load_few(&mut tx, &seeds, 8).await.unwrap();
            assert_eq!((whole.lines.len(), whole.intents.len()), (4, 8));
            let few = load_few(&mut tx, &seeds, 3).await;
            assert!(matches!(few, Err(NotLoaded::TooMuch(_))), "{few:?}");
            let all = together_of(&mut tx, &seeds, 3).await.unwrap();
            assert_eq!((all.lines.len(), all.intents.len()), (4, 8));
            // The second reference alone has three.
            let refused = together_of(&mut tx, &seeds, 2).await.unwrap_err();
            let refused = refused.to_string();
            assert!(
                refused.contains("more than 2 payments hang together"),
                "{refused}"
            );
        });
    }
}
