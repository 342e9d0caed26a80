//! The module's parts of the storefront's pages.

use http::Method;

use super::report::Report;
use super::rule::Rule;
use super::subject::Subject;

/// Each panel can be read, names only what there is, and asks for what is answered.
pub(super) fn look(subject: &Subject, report: &mut Report) {
    for owned in subject.registry().shown.panels.iter().filter(|owned| owned.owner == subject.name()) {
        let place = format!("panel `{}`", owned.template_name());
        if let Err(error) = subject.check_panel(owned) {
            let mend = "see \"For modules\" in the storefront's README for what its page gives it";
            report.breach(Rule::Panels, place.as_str(), error.to_string(), mend);
        }
        let asked = [owned.panel.path, owned.panel.own].into_iter().flatten();
        for path in asked.filter(|path| !is_answered(subject, path)) {
            let mend = "name a path of the API as routes do, without `/api/v1`";
            report.breach(Rule::Panels, place.as_str(), format!("there is no route `GET {path}`"), mend);
        }
    }
}

/// Whether the API has a route for a path, which may have variables and a query.
fn is_answered(subject: &Subject, path: &str) -> bool {
    let path = path.split('?').next().unwrap_or_default();
    let mut routes = subject.registry().routes.entries.iter().map(|owned| &owned.route);
    routes.any(|route| route.method == Method::GET && route.is_published() && fits(route.path, path))
}

fn fits(route: &str, path: &str) -> bool {
    let (route, path) = (route.split('/').collect::<Vec<_>>(), path.split('/').collect::<Vec<_>>());
    let fits = |(of_route, of_path): (&&str, &&str)| of_route == of_path || of_route.starts_with('{');
    route.len() == path.len() && route.iter().zip(&path).all(fits)
}
