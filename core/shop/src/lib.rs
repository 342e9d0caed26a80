//! A shop as a whole: the life of a program, the pages of the shop itself, whether everything adds up, whether a module keeps the
//! rules, and the test kit.

pub mod conformance;
mod passwords;
pub mod program;
pub mod site;
mod start_findings;
#[cfg(feature = "testing")]
pub mod testing;
pub mod verification;
