//! What the API's document says about the module's routes.

use super::report::Report;
use super::rule::Rule;
use super::subject::Subject;

/// Each route has a summary and examples.
pub(super) fn look(subject: &Subject, report: &mut Report) {
    for owned in subject
        .registry()
        .routes
        .entries
        .iter()
        .filter(|owned| owned.owner == subject.name() && owned.route.is_published())
    {
        let (route, operation) = (&owned.route, &owned.route.operation);
        let place = format!("{} {}", route.method, route.path);
        let mut lacks = |what: &str, mend: &str| report.breach(Rule::Document, place.as_str(), what, mend);
        if operation.summary.trim().is_empty() {
            lacks("it has no summary", "say in a line what it does: `.summary(\"…\")`");
        }
        if operation.body.is_some() && operation.body_example.is_none() {
            lacks("there is no example of its body", "give one: `.body_example(|| json!({…}))`");
        }
        let answers_json = operation.answer.is_some_and(|answer| answer.status != 204) && !operation.only_files;
        if answers_json && operation.answer_example.is_none() {
            lacks("there is no example of its answer", "give one: `.example(|| json!({\"data\": …}))`");
        }
    }
}
