//! The names under which the module is known elsewhere.

use super::report::Report;
use super::rule::Rule;
use super::subject::Subject;

/// Names begin with the module's, so that two modules never share one.
pub(super) fn look(subject: &Subject, report: &mut Report) {
    let (module, description) = (subject.name(), subject.description());
    let dotted = format!("{module}.");
    for (event, id) in &description.events {
        if !id.starts_with(&dotted) {
            let mend = format!("call it `{dotted}…`; rows refer to it, so before the first release");
            report.breach(Rule::Names, format!("listener `{id}` to {event}"), "its id is not the module's", mend);
        }
    }
    for job in description.jobs.iter().filter(|job| !job.starts_with(&dotted)) {
        report.misnamed(format!("job `{job}`"), &format!("{dotted}…"));
    }
    let own = subject.registry().invariants.iter().filter(|owned| owned.owner == module).map(|owned| owned.invariant);
    for invariant in own.filter(|invariant| !begins(invariant.name, module, '_')) {
        report.misnamed(format!("invariant `{}`", invariant.name), &format!("{module}_…"));
    }
    for command in subject.registry().commands.iter() {
        let wanted = module.replace('_', "-");
        if command.name != wanted {
            report.misnamed(format!("command `{}`", command.name), &wanted);
        }
    }
}

/// Whether a name is the module's own, or begins with it and this sign.
pub(super) fn begins(name: &str, module: &str, sign: char) -> bool {
    name.strip_prefix(module).is_some_and(|rest| rest.is_empty() || rest.starts_with(sign))
}
