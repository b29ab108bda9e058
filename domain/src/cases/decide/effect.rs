//! What a decision would do.

use crate::{
    cases::states::CaseMove,
    matching::{Ruling, RulingSubject},
    time::Instant,
};

/// What a decision would do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Effect {
    /// The rulings it sets.
    pub rulings: Vec<(RulingSubject, Ruling)>,
    /// Whether a second person must agree first.
    pub two_people: bool,
    /// How the case moves by the decision itself: snoozed or reopened. Where rulings are set, judging
    /// again closes the case, or keeps it.
    pub movement: Option<CaseMove>,
    /// When the case wakes.
    pub wake_at: Option<Instant>,
    /// What happens when it takes effect, in sentences.
    pub preview: Vec<String>,
}

impl Effect {
    /// The sentences for the person who is about to confirm: they also say whether anything happens
    /// before a second person agreed.
    pub fn before_it_is_decided(&self) -> String {
        let mut told = self.preview.join(" ");
        if self.two_people {
            told.push_str(" A second person must agree before this takes effect.");
        }
        told
    }
}

pub(super) fn rulings(rulings: Vec<(RulingSubject, Ruling)>, preview: String) -> Effect {
    Effect {
        rulings,
        two_people: false,
        movement: None,
        wake_at: None,
        preview: vec![preview],
    }
}

pub(super) fn moves(movement: Option<CaseMove>, preview: &str) -> Effect {
    Effect {
        rulings: Vec::new(),
        two_people: false,
        movement,
        wake_at: None,
        preview: vec![preview.to_owned()],
    }
}
