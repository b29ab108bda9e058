//! The machine's clock and randomness: the only place that asks for them.

/// Bytes from the operating system's generator.
///
/// # Panics
/// Where the operating system gives no randomness: nothing secret can be made then, so the process
/// must not go on.
pub fn random_bytes<const N: usize>() -> [u8; N] {
    let mut bytes = [0; N];
    if let Err(error) = getrandom::fill(&mut bytes) {
        tracing::error!(%error, "the operating system gives no randomness");
        std::process::abort();
    }
    bytes
}
