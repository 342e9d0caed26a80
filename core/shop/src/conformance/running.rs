//! What the module tells the operator, asked for in an empty shop.

use stoa_kernel::doctor::State;

use super::names::begins;
use super::report::Report;
use super::rule::Rule;
use super::subject::describe;
use crate::program::Shop;
use crate::verification::verify;

/// Invariants, findings and measurements work, and bear the module's name.
pub(super) async fn look(module: &'static str, shop: &Shop, report: &mut Report) {
    match verify(&shop.parts.db, &shop.registry.invariants).await {
        Ok(breaches) => {
            for breach in breaches {
                let mend = "an empty shop breaks no promise: look at the invariant's statement";
                report.breach(Rule::Running, "`stoa verify`", breach.to_string(), mend);
            }
        }
        Err(error) => {
            let mend = "select two texts, what it is about and what is wrong";
            report.breach(Rule::Running, "`stoa verify`", describe(&error), mend);
        }
    }
    for examination in shop.registry.examinations.iter().filter(|examination| examination.owner == module) {
        match examination.run(&shop.parts).await {
            Ok(findings) => {
                for finding in findings {
                    let place = format!("finding `{}`", finding.check);
                    if finding.state == State::Failure {
                        let mend = "an empty shop is all right: warn, or say that nothing is there";
                        report.breach(Rule::Running, place.as_str(), finding.message, mend);
                    }
                    if !begins(finding.check, module, '.') {
                        report.misnamed(place, &format!("{module}.…"));
                    }
                }
            }
            Err(error) => {
                report.breach(Rule::Running, "`stoa doctor`", describe(&error), "mend the statement");
            }
        }
    }
    for check in shop.registry.starting.checks.iter().filter(|check| check.owner == module) {
        if !begins(check.check, module, '.') {
            report.misnamed(format!("check `{}`", check.check), &format!("{module}.…"));
        }
    }
    for measurement in shop.registry.measurements.iter().filter(|measurement| measurement.owner == module) {
        match measurement.run(&shop.parts).await {
            Ok(samples) => {
                for sample in samples {
                    let own = sample.name().strip_prefix("stoa_").is_some_and(|name| begins(name, module, '_'));
                    if !own {
                        report.misnamed(format!("measurement `{}`", sample.name()), &format!("stoa_{module}_…"));
                    }
                }
            }
            Err(error) => {
                report.breach(Rule::Running, "`/metrics`", describe(&error), "mend the statement");
            }
        }
    }
}
