//! Any bytes at all.
#![no_main]

use domain::account::ProviderKind;

libfuzzer_sys::fuzz_target!(|bytes: &[u8]| {
    domain_fuzz::read(bytes, ProviderKind::Generic);
});
