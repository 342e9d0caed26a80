//! Whether a module keeps the rules that all modules have: `stoa module check`, and a test of the module's own.
//!
//! The module is registered alone with its default settings, on a new database in a temporary file; its routes are asked,
//! its statements are run, its files are read. What can only be seen in an installation, such as a migration that was changed
//! after it had run, is looked at there and handed in.

mod both_databases;
mod check;
mod command;
mod console;
mod document;
mod mails;
mod names;
mod on_and_off;
mod panels;
mod queries;
mod read_tables;
mod reads;
mod report;
mod request;
mod rule;
mod running;
mod sample_rows;
mod schema;
mod settings;
mod statements;
mod strangers;
mod subject;
#[cfg(test)]
mod tests;
mod writes;

pub use check::{Evidence, UncheckedModule, check_module};
pub use report::{Breach, Report, RuleCoverage};
pub use rule::Rule;
pub use statements::tables_of;
