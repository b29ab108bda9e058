//! `tieout`: see [`server::cli`].

fn main() -> std::process::ExitCode {
    server::cli::main()
}
