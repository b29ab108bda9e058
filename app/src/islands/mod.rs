//! What scripts add to pages that work without them.
