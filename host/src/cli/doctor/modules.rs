//! Modules: which are on, and whether their routes can be used.

use std::collections::BTreeSet;

use stoa_core::http::table::Access;
use stoa_core::module::Registry;

use super::finding::Finding;

const CHECK: &str = "modules";

/// Which modules are on, and which of their routes refuse everybody.
pub(in crate::cli) fn state(registry: &Registry) -> Vec<Finding> {
    let named = |enabled: bool| {
        let found = registry.modules.iter().filter(|module| module.enabled == enabled).map(|module| module.entry.name);
        let names = found.collect::<Vec<_>>().join(", ");
        if names.is_empty() { String::from("none") } else { names }
    };
    if registry.modules.is_empty() {
        return vec![Finding::ok(CHECK, "this program links none")];
    }
    let mut findings = vec![Finding::ok(CHECK, format!("on: {}; off: {}", named(true), named(false)))];
    let unmapped = registry.routes.entries.iter().filter(|owned| owned.route.access == Access::Unmapped);
    let prefixes = unmapped.map(|owned| (owned.owner, owned.route.prefix())).collect::<BTreeSet<_>>();
    findings.extend(prefixes.into_iter().map(|(owner, prefix)| {
        let message = format!(
            "the routes `{prefix}.…` of the module `{owner}` refuse everybody: no ability is mapped to `{prefix}`"
        );
        let fix = format!("set `modules.{owner}.enabled = false`, or get a version of the module that maps `{prefix}`");
        Finding::warning(CHECK, message, fix)
    }));
    findings
}
