//! Whether a module keeps the rules that all modules have, as a test.

use std::fmt;
use std::ops::Deref;
use std::path::Path;

use stoa_kernel::module::ModuleEntry;

use super::postgres::{self, Server};
use crate::conformance::{Evidence, check_module};

/// What `stoa module check` would find wrong with a module.
///
/// PostgreSQL is asked too where tests have a server of it. Name the folder of the crate with [`ModuleEntry::in_folder`], so that its README is looked at too.
pub async fn broken_rules(entry: ModuleEntry) -> BrokenRules {
    let mut evidence = entry.folder.map(|sources| Evidence::of_sources(Path::new(sources))).unwrap_or_default();
    evidence.postgres = postgres::server().await.ok().map(Server::anywhere);
    let report = check_module(entry, &evidence).await.unwrap_or_else(|error| panic!("{error}"));
    BrokenRules(report.breaches.iter().map(ToString::to_string).collect())
}

/// Rules that a module breaks, which a failing test prints on a line each.
#[derive(Clone, PartialEq, Eq)]
pub struct BrokenRules(Vec<String>);

impl fmt::Debug for BrokenRules {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.iter().try_for_each(|rule| write!(f, "\n    {rule}"))
    }
}

impl<const N: usize> PartialEq<[&str; N]> for BrokenRules {
    fn eq(&self, others: &[&str; N]) -> bool {
        self.0 == *others
    }
}

impl Deref for BrokenRules {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.0
    }
}
