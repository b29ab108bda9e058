//! `tieout`: see [`server::cli`].

/// Bulk work hands many small values from one thread to another, and SQLite allocates a great deal:
/// this allocator serves both (docs/benchmarks.md).
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

fn main() -> std::process::ExitCode {
    server::cli::main()
}
