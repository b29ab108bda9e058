//! The rules of Tieout, pure: bytes and values in, values out.
//!
//! Nothing here reads a clock, draws randomness, does I/O, or knows SQL or HTTP.
//!
//! | Module | Answers |
//! |---|---|
//! | [`money`] | what an amount and a currency are |
//! | [`one_line`] | which texts are ids, references and names of files |
//! | [`time`] | instants, days and zones |
//! | [`codes`] | how an enumeration is written in storage, files and the API |
//! | [`account`] | provider accounts and their policy |
//! | [`payment`] | intents, attempts, their outcomes and states |
//! | [`payments_file`] | how the payments CSV is read |
//! | [`line`] | a settlement line, its kind and its verdict |
//! | [`formats`] | how bytes become settlement lines |
//! | [`matching`] | which attempt a line belongs to, and why |
//! | [`posting`] | which accounts a line or a decision moves |
//! | [`cases`] | what needs a person, and what they may decide |
//! | [`registry`] | who may try a payment, under which key, and how reports are taken |
//! | [`seal`] | canonical bytes, leaves, blocks and proofs |
//! | [`actor`] | who acts, and with which roles |
//! | [`view`] | what a page, an API answer and an export show |

pub mod account;
pub mod actor;
pub mod cases;
pub mod codes;
pub mod formats;
pub mod formula_guard;
pub mod line;
pub mod matching;
pub mod money;
pub mod one_line;
pub mod payment;
pub mod payments_file;
pub mod posting;
pub mod registry;
pub mod seal;
pub mod time;
pub mod view;
