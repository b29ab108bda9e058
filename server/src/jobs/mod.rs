//! What runs by itself beside the web.

pub mod progress;
