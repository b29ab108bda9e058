//! Any bytes below the header of the Tieout settlement CSV.
#![no_main]

use domain::account::ProviderKind;

const FILE: &[u8] = include_bytes!("../../tests/fixtures/tieout/presented.csv");

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    let header = FILE.split_inclusive(|b| *b == b'\n').next().unwrap_or(FILE);
    domain_fuzz::read(&[header, bytes].concat(), ProviderKind::Generic);
});
