//! Why a decision is refused.

use crate::{
    cases::{actions::Action, kinds::CaseKind, reasons::ReasonCode},
    money::Money,
};

/// Why a decision is refused.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum Refusal {
    /// Not for this kind.
    #[error("“{}” is not a decision for “{}”", action.title(), kind.title())]
    NotAllowed {
        /// The action.
        action: Action,
        /// The kind.
        kind: CaseKind,
    },
    /// Not a reason for this action.
    #[error("the reason “{}” does not go with “{}”", reason.title(), action.title())]
    WrongReason {
        /// The reason.
        reason: ReasonCode,
        /// The action.
        action: Action,
    },
    /// The reason says too little alone.
    #[error("the reason “{}” needs a comment", reason.title())]
    CommentMissing {
        /// The reason.
        reason: ReasonCode,
    },
    /// Something that must be chosen was not.
    #[error("choose {0} first")]
    Missing(&'static str),
    /// A payment of no such id, or one without an attempt.
    #[error("there is no payment with an attempt whose id is “{payment}”")]
    NoSuchPayment {
        /// The id that was given.
        payment: String,
    },
    /// A payment of which several attempts could have moved the money.
    #[error("{payment} was tried several times: say which attempt it is, {attempts}")]
    WhichAttempt {
        /// The intent's public id.
        payment: String,
        /// Public ids of the attempts that could be meant, in order.
        attempts: String,
    },
    /// A share that names nobody.
    #[error("it names no payment: give its intent or its attempt")]
    NoPaymentNamed,
    /// One of several shares will not do.
    #[error("share {number} ({amount}{}): {why}", for_payment(payment))]
    OfShare {
        /// Which, from 1, in the order in which they were given.
        number: usize,
        /// How much it gives.
        amount: Money,
        /// Whom it names, as it was given, or empty.
        payment: String,
        /// Why not.
        why: Box<Refusal>,
    },
    /// A payment that cannot take it.
    #[error("{payment} cannot take this: {why}")]
    DoesNotFit {
        /// The intent's public id.
        payment: String,
        /// Why.
        why: String,
    },
    /// Who decided was shut out since, or is no longer somebody who decides.
    #[error(
        "{decider} may no longer decide, so this decision is not put in force: refuse it, and decide anew"
    )]
    DeciderShutOut {
        /// Their address.
        decider: String,
    },
    /// Anything else, said whole.
    #[error("{0}")]
    NotNow(String),
}

fn for_payment(payment: &str) -> String {
    if payment.is_empty() {
        String::new()
    } else {
        format!(" for payment “{payment}”")
    }
}
