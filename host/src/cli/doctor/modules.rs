//! Modules: which are on, and whether their routes can be used.

use std::collections::BTreeSet;

use stoa_core::db::{Db, DbError};
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

/// What modules that are off do not do for customers who were promised it.
pub(in crate::cli) async fn neglected(db: &Db, registry: &Registry) -> Result<Vec<Finding>, DbError> {
    let known = db.known_sets(&registry.dormant_migrations).await?;
    let mut findings = Vec::new();
    for neglected in &registry.neglected {
        if known.iter().any(|set| set.name() == neglected.owner) {
            findings.extend(neglected.look(db).await?);
        }
    }
    Ok(findings)
}

#[cfg(test)]
mod tests {
    use stoa_core::db::Backend;
    use stoa_core::prelude::*;
    use stoa_core::testing::TestShop;

    use super::*;
    use crate::cli::doctor::finding::State;

    /// A module whose author forgot to map its prefix.
    struct Forgetful;

    impl Module for Forgetful {
        const NAME: &'static str = "forgetful";
        type Config = ();

        fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
            cx.routes((), routes().get("notes.index", "/notes", forget).summary("List what was forgotten"))
        }
    }

    async fn forget(_customer: Customer) -> ApiResult<Data<Vec<String>>> {
        Ok(Data(Vec::new()))
    }

    #[test]
    fn a_prefix_without_an_ability_is_told_while_its_module_is_on() {
        let program = TestShop::builder(Backend::Sqlite).module::<Forgetful>().freeze().expect("nothing is refused");
        let findings = state(&program.registry);
        let warning = findings.iter().find(|finding| finding.state == State::Warning).expect("a warning");
        assert!(warning.message.contains("`notes.…` of the module `forgetful`"), "{}", warning.message);
        assert!(warning.fix.as_ref().is_some_and(|fix| fix.contains("`modules.forgetful.enabled = false`")));
    }

    #[test]
    fn a_module_that_is_off_refuses_nobody() {
        let entry = stoa_core::module::ModuleEntry::of::<Forgetful>("forgetful-crate", "0.0.0");
        let program = TestShop::builder(Backend::Sqlite).linked_module(entry).freeze().expect("nothing is refused");
        assert_eq!(state(&program.registry), [Finding::ok(CHECK, "on: none; off: forgetful")]);
    }
}
