//! What several pages show.
