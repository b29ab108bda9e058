//! Any bytes below the header of an Adyen settlement detail report.
#![no_main]

use domain::account::ProviderKind;

const FILE: &[u8] = include_bytes!("../../tests/fixtures/adyen/settlement_detail_batch_41.csv");

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let header = FILE.split_inclusive(|b| *b == b'\n').next().unwrap_or(FILE);
    domain_fuzz::read(&[header, bytes].concat(), ProviderKind::Adyen);
});
