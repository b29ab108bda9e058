//! Where everything is. Pages link and post here, the server mounts here: written once.

use super::{ledger::EntryFilter, queue::QueueFilter};
use std::fmt::Write as _;

/// Route patterns as the server mounts them.
pub mod pattern {
    /// First-run set-up by one-time link.
    pub const SET_UP: &str = "/setup/{token}";
    /// Sign in.
    pub const SIGN_IN: &str = "/sign-in";
    /// Sign out (POST).
    pub const SIGN_OUT: &str = "/sign-out";
    /// Overview.
    pub const OVERVIEW: &str = "/";
    /// Review queue.
    pub const REVIEW: &str = "/review";
    /// Bulk decision (POST): preview, then with `apply=1` the decision.
    pub const BULK: &str = "/review/bulk";
    /// Keep a filter of the queue by name (POST).
    pub const SAVE_VIEW: &str = "/review/views";
    /// Forget one (POST).
    pub const REMOVE_VIEW: &str = "/review/views/{view}/remove";
    /// What the person sent for approval.
    pub const SENT: &str = "/review/sent";
    /// Queue with one case open.
    pub const CASE: &str = "/review/{case}";
    /// Decide (POST).
    pub const DECIDE: &str = "/review/{case}/decide";
    /// Claim or release (POST).
    pub const CLAIM: &str = "/review/{case}/claim";
    /// Approve or refuse (POST).
    pub const APPROVAL: &str = "/decisions/{decision}/approval";
    /// Files, and the upload of forms (GET, POST multipart).
    pub const FILES: &str = "/files";
    /// Upload of one file as raw body (POST).
    pub const UPLOAD: &str = "/files/upload";
    /// Progress of files under way (server-sent events).
    pub const PROGRESS: &str = "/files/progress";
    /// One file.
    pub const FILE: &str = "/files/{file}";
    /// Accept a held file (POST).
    pub const ACCEPT: &str = "/files/{file}/accept";
    /// Put a held file away (POST).
    pub const PUT_AWAY: &str = "/files/{file}/put-away";
    /// Hold a file again that was put away (POST).
    pub const HOLD_AGAIN: &str = "/files/{file}/hold-again";
    /// Ask for a used file to be taken back, or agree (POST).
    pub const TAKE_BACK: &str = "/files/{file}/take-back";
    /// Keep a file that somebody wanted taken back (POST).
    pub const KEEP: &str = "/files/{file}/keep";
    /// Rejected rows as CSV.
    pub const REJECTED: &str = "/files/{file}/rejected.csv";
    /// Lines of one file.
    pub const FILE_LINES: &str = "/files/{file}/lines";
    /// One line with its bytes.
    pub const LINE: &str = "/lines/{file}/{line_no}";
    /// The line's bytes alone, masked.
    pub const LINE_RAW: &str = "/lines/{file}/{line_no}/raw";
    /// Payments.
    pub const PAYMENTS: &str = "/payments";
    /// Import of a payments CSV (POST multipart).
    pub const IMPORT_PAYMENTS: &str = "/payments/import";
    /// One intent.
    pub const PAYMENT: &str = "/payments/{intent}";
    /// Trial balance.
    pub const LEDGER: &str = "/ledger";
    /// Entries.
    pub const ENTRIES: &str = "/ledger/entries";
    /// One entry.
    pub const ENTRY: &str = "/ledger/entries/{no}";
    /// One ledger account.
    pub const ACCOUNT: &str = "/ledger/accounts/{account}";
    /// Audit log.
    pub const AUDIT: &str = "/audit";
    /// Audit bundle as zip.
    pub const AUDIT_EXPORT: &str = "/audit/export";
    /// Verify the seal (POST).
    pub const AUDIT_VERIFY: &str = "/audit/verify";
    /// Settings: redirects to its first tab.
    pub const SETTINGS: &str = "/settings";
    /// Provider accounts (GET, POST adds one).
    pub const PROVIDERS: &str = "/settings/providers";
    /// Policy of a provider account (POST).
    pub const POLICY: &str = "/settings/providers/{name}";
    /// Users (GET, POST adds one).
    pub const USERS: &str = "/settings/users";
    /// Roles and state of a user (POST).
    pub const USER: &str = "/settings/users/{user}";
    /// Tokens (GET, POST makes one).
    pub const TOKENS: &str = "/settings/tokens";
    /// Revoke a token (POST).
    pub const REVOKE: &str = "/settings/tokens/{token}/revoke";
    /// One's own password (GET, POST).
    pub const OWN_PASSWORD: &str = "/settings/password";
    /// Exports: `matches.csv`, `cases.csv`, `ledger.csv`, `payments.csv`, also `.json` and `.xlsx`.
    pub const EXPORT: &str = "/exports/{what}";
}

/// Names of form fields and query parameters.
pub mod field {
    /// Set-up and users.
    pub const EMAIL: &str = "email";
    /// See `EMAIL`.
    pub const PASSWORD: &str = "password";
    /// The password that holds now.
    pub const CURRENT_PASSWORD: &str = "current_password";
    /// The password that is to hold.
    pub const NEW_PASSWORD: &str = "new_password";
    /// The same again.
    pub const NEW_PASSWORD_AGAIN: &str = "new_password_again";
    /// Set-up: the administrator.
    pub const ADMIN_EMAIL: &str = "admin_email";
    /// See `ADMIN_EMAIL`.
    pub const ADMIN_PASSWORD: &str = "admin_password";
    /// Set-up: the first analyst; both empty for none.
    pub const ANALYST_EMAIL: &str = "analyst_email";
    /// See `ANALYST_EMAIL`.
    pub const ANALYST_PASSWORD: &str = "analyst_password";
    /// Set-up: the first approver; both empty for none.
    pub const APPROVER_EMAIL: &str = "approver_email";
    /// See `APPROVER_EMAIL`.
    pub const APPROVER_PASSWORD: &str = "approver_password";
    /// Set-up: the first auditor; both empty for none.
    pub const AUDITOR_EMAIL: &str = "auditor_email";
    /// See `AUDITOR_EMAIL`.
    pub const AUDITOR_PASSWORD: &str = "auditor_password";
    /// Where to go after sign-in or a POST: a path of this site.
    pub const NEXT: &str = "next";
    /// A decision's client-made id.
    pub const DECISION_ID: &str = "decision_id";
    /// The version that the person saw.
    pub const EXPECTED_VERSION: &str = "expected_version";
    /// A decision's action.
    pub const ACTION: &str = "action";
    /// A decision's reason code.
    pub const REASON: &str = "reason_code";
    /// `1` asks what a decision would do, and decides nothing.
    pub const PREVIEW: &str = "preview";
    /// A decision's comment.
    pub const COMMENT: &str = "comment";
    /// Hashes of the evidence shown, comma separated.
    pub const EVIDENCE: &str = "evidence";
    /// Prefix of the evidence hash of one case of a bulk decision: `evidence.<case>`.
    pub const EVIDENCE_PREFIX: &str = "evidence.";
    /// A candidate's key.
    pub const CANDIDATE: &str = "candidate";
    /// What payments are looked for by: an id, a reference or an amount.
    pub const FIND: &str = "find";
    /// An attempt's outcome.
    pub const OUTCOME: &str = "outcome";
    /// The day on which a case wakes.
    pub const WAKE_ON: &str = "wake_on";
    /// Whom a case goes to.
    pub const ASSIGNEE: &str = "assignee";
    /// A merchant reference.
    pub const REFERENCE: &str = "reference";
    /// A ledger account.
    pub const LEDGER_ACCOUNT: &str = "ledger_account";
    /// Prefix of a candidate's share: `share.<key>`.
    pub const SHARE_PREFIX: &str = "share.";
    /// Prefix of the id of a payment that is no candidate: `other.<n>`.
    pub const OTHER_PREFIX: &str = "other.";
    /// Prefix of its share: `other_share.<n>`.
    pub const OTHER_SHARE_PREFIX: &str = "other_share.";
    /// The decision that a reversal names.
    pub const REVERSES: &str = "reverses";
    /// `1` approves, `0` refuses.
    pub const APPROVE: &str = "approve";
    /// `1` claims, `0` releases.
    pub const CLAIM: &str = "claim";
    /// A selected case of a bulk decision, repeated: `<id>@<version>`.
    pub const CASE: &str = "case";
    /// The page of the queue to go to with what is ticked: a cursor, or [`FIRST_PAGE`].
    pub const NEXT_PAGE: &str = "page";
    /// See `NEXT_PAGE`.
    pub const FIRST_PAGE: &str = "first";
    /// A bulk decision's client-made id.
    pub const BULK_ID: &str = "bulk_id";
    /// `1` applies a bulk decision that was previewed.
    pub const APPLY: &str = "apply";
    /// Query of the queue, to go back to, without its question mark.
    pub const BACK: &str = "back";
    /// Provider account by name.
    pub const PROVIDER: &str = "provider";
    /// The name of a raw upload.
    pub const FILENAME: &str = "filename";
    /// The files of a multipart upload.
    pub const FILE: &str = "file";
    /// A name.
    pub const NAME: &str = "name";
    /// A provider kind.
    pub const KIND: &str = "kind";
    /// A time zone.
    pub const ZONE: &str = "timezone";
    /// Prefix of a policy field: `policy.<field>`.
    pub const POLICY_PREFIX: &str = "policy.";
    /// The policy's version that the person saw.
    pub const POLICY_VERSION: &str = "policy_version";
    /// A role, repeated.
    pub const ROLE: &str = "role";
    /// `1` shuts a user out, `0` lets them in.
    pub const DISABLED: &str = "disabled";
    /// A scope, repeated.
    pub const SCOPE: &str = "scope";
    /// A user's address for a token that acts as them, or empty.
    pub const USER: &str = "user";
    /// First day.
    pub const FROM: &str = "from";
    /// Last day.
    pub const TO: &str = "to";
}

/// A path with one segment filled in.
fn with(prefix: &str, segment: &str, suffix: &str) -> String {
    format!("{prefix}{}{suffix}", encode(segment))
}

/// Set-up by its token.
pub fn set_up(token: &str) -> String {
    with("/setup/", token, "")
}

/// A case in the queue under a filter.
pub fn case(id: &str, filter: &QueueFilter) -> String {
    query(&with("/review/", id, ""), &filter.address())
}

/// A case with the way to take its last decision back laid open.
pub fn undo(id: &str, filter: &QueueFilter) -> String {
    format!("{}#{UNDO}", case(id, filter))
}

/// Where the page of a case takes what payments are looked for by.
pub const FIND: &str = "find-payment";

/// Where the payments page takes an import.
pub const IMPORT: &str = "import";

/// What the way back is called on the page of a case.
pub const UNDO: &str = "undo";

/// A case, in the queue of all.
pub fn case_only(id: &str) -> String {
    with("/review/", id, "")
}

/// The queue under a filter.
pub fn review(filter: &QueueFilter) -> String {
    query(pattern::REVIEW, &filter.address())
}

/// Where forgetting a saved view goes.
pub fn remove_view(view_id: i64) -> String {
    format!("/review/views/{view_id}/remove")
}

/// Where a decision about a case goes.
pub fn decide(case: &str) -> String {
    with("/review/", case, "/decide")
}

/// Where a claim of a case goes.
pub fn claim(case: &str) -> String {
    with("/review/", case, "/claim")
}

/// Where a second person's answer goes.
pub fn approval(decision: &str) -> String {
    with("/decisions/", decision, "/approval")
}

/// One file.
pub fn file(id: &str) -> String {
    with("/files/", id, "")
}

/// Where the acceptance of a file goes.
pub fn accept(id: &str) -> String {
    with("/files/", id, "/accept")
}

/// Where a held file is put away.
pub fn put_away(id: &str) -> String {
    with("/files/", id, "/put-away")
}

/// Where a file that was put away is held again.
pub fn hold_again(id: &str) -> String {
    with("/files/", id, "/hold-again")
}

/// Where a used file is taken back.
pub fn take_back(id: &str) -> String {
    with("/files/", id, "/take-back")
}

/// Where a file is kept that somebody wanted taken back.
pub fn keep(id: &str) -> String {
    with("/files/", id, "/keep")
}

/// The rejected rows of a file.
pub fn rejected(id: &str) -> String {
    with("/files/", id, "/rejected.csv")
}

/// The lines of a file.
pub fn file_lines(id: &str) -> String {
    with("/files/", id, "/lines")
}

/// One line with its bytes.
pub fn line(file: &str, line_no: u64) -> String {
    with("/lines/", file, &format!("/{line_no}"))
}

/// A line's bytes alone.
pub fn line_raw(file: &str, line_no: u64) -> String {
    with("/lines/", file, &format!("/{line_no}/raw"))
}

/// One intent.
pub fn payment(intent: &str) -> String {
    with("/payments/", intent, "")
}

/// One entry.
pub fn entry(no: i64) -> String {
    format!("/ledger/entries/{no}")
}

/// Entries under a filter.
pub fn entries(filter: &EntryFilter) -> String {
    query(pattern::ENTRIES, &filter.pairs())
}

/// One ledger account of a provider account in a currency.
pub fn account(ledger_account: &str, provider: &str, currency: &str, as_of: &str) -> String {
    query(
        &with("/ledger/accounts/", ledger_account, ""),
        &[
            ("provider", provider),
            ("currency", currency),
            ("as_of", as_of),
        ],
    )
}

/// The policy of a provider account.
pub fn policy(name: &str) -> String {
    with("/settings/providers/", name, "")
}

/// One user.
pub fn user(user_id: i64) -> String {
    format!("/settings/users/{user_id}")
}

/// Where a token's revocation goes.
pub fn revoke(token_id: i64) -> String {
    format!("/settings/tokens/{token_id}/revoke")
}

/// An export: `what` is `matches`, `cases`, `ledger` or `payments`; format `csv`, `json`, `xlsx`.
pub fn export(what: &str, format: &str, pairs: &[(&str, &str)]) -> String {
    query(&format!("/exports/{what}.{format}"), pairs)
}

/// A path with a query string; empty values are left out.
pub fn query(path: &str, pairs: &[(&str, &str)]) -> String {
    let mut text = path.to_owned();
    let mut joint = '?';
    for (name, value) in pairs.iter().filter(|(_, value)| !value.is_empty()) {
        text.push(joint);
        text.push_str(&encode(name));
        text.push('=');
        text.push_str(&encode(value));
        joint = '&';
    }
    text
}

/// Percent-encodes everything but RFC 3986's unreserved characters.
pub fn encode(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-._~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            // Writing to a String cannot fail.
            let _ = write!(out, "%{byte:02X}");
        }
    }
    out
}

/// Whether a text is a path of this site, so that a redirect to it leads nowhere else.
pub fn is_local(path: &str) -> bool {
    path.starts_with('/')
        && !path.starts_with("//")
        && !path.contains('\\')
        && !path.chars().any(char::is_control)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_of_any_text_stay_one_segment() {
        assert_eq!(payment("a/b?c#d é"), "/payments/a%2Fb%3Fc%23d%20%C3%A9");
    }

    #[test]
    fn a_query_leaves_out_what_asks_for_nothing() {
        let filter = QueueFilter {
            kind: "chargeback".into(),
            q: "a&b".into(),
            ..QueueFilter::default()
        };
        assert_eq!(review(&filter), "/review?kind=chargeback&q=a%26b");
        assert_eq!(review(&QueueFilter::default()), "/review");
    }

    #[test]
    fn a_redirect_leads_nowhere_else() {
        assert!(is_local("/review?kind=x"));
        for path in [
            "",
            "review",
            "//evil.example",
            "/\\evil.example",
            "https://evil.example",
            "/a\nb",
        ] {
            assert!(!is_local(path), "{path:?}");
        }
    }
}
