//! What the configuration names and this program does not have.

use super::registry::Linked;
use super::webhook_types::WebhookTypes;
use crate::config::{Config, ConfigError, ConfigProblem};

/// Events that endpoints of the configuration subscribe to and nobody has.
pub(super) fn unknown_events(config: &Config, known: &WebhookTypes) -> Vec<String> {
    let endpoints = config.webhooks.endpoints.iter();
    let unknown = endpoints.flat_map(|endpoint| {
        let refusals = endpoint.events.iter().filter_map(|name| known.refusal(name));
        refusals.map(|reason| format!("`webhooks.endpoints.events` of `{}`: {reason}", endpoint.name))
    });
    unknown.collect()
}

/// Tables of the configuration that belong to no linked module.
pub(super) fn unknown_modules(linked: &Linked, config: &Config, reserved: &[&'static str]) -> Vec<ConfigProblem> {
    let names = linked.names();
    let mut problems = config.check_module_keys(&names, reserved);
    for name in reserved.iter().filter(|name| !names.contains(name)) {
        let Some(section) = config.modules.get(*name) else { continue };
        if section.enabled {
            problems.push(section.problem("enabled", &format!("this program does not contain the module `{name}`")));
        }
        // Nobody here knows its settings, but a misspelled `enabled` is still to be told.
        problems.extend(section.decode::<()>().err().into_iter().flat_map(ConfigError::into_problems));
    }
    problems
}
