//! What was wrong with an input, and where to go on.

use serde::{Deserialize, Serialize};

/// What was wrong with one field of a form.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct FieldProblem {
    /// The field's name in the form; empty where the form as a whole was refused.
    pub field: String,
    /// A sentence: what is wrong and what would do.
    pub message: String,
}

impl FieldProblem {
    /// A problem of one field.
    pub fn new(field: impl Into<String>, message: impl Into<String>) -> Self {
        Self {
            field: field.into(),
            message: message.into(),
        }
    }
}

/// A link with its words.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Link {
    /// What it says.
    pub label: String,
    /// Where it leads.
    pub href: String,
}

impl Link {
    /// A link.
    pub fn new(label: impl Into<String>, href: impl Into<String>) -> Self {
        Self {
            label: label.into(),
            href: href.into(),
        }
    }
}

/// One thing to choose from, with the words people see.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Choice {
    /// The value that the form sends.
    pub value: String,
    /// What it says.
    pub label: String,
}

impl Choice {
    /// A choice.
    pub fn new(value: impl Into<String>, label: impl Into<String>) -> Self {
        Self {
            value: value.into(),
            label: label.into(),
        }
    }
}
