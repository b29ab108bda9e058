//! Profiles: what a column-mapped file looks like, as data. (being written)
#[derive(Debug, Clone)]
pub struct Profile {}
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("bad profile")]
pub struct ProfileError;
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TotalRule {
    None,
    BatchSumsToZero,
    PayoutEqualsNet,
}
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TotalScope {
    File,
    Batch,
}
