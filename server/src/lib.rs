//! The `tieout` binary: command line, web and jobs. No business rule lives here.
//!
//! | Module | Answers |
//! |---|---|
//! | [`cli`] | what each command takes, does and prints |
//! | [`http`] | how requests become use cases and pages |
//! | [`jobs`] | what runs by itself beside the web |
//! | [`system`] | the clock and the sources of randomness that everything else is given |

pub mod cli;
pub mod http;
pub mod jobs;
pub mod system;
