//! The module's parts of the storefront's pages.

use http::Method;
use matchit::Router;

use super::report::Report;
use super::rule::Rule;
use super::subject::Subject;

/// Each panel can be read, names only what there is, and asks for what is answered.
pub(super) fn look(subject: &Subject, report: &mut Report) {
    let routes = answered(subject);
    for owned in subject.registry().shown.panels.iter().filter(|owned| owned.owner == subject.name()) {
        let place = format!("panel `{}`", owned.template_name());
        if let Err(error) = subject.check_panel(owned) {
            let mend = "see \"For modules\" in the storefront's README for what its page gives it";
            report.breach(Rule::Panels, place.as_str(), error.to_string(), mend);
        }
        let asked = [owned.panel.path, owned.panel.own].into_iter().flatten();
        for path in asked.filter(|path| routes.at(path.split('?').next().unwrap_or_default()).is_err()) {
            let mend = "name a path of the API as routes do, without `/api/v1`";
            report.breach(Rule::Panels, place.as_str(), format!("there is no route `GET {path}`"), mend);
        }
    }
}

/// What the API answers to `GET`. A panel's path may have variables, which fit those of the routes.
fn answered(subject: &Subject) -> Router<()> {
    let mut answered = Router::new();
    let routes = subject.registry().routes.entries.iter().map(|owned| &owned.route);
    for route in routes.filter(|route| route.method == Method::GET && route.is_published()) {
        // Paths that collide were refused when the program was put together.
        let _ = answered.insert(route.path, ());
    }
    answered
}
