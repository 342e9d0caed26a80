//! Freezing the route table: abilities are resolved, conflicts are found and named.

use std::collections::BTreeMap;
use std::sync::Arc;

use axum::routing::MethodRouter;

use crate::console::ConsoleAbilities;

use super::table::{Access, Base, Route, Routes};

/// A mistake in the route table that stops the start.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RouteProblem(pub String);

/// A route with its owner, ready to be mounted.
pub struct OwnedRoute {
    /// The route as it was declared, its access resolved.
    pub route: Route,
    /// `core` or the module's name.
    pub owner: &'static str,
    pub(super) handler: MethodRouter,
}

/// All routes of the program, sorted by path and method.
#[derive(Default)]
pub struct FrozenRoutes {
    /// The routes.
    pub entries: Vec<OwnedRoute>,
}

impl FrozenRoutes {
    /// Adds an owner's routes, giving their handlers their state.
    pub(crate) fn add<S: Clone + Send + Sync + 'static>(&mut self, owner: &'static str, state: &S, routes: Routes<S>) {
        self.entries.extend(routes.entries.into_iter().map(|(route, handler)| OwnedRoute {
            route,
            owner,
            handler: handler.with_state(state.clone()),
        }));
    }

    /// Resolves each module route's ability from its prefix, and sorts.
    pub(crate) fn resolve(&mut self, ability_of: impl Fn(&str) -> Option<&'static str>) {
        for entry in &mut self.entries {
            if entry.route.access == Access::ByPrefix {
                entry.route.access = ability_of(entry.route.prefix()).map_or(Access::Unmapped, Access::Ability);
            }
        }
        self.entries.sort_by(|a, b| {
            let order_of = |owned: &OwnedRoute| (owned.route.base, owned.route.path, Arc::clone(&owned.route.below));
            (order_of(a), a.route.method.as_str()).cmp(&(order_of(b), b.route.method.as_str()))
        });
    }

    /// Everything wrong with names, paths and descriptions.
    pub(crate) fn problems(&self) -> Vec<RouteProblem> {
        let mut found = Vec::new();
        let mut names: BTreeMap<&str, &OwnedRoute> = BTreeMap::new();
        let mut templates: BTreeMap<(String, &str), &OwnedRoute> = BTreeMap::new();
        for entry in &self.entries {
            let route = &entry.route;
            found.extend(malformed(entry));
            // A form of the console is shown and taken under one name.
            let is_form = |other: &OwnedRoute| !route.is_published() && other.route.full_path() == route.full_path();
            if let Some(other) = names.insert(route.name, entry).filter(|other| !is_form(other)) {
                found.push(RouteProblem(format!(
                    "the route name `{}` is used by both `{}` and `{}`",
                    route.name, other.owner, entry.owner
                )));
            }
            let template = (template_of(&route.full_path()), route.method.as_str());
            if let Some(other) = templates.insert(template, entry) {
                found.push(RouteProblem(format!(
                    "{} {} of `{}` collides with {} {} of `{}`",
                    route.method, route.path, entry.owner, other.route.method, other.route.path, other.owner
                )));
            }
        }
        found.extend(self.diverging_variables());
        found
    }

    /// axum wants one name for a variable at one place of a path, whatever the method.
    fn diverging_variables(&self) -> Vec<RouteProblem> {
        let mut seen: BTreeMap<String, &OwnedRoute> = BTreeMap::new();
        let mut found = Vec::new();
        for entry in &self.entries {
            let mut prefix = String::new();
            for segment in entry.route.full_path().split('/').skip(1) {
                prefix.push('/');
                prefix.push_str(if segment.starts_with('{') { "{}" } else { segment });
                if !segment.starts_with('{') {
                    continue;
                }
                let other = *seen.entry(prefix.clone()).or_insert(entry);
                let theirs = other.route.full_path();
                let theirs = theirs.split('/').nth(prefix.matches('/').count());
                if theirs != Some(segment) {
                    found.push(RouteProblem(format!(
                        "{} of `{}` and {} of `{}` name the same path variable differently",
                        entry.route.path, entry.owner, other.route.path, other.owner
                    )));
                }
            }
        }
        found
    }

    /// Pages of the console whose ability nobody has registered.
    pub(crate) fn without_console_ability(&self, known: &ConsoleAbilities) -> Vec<String> {
        let pages = self.entries.iter().filter_map(|entry| match entry.route.access {
            Access::Console(Some(ability)) if !known.contains(ability) => Some((entry, ability)),
            _ => None,
        });
        let told = |(entry, ability): (&OwnedRoute, &str)| {
            format!(
                "route `{}` of `{}`: nobody has registered the console's ability `{ability}`",
                entry.route.name, entry.owner
            )
        };
        pages.map(told).collect()
    }

    /// Module routes that will be refused because no ability is mapped to their prefix.
    pub fn unmapped(&self) -> impl Iterator<Item = &OwnedRoute> {
        self.entries.iter().filter(|entry| entry.route.access == Access::Unmapped)
    }
}

fn template_of(path: &str) -> String {
    path.split('/').map(|segment| if segment.starts_with('{') { "{}" } else { segment }).collect::<Vec<_>>().join("/")
}

fn malformed(entry: &OwnedRoute) -> Vec<RouteProblem> {
    let route = &entry.route;
    let mut found = Vec::new();
    let mut problem = |text: String| {
        found.push(RouteProblem(format!("route `{}` of `{}`: {text}", route.name, entry.owner)));
    };
    let label_fits = |label: &str| {
        !label.is_empty()
            && label.bytes().all(|b| b.is_ascii_lowercase() || b.is_ascii_digit() || matches!(b, b'_' | b'-'))
    };
    if route.name.split('.').count() < 2 || !route.name.split('.').all(label_fits) {
        problem(String::from("the name must be dotted lower case, such as `gift-wraps.index`"));
    }
    let is_home = route.base == Base::Site && (route.path == "/" || (route.path.is_empty() && !route.below.is_empty()));
    if !is_home && (!route.path.starts_with('/') || route.path.ends_with('/') || route.path.contains("//")) {
        problem(format!("the path `{}` must start with a slash and not end with one", route.path));
    }
    let variables = route.path.split('/').filter(|segment| segment.starts_with('{')).count();
    let taken = route.operation.path.len();
    if variables != taken {
        problem(format!(
            "the path `{}` has {variables} variable(s) but the handler takes {taken}; use the extractor `Id` or `Name`",
            route.path
        ));
    }
    found
}
