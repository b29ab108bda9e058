//! Who may approve what whom decided: one rule, for the engine that refuses and for every page and
//! list that offers.
//!
//! An approver is another person with the approver role, let in, and neither of the two made or last
//! changed the other's account, be it by way of accounts that they made. So nobody makes themselves a
//! second pair of eyes.

use crate::storage::{
    StorageError,
    tx::Connected,
    users::{self, UserAccount},
};
use domain::actor::Permission;
use std::collections::{BTreeMap, BTreeSet};

/// Everybody who has an account.
#[derive(Debug, Clone, Default)]
pub struct People {
    by_id: BTreeMap<i64, UserAccount>,
}

impl People {
    /// As they stand.
    pub async fn read(tx: impl Connected) -> Result<Self, StorageError> {
        Ok(Self::of(users::list(tx).await?))
    }

    /// These.
    pub fn of(accounts: Vec<UserAccount>) -> Self {
        Self {
            by_id: accounts.into_iter().map(|a| (a.id, a)).collect(),
        }
    }

    /// Whether one of them may approve what another decided.
    pub fn may_approve(&self, decider: i64, approver: i64) -> bool {
        let (Some(by), Some(of)) = (self.by_id.get(&approver), self.by_id.get(&decider)) else {
            return false;
        };
        decider != approver
            && approves(by)
            && !self.makers(by).contains(&decider)
            && !self.makers(of).contains(&approver)
    }

    /// Who may approve what somebody decided, by address; every approver where nobody did yet.
    pub fn approvers(&self, decider: Option<i64>) -> Vec<&UserAccount> {
        let mut found: Vec<_> = self
            .by_id
            .values()
            .filter(|a| approves(a) && decider.is_none_or(|d| self.may_approve(d, a.id)))
            .collect();
        found.sort_by(|a, b| a.email.cmp(&b.email));
        found
    }

    /// Whose decisions one of them may approve.
    pub fn deciders(&self, approver: i64) -> Vec<i64> {
        let all = self.by_id.keys().copied();
        all.filter(|decider| self.may_approve(*decider, approver))
            .collect()
    }

    /// Who made or last changed an account, who made or last changed theirs, and so on.
    fn makers(&self, account: &UserAccount) -> BTreeSet<i64> {
        let mut known = BTreeSet::new();
        let mut next = vec![account.created_by, account.changed_by];
        while let Some(maker) = next.pop() {
            // An account that its owner changed last leads to nobody new.
            if maker == account.id || !known.insert(maker) {
                continue;
            }
            if let Some(maker) = self.by_id.get(&maker) {
                next.extend([maker.created_by, maker.changed_by]);
            }
        }
        known
    }
}

/// Whether somebody may decide.
pub fn may_decide(account: &UserAccount) -> bool {
    !account.disabled && account.roles.iter().any(|r| r.grants(Permission::Decide))
}

/// Whether somebody may approve anything at all.
fn approves(account: &UserAccount) -> bool {
    !account.disabled && account.roles.iter().any(|r| r.grants(Permission::Approve))
}

#[cfg(test)]
mod tests {
    use super::*;
    use domain::{actor::Role, time::Instant};

    fn account(id: i64, role: Role, created_by: i64, changed_by: i64) -> UserAccount {
        UserAccount {
            id,
            email: format!("{id}@example.com"),
            password_hash: String::new(),
            roles: [role].into(),
            disabled: false,
            created_at: Instant::from_micros(0),
            created_by,
            changed_by,
        }
    }

    /// 1 is an administrator of the operator's, 2 decides, 3 approves. 4 is an approver whom 1 made,
    /// 5 an analyst whom 4 changed last, 6 an approver whom 5 made.
    fn people() -> People {
        People::of(vec![
            account(1, Role::Admin, 0, 0),
            account(2, Role::Analyst, 0, 0),
            account(3, Role::Approver, 0, 3),
            account(4, Role::Approver, 1, 1),
            account(5, Role::Analyst, 0, 4),
            account(6, Role::Approver, 5, 5),
        ])
    }

    #[test]
    fn lists_and_the_rule_agree_whoever_decides_and_whoever_approves() {
        let people = people();
        for decider in 0..8 {
            let offered: Vec<i64> = people
                .approvers(Some(decider))
                .iter()
                .map(|a| a.id)
                .collect();
            for approver in 0..8 {
                let may = people.may_approve(decider, approver);
                assert_eq!(offered.contains(&approver), may, "{decider} {approver}");
                let listed = people.deciders(approver).contains(&decider);
                assert_eq!(listed, may, "{decider} {approver}");
            }
        }
    }

    #[test]
    fn the_chain_of_makers_counts_both_ways() {
        let people = people();
        assert_eq!(people.deciders(3), [1, 2, 4, 5, 6]);
        // 1 made 4. 4 changed 5, who made 6.
        assert_eq!(people.deciders(4), [2, 3]);
        // 1 made 4, who changed 5, who made 6.
        assert_eq!(people.deciders(6), [2, 3]);
        assert_eq!(people.deciders(2), Vec::<i64>::new(), "no approver");
        assert_eq!(people.deciders(99), Vec::<i64>::new(), "nobody");
    }
}
