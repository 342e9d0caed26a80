//! Whether a module keeps the rules that all modules have, as a test.

use std::path::Path;

use stoa_kernel::module::ModuleEntry;

use super::postgres::{self, Server};
use crate::conformance::{Evidence, check_module};

/// What `stoa module check` would find wrong with a module.
///
/// PostgreSQL is asked too where tests have a server of it. Name the folder of the crate with [`ModuleEntry::in_folder`], so that its README is looked at too.
pub async fn broken_rules(entry: ModuleEntry) -> Vec<String> {
    let mut evidence = entry.folder.map(|sources| Evidence::of_sources(Path::new(sources))).unwrap_or_default();
    evidence.postgres = postgres::server().await.ok().map(Server::anywhere);
    let report = check_module(entry, &evidence).await.unwrap_or_else(|error| panic!("{error}"));
    report.breaches.iter().map(ToString::to_string).collect()
}
