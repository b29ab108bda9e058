//! The table of routes: every address, who may use it, and what answers. The router is built from
//! it, and so is the test that tries each one as every kind of visitor.

use domain::actor::Permission::{
    Administer, Approve, Audit, Decide, Ingest, Read, RegisterPayments,
};
use domain::view::routes::pattern;

use super::{
    access::Access::{Anyone, Person, Token},
    api, health, metrics,
    pages::{self, settings},
    route::Route,
};

/// All of them.
pub fn table() -> Vec<Route> {
    vec![
        Route::get("/healthz", Anyone, health::alive),
        Route::get("/readyz", Anyone, health::ready),
        Route::get("/metrics", Anyone, metrics::show),
        Route::get(pattern::SET_UP, Anyone, pages::set_up::show),
        Route::post(pattern::SET_UP, Anyone, pages::set_up::submit),
        Route::get(pattern::SIGN_IN, Anyone, pages::sign_in::show),
        Route::post(pattern::SIGN_IN, Anyone, pages::sign_in::submit),
        Route::post(pattern::SIGN_OUT, Anyone, pages::sign_in::leave),
        Route::get(pattern::PROGRESS, Person(Read), pages::progress::follow).streaming(),
        Route::get(pattern::FILES, Person(Read), pages::files::show),
        Route::get(pattern::FILE, Person(Read), pages::files::file),
        Route::get(pattern::REJECTED, Person(Read), pages::files::rejected_rows).streaming(),
        Route::post(pattern::ACCEPT, Person(Ingest), pages::files::accept),
        Route::post(pattern::PUT_AWAY, Person(Ingest), pages::files::put_away),
        Route::post(
            pattern::HOLD_AGAIN,
            Person(Ingest),
            pages::files::hold_again,
        ),
        Route::post(pattern::TAKE_BACK, Person(Decide), pages::files::take_back),
        Route::post(pattern::KEEP, Person(Decide), pages::files::keep),
        Route::get(pattern::FILE_LINES, Person(Read), pages::lines::of_file),
        Route::get(pattern::LINE, Person(Read), pages::lines::line),
        Route::get(pattern::LINE_RAW, Person(Read), pages::lines::raw),
        Route::post(pattern::FILES, Person(Ingest), pages::upload::form).streaming(),
        Route::post(pattern::UPLOAD, Person(Ingest), pages::upload::raw).streaming(),
        Route::get(pattern::OVERVIEW, Person(Read), pages::overview::show),
        Route::get(pattern::REVIEW, Person(Read), pages::review::queue::show),
        Route::post(pattern::BULK, Person(Decide), pages::review::bulk::submit),
        Route::post(pattern::SAVE_VIEW, Person(Read), pages::review::views::save),
        Route::post(
            pattern::REMOVE_VIEW,
            Person(Read),
            pages::review::views::remove,
        ),
        Route::get(pattern::SENT, Person(Decide), pages::review::sent::show),
        Route::get(pattern::CASE, Person(Read), pages::review::case::show),
        Route::post(
            pattern::DECIDE,
            Person(Decide),
            pages::review::decide::submit,
        ),
        Route::post(pattern::CLAIM, Person(Decide), pages::review::claim::submit),
        // The decider's own form to take a decision back posts here too.
        Route::post(
            pattern::APPROVAL,
            Person(Decide),
            pages::review::approval::submit,
        ),
        Route::get(pattern::PAYMENTS, Person(Read), pages::payments::show),
        Route::get(pattern::PAYMENT, Person(Read), pages::payments::intent),
        Route::post(
            pattern::IMPORT_PAYMENTS,
            Person(Ingest),
            pages::payments::import,
        )
        .streaming(),
        Route::get(pattern::LEDGER, Person(Read), pages::ledger::trial_balance),
        Route::get(pattern::ACCOUNT, Person(Read), pages::ledger::account),
        Route::get(pattern::ENTRIES, Person(Read), pages::ledger::entries),
        Route::get(pattern::ENTRY, Person(Read), pages::ledger::entry),
        Route::get(pattern::AUDIT, Person(Audit), pages::audit::show),
        Route::post(pattern::AUDIT_VERIFY, Person(Audit), pages::audit::verify).streaming(),
        Route::get(pattern::AUDIT_EXPORT, Person(Audit), pages::audit::export).streaming(),
        Route::get(pattern::EXPORT, Person(Read), pages::exports::download).streaming(),
        Route::get(pattern::SETTINGS, Person(Read), settings::first_tab),
        Route::get(pattern::PROVIDERS, Person(Read), settings::providers::show),
        Route::post(
            pattern::PROVIDERS,
            Person(Administer),
            settings::providers::add,
        ),
        Route::post(
            pattern::POLICY,
            Person(Administer),
            settings::providers::change_policy,
        ),
        Route::get(pattern::USERS, Person(Read), settings::users::show),
        Route::post(pattern::USERS, Person(Administer), settings::users::add),
        Route::post(pattern::USER, Person(Administer), settings::users::change),
        Route::get(
            pattern::OWN_PASSWORD,
            Person(Read),
            settings::password::show,
        ),
        Route::post(
            pattern::OWN_PASSWORD,
            Person(Read),
            settings::password::change,
        ),
        Route::get(pattern::TOKENS, Person(Administer), settings::tokens::show),
        Route::post(pattern::TOKENS, Person(Administer), settings::tokens::add),
        Route::post(
            pattern::REVOKE,
            Person(Administer),
            settings::tokens::revoke,
        ),
        Route::post(
            "/api/v1/settlement-files",
            Token(Ingest),
            api::settlement_files::receive,
        )
        .streaming(),
        Route::get(
            "/api/v1/settlement-files/{file}",
            Token(Read),
            api::settlement_files::show,
        ),
        Route::post(
            "/api/v1/intents",
            Token(RegisterPayments),
            api::intents::create,
        ),
        Route::get("/api/v1/intents", Token(Read), api::intents::list),
        Route::get("/api/v1/intents/{intent}", Token(Read), api::intents::show),
        Route::post(
            "/api/v1/intents/{intent}/attempts",
            Token(RegisterPayments),
            api::intents::claim,
        ),
        Route::post(
            "/api/v1/attempts/{attempt}/outcome",
            Token(RegisterPayments),
            api::attempts::report,
        ),
        Route::get("/api/v1/cases", Token(Read), api::cases::list),
        Route::get("/api/v1/cases/{case}", Token(Read), api::cases::show),
        Route::post(
            "/api/v1/cases/{case}/decisions",
            Token(Decide),
            api::cases::decide,
        ),
        Route::post(
            "/api/v1/decisions/{decision}/approval",
            Token(Approve),
            api::cases::approve,
        ),
        Route::get("/api/v1/ledger/entries", Token(Read), api::ledger::entries),
        Route::get(
            "/api/v1/ledger/trial-balance",
            Token(Read),
            api::ledger::trial_balance,
        ),
        Route::get("/api/v1/ledger/head", Token(Read), api::ledger::head),
        Route::get(
            "/api/v1/ledger/entries/{no}/proof",
            Token(Read),
            api::ledger::proof,
        ),
        Route::get("/api/v1/exports/audit", Token(Audit), api::exports::audit).streaming(),
    ]
}
