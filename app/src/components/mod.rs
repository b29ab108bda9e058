//! What several pages show.
//!
//! | Module | Shows |
//! |---|---|
//! | [`amount`] | amounts, right-aligned, with their currency |
//! | [`time`] | instants, days, ages and due times |
//! | [`icon`] | kinds of case by icon and word, severity |
//! | [`words`] | what people call a code |
//! | [`form`] | fields with labels and problems, hidden values |
//! | [`list`] | empty states, pagers, totals, heads of pages |
//! | [`lines`] | settlement lines as a table |
//! | [`testimony`] | evidence in the order in which it happened |
//! | [`postings`] | debits and credits |
//! | [`first_steps`] | what leads from an empty instance to a first day that ties |
//! | [`to_approve`] | what waits for the person as the second |
//! | [`rows_by_state`] | the rows of a file, adding up |
//! | [`match_chart`] | match rate by day |
//! | [`calendar`] | coverage by day |
//! | [`case_view`], [`decisions`] | one case, and what may be decided about it |

pub mod amount;
pub mod calendar;
pub mod case_view;
pub mod decisions;
pub mod first_steps;
pub mod form;
pub mod icon;
pub mod lines;
pub mod list;
pub mod match_chart;
pub mod postings;
pub mod rows_by_state;
pub mod testimony;
pub mod time;
pub mod to_approve;
pub mod words;
