//! A record of the audit log in the words of whoever reads it.

use serde_json::Value;

/// More characters of an id or a hash say nothing to a person.
const MOST_OF_AN_ID: usize = 20;

/// What somebody did, to be followed by what it was done to.
pub fn did(action: &str) -> String {
    match action {
        "sign_in" => "signed in",
        "add_user" => "added the person",
        "change_roles" => "changed the roles of",
        "change_password" => "changed the password of",
        "disable_user" => "shut out",
        "enable_user" => "let in again",
        "add_token" => "made the token",
        "revoke_token" => "revoked the token",
        "add_provider" => "added the provider account",
        "change_policy" => "changed the policy of",
        "case.decide" => "decided",
        "decision.answer" => "answered a decision in",
        "decision.withdraw" => "withdrew a decision in",
        "file.receive" => "uploaded the file",
        "file.read_again" => "had the file read again:",
        "file.accept" => "accepted the file",
        "file.put_away" => "put the file away:",
        "file.hold_again" => "took out again the file",
        "file.take_back" => "wants the file taken back:",
        "file.keep" => "keeps the file",
        "payments.receive" => "uploaded",
        "payments.import" => "imported",
        "export_audit" => "exported the audit bundle",
        other => return other.replace(['_', '.'], " "),
    }
    .to_owned()
}

/// What is said beside it: names and values, none of which is longer than a person reads.
pub fn facts(detail: &str) -> Vec<(String, String)> {
    let Ok(Value::Object(fields)) = serde_json::from_str(detail) else {
        return Vec::new();
    };
    fields
        .iter()
        .filter(|(_, value)| !is_nothing(value))
        .map(|(name, value)| (plain(name), told(value)))
        .collect()
}

fn is_nothing(value: &Value) -> bool {
    match value {
        Value::Null => true,
        Value::String(text) => text.is_empty(),
        Value::Array(all) => all.is_empty(),
        Value::Object(all) => all.is_empty(),
        _ => false,
    }
}

fn plain(code: &str) -> String {
    code.replace('_', " ")
}

fn told(value: &Value) -> String {
    match value {
        Value::Null => "nothing".to_owned(),
        Value::Bool(yes) => if *yes { "yes" } else { "no" }.to_owned(),
        Value::Number(number) => number.to_string(),
        Value::String(text) => shortened(text),
        Value::Array(all) => all.iter().map(told).collect::<Vec<_>>().join(", "),
        Value::Object(of) => match (of.get("old"), of.get("new")) {
            (Some(old), Some(new)) if of.len() == 2 => format!("{} → {}", told(old), told(new)),
            _ => of
                .iter()
                .map(|(name, value)| format!("{} {}", plain(name), told(value)))
                .collect::<Vec<_>>()
                .join(", "),
        },
    }
}

/// A code in words, a hash or an id by its beginning, a sentence as it stands.
fn shortened(text: &str) -> String {
    let is_id = text
        .chars()
        .all(|c| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | ':'));
    let is_code = text.chars().all(|c| c.is_ascii_lowercase() || c == '_');
    if is_code {
        plain(text)
    } else if is_id && text.len() > MOST_OF_AN_ID {
        let short: String = text.chars().take(8).collect();
        format!("{short}…")
    } else {
        text.to_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_record_is_told_in_words() {
        let facts = facts(
            r#"{"sha256":"91fdd91133c8d3405b8020a2f9ddd3d6b9be197e2d0fb469c56c1a85d4d36bb9e","rows":3,
            "changed":{"approval_threshold":{"old":"1000","new":"5000"}},"needs_approval":true,
            "reason":"small_difference","comment":"agreed by phone","nothing":null,"roles":["analyst","admin"]}"#,
        );
        let shown: Vec<String> = facts.iter().map(|(n, v)| format!("{n}: {v}")).collect();
        assert_eq!(
            shown,
            [
                "sha256: 91fdd911…",
                "rows: 3",
                "changed: approval threshold 1000 → 5000",
                "needs approval: yes",
                "reason: small difference",
                "comment: agreed by phone",
                "roles: analyst, admin",
            ]
        );
        assert!(super::facts("{}").is_empty() && super::facts("no JSON").is_empty());
    }

    #[test]
    fn what_has_no_sentence_is_told_by_its_code() {
        assert_eq!(did("case.decide"), "decided");
        assert_eq!(did("export_ledger"), "export ledger");
    }
}
