//! What is shown about a module.

use super::entry::ModuleEntry;

/// What `stoa modules` shows about one module.
#[derive(Debug, Clone)]
pub struct ModuleDescription {
    /// The module and where it comes from.
    pub entry: ModuleEntry,
    /// Whether the configuration switches it on.
    pub enabled: bool,
    /// Its routes as `METHOD /path`, with the ability that opens them or none.
    pub routes: Vec<(String, Option<&'static str>)>,
    /// Its pages at the shop's root, as `METHOD /path`.
    pub pages: Vec<String>,
    /// Abilities that its route prefixes are mapped to.
    pub abilities: Vec<&'static str>,
    /// Events it listens to, with the listeners' ids.
    pub events: Vec<(&'static str, &'static str)>,
    /// Its scheduled jobs.
    pub jobs: Vec<&'static str>,
    /// The mails that it sends.
    pub mails: Vec<&'static str>,
}
