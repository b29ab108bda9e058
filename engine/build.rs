//! Rebuilds when a migration or a statement changes: the macros that embed them do not say so.

fn main() {
    println!("cargo:rerun-if-changed=../migrations");
    println!("cargo:rerun-if-changed=src/storage/sql");
}
