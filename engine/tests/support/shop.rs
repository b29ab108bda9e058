//! A small shop with one provider account, for tests of the main job.
#![allow(
    dead_code,
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    clippy::indexing_slicing
)] // each test file uses its part

use domain::{
    account::ProviderKind,
    actor::Actor,
    time::{Instant, Zone},
};
use engine::{
    Engine, Sources, Store,
    clock::FixedClock,
    evidence_store::EvidenceStore,
    ids::FixedIds,
    import_payments::{PaymentsImport, import_payments},
    ingest::{Ingest, Summary, accept_file, receive_file, summary, work_account},
    providers::{NewProvider, add_provider},
    testing::queries,
};
use std::sync::Arc;

pub struct Shop {
    pub engine: Engine,
    pub ingest: Ingest,
    pub clock: Arc<FixedClock>,
    _folder: tempfile::TempDir,
}

impl Shop {
    /// A shop on 2026-11-04 with the generic account `shop`, its days cut in UTC.
    pub async fn open(store: Store) -> Self {
        let clock = Arc::new(FixedClock::at(
            Instant::parse_rfc3339("2026-11-04T08:00:00Z").unwrap(),
        ));
        let sources = Sources {
            clock: clock.clone(),
            ids: Arc::new(FixedIds::default()),
        };
        let engine = Engine { store, sources };
        let folder = tempfile::tempdir().unwrap();
        let evidence = EvidenceStore::open(folder.path()).await.unwrap();
        let ingest = Ingest::silent(engine.clone(), evidence);
        let shop = Self {
            engine,
            ingest,
            clock,
            _folder: folder,
        };
        shop.add_account("shop", ProviderKind::Generic, &[]).await;
        shop
    }

    pub async fn add_account(&self, name: &str, kind: ProviderKind, set: &[(&str, &str)]) {
        let new = NewProvider {
            name: name.to_owned(),
            kind,
            zone: Zone::UTC,
            fields: set
                .iter()
                .map(|(f, v)| ((*f).to_owned(), (*v).to_owned()))
                .collect(),
        };
        add_provider(&self.engine, &Actor::Operator, new)
            .await
            .unwrap();
    }

    /// The key of an account in storage.
    pub async fn account(&self, name: &str) -> i64 {
        let all = engine::storage::accounts::all(self.engine.store.read().await.unwrap())
            .await
            .unwrap();
        all.values().find(|a| a.name == name).unwrap().id
    }

    pub async fn import_payments(&self, csv: &str) -> PaymentsImport {
        let input = std::io::Cursor::new(csv.to_owned().into_bytes());
        import_payments(&self.engine, &Actor::Operator, input)
            .await
            .unwrap()
    }

    pub async fn import_settlement(&self, name: &str, csv: &str) -> Summary {
        self.import_for("shop", name, csv.as_bytes()).await
    }

    pub async fn import_for(&self, provider: &str, name: &str, bytes: &[u8]) -> Summary {
        let stored = self.ingest.evidence.store(bytes).await.unwrap();
        let received = receive_file(&self.engine, &Actor::Operator, provider, name, None, stored)
            .await
            .unwrap();
        work_account(&self.ingest, received.account_id)
            .await
            .unwrap();
        summary(&self.engine, received.id, received.known)
            .await
            .unwrap()
    }

    pub async fn accept(&self, file: &str, reason: &str) -> Summary {
        accept_file(&self.engine, &Actor::Operator, file, reason)
            .await
            .unwrap();
        let id =
            engine::storage::files::id_by_public_id(self.engine.store.read().await.unwrap(), file)
                .await
                .unwrap()
                .unwrap();
        let account = engine::storage::files::by_id(self.engine.store.read().await.unwrap(), id)
            .await
            .unwrap()
            .account_id;
        work_account(&self.ingest, account).await.unwrap();
        summary(&self.engine, id, false).await.unwrap()
    }

    /// What is said to an acceptance that is refused.
    pub async fn try_accept(&self, file: &str, reason: &str) -> String {
        accept_file(&self.engine, &Actor::Operator, file, reason)
            .await
            .unwrap_err()
            .to_string()
    }

    /// Row id, verdict and rule of every line, by row id.
    pub async fn expect_verdicts(&self, expected: &[(&str, &str, &str)]) {
        let found = queries::verdicts(self.engine.store.read().await.unwrap())
            .await
            .unwrap();
        let found: Vec<(&str, &str, &str)> = found
            .iter()
            .map(|(r, v, u)| (r.as_str(), v.as_str(), u.as_str()))
            .collect();
        assert_eq!(found, expected);
    }

    /// Everything that was recorded is sealed, and every sum and current table follows from it.
    pub async fn expect_verified(&self) {
        let auditor = domain::actor::Actor::Person {
            user_id: 1,
            email: "auditor@example.com".to_owned(),
            roles: [domain::actor::Role::Auditor].into(),
        };
        let found = engine::verify::verify_database(&self.engine, &auditor, None)
            .await
            .unwrap();
        let broken: Vec<_> = found.checks.iter().filter(|c| !c.holds).collect();
        assert!(broken.is_empty(), "{broken:#?}");
    }

    /// Balances per ledger account over all days, debit positive; accounts at zero may be left out.
    pub async fn expect_balances(&self, expected: &[(&str, i64)]) {
        let found = queries::balances(self.engine.store.read().await.unwrap())
            .await
            .unwrap();
        let found: Vec<(&str, i64)> = found
            .iter()
            .map(|(a, b)| (a.as_str(), *b))
            .filter(|b| b.1 != 0)
            .collect();
        let expected: Vec<(&str, i64)> = expected.iter().copied().filter(|b| b.1 != 0).collect();
        assert_eq!(found, expected);
    }

    /// Kinds of the cases that are not resolved, sorted.
    pub async fn expect_open_cases(&self, expected: &[&str]) {
        assert_eq!(
            queries::open_cases(self.engine.store.read().await.unwrap())
                .await
                .unwrap(),
            expected
        );
    }

    /// Every record that says something: counts and contents of the histories but the audit log.
    pub async fn everything(&self) -> Vec<String> {
        queries::everything(self.engine.store.read().await.unwrap())
            .await
            .unwrap()
    }
}

/// People and decisions.
impl Shop {
    /// Two analysts and an approver, none of whom made another's account.
    pub async fn people(&self) -> (Actor, Actor, Actor) {
        use domain::actor::Role;
        let mut people = Vec::new();
        for (email, role) in [
            ("ana@example.com", Role::Analyst),
            ("ben@example.com", Role::Analyst),
            ("cleo@example.com", Role::Approver),
        ] {
            let new = engine::users::NewUser {
                email: email.to_owned(),
                password: "correct horse battery staple".to_owned(),
                roles: [role].into(),
            };
            let id = engine::users::add_user(&self.engine, &Actor::Operator, new)
                .await
                .unwrap()
                .id;
            people.push(Actor::Person {
                user_id: id,
                email: email.to_owned(),
                roles: [role].into(),
            });
        }
        let mut people = people.into_iter();
        (
            people.next().unwrap(),
            people.next().unwrap(),
            people.next().unwrap(),
        )
    }

    /// The public id of the one case that is open.
    pub async fn only_case(&self) -> String {
        let open = queries::open_case_ids(self.engine.store.read().await.unwrap())
            .await
            .unwrap();
        assert_eq!(open.len(), 1, "{open:?}");
        open.into_iter().next().unwrap()
    }

    /// The public id of the open case whose subject or attempt is this.
    pub async fn open_case_about(&self, what: &str) -> String {
        let open = queries::open_case_ids(self.engine.store.read().await.unwrap())
            .await
            .unwrap();
        for id in &open {
            let case = self.case(id).await;
            if case.subject == what || case.facts.contains(&format!("\"{what}\"")) {
                return id.clone();
            }
        }
        panic!("no open case about {what}");
    }

    /// Kinds of the open cases by public id.
    pub async fn open_cases_by_id(&self) -> std::collections::BTreeMap<String, String> {
        let open = queries::open_case_ids(self.engine.store.read().await.unwrap())
            .await
            .unwrap();
        let mut found = std::collections::BTreeMap::new();
        for id in open {
            let kind = self.kind(&id).await;
            found.insert(id, kind);
        }
        found
    }

    async fn case(&self, id: &str) -> engine::storage::cases::StoredCase {
        engine::storage::cases::by_public_id(self.engine.store.read().await.unwrap(), id)
            .await
            .unwrap()
            .unwrap()
    }

    pub async fn version(&self, case: &str) -> i64 {
        self.case(case).await.version
    }

    pub async fn kind(&self, case: &str) -> String {
        self.case(case).await.kind
    }

    pub async fn subject(&self, case: &str) -> String {
        self.case(case).await.subject
    }

    pub async fn account_of(&self, case: &str) -> i64 {
        self.case(case).await.account_id
    }

    pub async fn facts(&self, case: &str) -> domain::cases::CaseFacts {
        serde_json::from_str(&self.case(case).await.facts).unwrap()
    }

    pub async fn severity(&self, case: &str) -> i64 {
        self.case(case).await.severity
    }

    pub async fn state(&self, case: &str) -> String {
        self.case(case).await.state
    }

    pub async fn decide(
        &self,
        actor: &Actor,
        case: &str,
        id: &str,
        action: domain::cases::Action,
        params: domain::cases::DecisionParams,
    ) -> Result<engine::decide::Decided, engine::Error> {
        let version = self.version(case).await;
        self.decide_at(actor, case, version, id, action, params)
            .await
    }

    pub async fn decide_at(
        &self,
        actor: &Actor,
        case: &str,
        version: i64,
        id: &str,
        action: domain::cases::Action,
        params: domain::cases::DecisionParams,
    ) -> Result<engine::decide::Decided, engine::Error> {
        let request = engine::decide::DecisionRequest {
            decision_id: id.to_owned(),
            expected_version: version,
            action,
            reason_code: domain::cases::ReasonCode::for_action(action)[0],
            comment: "looked into it".to_owned(),
            params,
            evidence_hashes: Vec::new(),
        };
        engine::decide::decide_case(&self.engine, actor, case, &request).await
    }

    pub async fn approve(
        &self,
        actor: &Actor,
        decision: &str,
    ) -> Result<engine::decide::Decided, engine::Error> {
        engine::decide::answer_decision(&self.engine, actor, decision, true, "").await
    }

    /// Each attempt and how it stands.
    pub async fn outcomes(&self) -> Vec<(String, String)> {
        queries::outcomes(self.engine.store.read().await.unwrap())
            .await
            .unwrap()
    }

    /// Each attempt's outcome.
    pub async fn expect_outcomes(&self, expected: &[(&str, &str)]) {
        let found = self.outcomes().await;
        let found: Vec<(&str, &str)> = found
            .iter()
            .map(|(a, o)| (a.as_str(), o.as_str()))
            .collect();
        assert_eq!(found, expected);
    }
}
