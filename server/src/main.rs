//! `tieout`: see [`server::cli`].

/// Bulk work hands many small values from one thread to another, and SQLite allocates a great deal:
/// this allocator serves both (docs/benchmarks.md).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    small_pages();
    server::cli::main()
}

/// Memory in huge pages stays taken where one small value of many lives on: a third more at the peak of
/// bulk work, which is no faster for it.
fn small_pages() {
    #[cfg(target_os = "linux")]
    if let Err(error) = rustix::thread::disable_transparent_huge_pages(true) {
        // Then it takes more memory; everything else is the same.
        tracing::debug!(%error, "huge pages stay on");
    }
}
