//! Why a chore failed, said so that the reader knows what to do next.

use std::io;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;

use thiserror::Error;

/// Everything that ends a chore.
#[derive(Debug, Error)]
pub enum Failure {
    /// A file could not be read or written.
    #[error("{path}: {source}")]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A program could not be started.
    #[error("could not start {program}: {source}")]
    Start {
        /// The program's name.
        program: String,
        /// What the system said.
        source: io::Error,
    },
    /// A program ended with an error; its own output tells why.
    #[error("`{line}` ended with {status}")]
    Program {
        /// The command line.
        line: String,
        /// How it ended.
        status: ExitStatus,
    },
    /// wasm-bindgen refused the module.
    #[error("wasm-bindgen: {0}")]
    Bindgen(String),
    /// The first load grew past its budget.
    #[error("first load is {size} bytes with brotli, over the budget of {budget}: {parts}")]
    TooLarge {
        /// Bytes that a browser loads first.
        size: usize,
        /// Bytes that it may load.
        budget: usize,
        /// Name and size of each part.
        parts: String,
    },
}

impl Failure {
    /// Names the file that an input or output error is about.
    pub fn at(path: &Path) -> impl FnOnce(io::Error) -> Self {
        let path = path.to_path_buf();
        move |source| Self::File { path, source }
    }
}
