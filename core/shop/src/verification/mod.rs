//! `stoa verify`: what must hold of money and goods at any time, looked for in the live database.
//!
//! Each invariant is one statement that finds what breaks it, so each sees one moment, and a shop that is selling is never
//! reported for what is under way.

mod check;

pub use check::{Breach, verify};
