//! The route table: what core features and modules declare, before it is mounted.
//!
//! A route is data (name, method, path, access, description) with a handler. No `axum::Router`
//! crosses the module boundary, so no route can exist without a name, an access rule and the guard.

use std::sync::Arc;

use axum::handler::Handler;
use axum::routing::{MethodFilter, MethodRouter, on};
use http::Method;
use schemars::JsonSchema;

use super::answer::schema_of;
use super::rules::Rules;
use super::shape::Shape;
use crate::auth::LimitClass;

/// The path in front of every route of the API (S1 rule 1).
pub const API_BASE: &str = "/api/v1";

/// Who may use a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Access {
    /// Everybody; no credentials are looked at.
    Public(LimitClass),
    /// Everybody; whoever brings credentials is that customer, and credentials that are not valid are refused.
    Cart,
    /// Everybody who brings credentials in the body; the handler limits attempts by what they name.
    Credentials,
    /// Whoever uses a browser of this shop, logged in or not; writes need the CSRF token.
    FirstParty,
    /// The holder of a session alone; writes need the CSRF token.
    Session,
    /// Everybody with a browser, on a page at the shop's root; a form must come from a page of the shop.
    Page,
    /// A page of the shop for everybody's browser: reading it counts against the limit of the catalog, and a form is taken as for `Page`.
    ShopPage,
    /// A page of the console, for staff with this ability; with none, for all staff.
    Console(Option<&'static str>),
    /// A page of the console that stands before its door: to log in with, and what such pages are made of.
    ConsoleDoor,
    /// Programs of others, at the shop's root: the handler counts, reads and verifies what they send.
    Callback,
    /// A module's route, opened by the ability that its prefix is mapped to.
    ByPrefix,
    /// The holder of a token with this ability, or a session (S5.1).
    Ability(&'static str),
    /// A module's route whose prefix no ability is mapped to; always refused (S5.1 rule 6).
    Unmapped,
}

/// A variable of a route's path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PathKind {
    /// A positive whole number.
    Id,
    /// Any text without a slash.
    Text,
}

/// What the document says about the variable of a route's path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PathParameter {
    /// What it names.
    pub description: &'static str,
    /// A value to show.
    pub example: &'static str,
}

/// A query parameter of a route.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QueryParameter {
    /// The name in the query string.
    pub name: &'static str,
    /// What it does, for the document.
    pub description: &'static str,
    /// `integer` or `string`.
    pub kind: &'static str,
    /// The regular expression that values match, if others are refused.
    pub pattern: Option<&'static str>,
    /// A value to show in the document.
    pub example: &'static str,
}

/// A header of a request or of an answer that a route gives a meaning of its own.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HeaderParameter {
    /// The name.
    pub name: &'static str,
    /// What it does, for the document.
    pub description: &'static str,
    /// The regular expression that values match.
    pub pattern: &'static str,
    /// A value to show in the document.
    pub example: &'static str,
}

/// Makes the schema of an answer, naming its parts in the generator.
pub type SchemaOf = fn(&mut schemars::SchemaGenerator) -> serde_json::Value;

/// What a route's answer looks like.
#[derive(Debug, Clone, Copy)]
pub struct AnswerShape {
    /// The status of success.
    pub status: u16,
    /// What the status means.
    pub description: &'static str,
    /// The schema of the body.
    pub schema: SchemaOf,
}

/// The name of a body's schema, and its rule table.
pub type BodyShape = (&'static str, fn() -> Rules);

/// The description of a route, gathered from its handler's signature and the builder.
#[derive(Debug, Clone, Default)]
#[expect(clippy::struct_excessive_bools, reason = "each is a word of the description by itself")]
pub struct Operation {
    /// One line.
    pub summary: &'static str,
    /// Paragraphs.
    pub description: &'static str,
    /// Variables that the handler takes from the path, in order.
    pub path: Vec<PathKind>,
    /// What the route says about the variable of its path.
    pub path_parameter: Option<PathParameter>,
    /// Query parameters that the handler reads.
    pub query: Vec<QueryParameter>,
    /// Headers that the handler reads.
    pub headers: Vec<HeaderParameter>,
    /// Headers that the answer of success has besides those of every answer.
    pub answer_headers: Vec<HeaderParameter>,
    /// The rule table of the JSON body, if the handler takes one, and the body's name.
    pub body: Option<BodyShape>,
    /// An example of the body.
    pub body_example: Option<fn() -> serde_json::Value>,
    /// The answer of success.
    pub answer: Option<AnswerShape>,
    /// Further statuses of success with the same body, and what they mean.
    pub also: Vec<(u16, &'static str)>,
    /// Media types of files that the same answer comes as, when the client prefers them to JSON.
    pub files: Vec<&'static str>,
    /// Whether the answer of success is one of those files, and never JSON.
    pub only_files: bool,
    /// Whether a part of the answer can be asked for with `Range`: 206, or 416 for what is not there.
    pub ranges: bool,
    /// An example of the answer.
    pub answer_example: Option<fn() -> serde_json::Value>,
    /// Statuses of failure that the route has besides those that follow from its access.
    pub failures: Vec<u16>,
    /// Those of them whose body says more than that of others, with an example.
    pub failure_shapes: Vec<(AnswerShape, fn() -> serde_json::Value)>,
    /// Whether answers carry an `ETag` and honor `If-None-Match`.
    pub cached: bool,
    /// Whether reading is open to the key of an order's link, which the handler's [`Buyer`](crate::order_link::Buyer) keeps to its order.
    pub by_order_key: bool,
}

/// Where a route's path begins.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Base {
    /// At `/api/v1`: a part of the API and its document.
    Api,
    /// At the shop's own root.
    Site,
}

impl Base {
    /// What comes before the path.
    pub fn path(self) -> &'static str {
        match self {
            Self::Api => API_BASE,
            Self::Site => "",
        }
    }
}

/// One declared route.
pub struct Route {
    /// The name without `api.v1.`; its first label is the prefix.
    pub name: &'static str,
    /// The method; `HEAD` comes with `GET`.
    pub method: Method,
    /// Where the path begins.
    pub base: Base,
    /// What the path begins with before that: where the operator has put the console.
    pub below: Arc<str>,
    /// The path below its base, with `{variables}`.
    pub path: &'static str,
    /// Who may use it.
    pub access: Access,
    /// The limit that requests count against, where the access does not say.
    pub limit: LimitClass,
    /// Its description.
    pub operation: Operation,
}

impl Route {
    /// The path from the shop's root on.
    pub fn full_path(&self) -> String {
        match (&*self.below, self.path) {
            ("", path) => format!("{}{path}", self.base.path()),
            (below, "/") => below.to_owned(),
            (below, "") => format!("{below}/"),
            (below, path) => format!("{below}{path}"),
        }
    }

    /// Whether it is for clients of the API, and therefore in its document.
    pub fn is_published(&self) -> bool {
        !matches!(
            self.access,
            Access::Page | Access::ShopPage | Access::Callback | Access::Console(_) | Access::ConsoleDoor
        )
    }

    /// The first label of the name, which decides a module route's ability.
    pub fn prefix(&self) -> &'static str {
        self.name.split('.').next().unwrap_or(self.name)
    }
}

/// A list of routes that share a state.
pub struct Routes<S> {
    pub(crate) entries: Vec<(Route, MethodRouter<S>)>,
}

/// Starts a list of routes.
pub fn routes<S: Clone + Send + Sync + 'static>() -> Routes<S> {
    Routes { entries: Vec::new() }
}

impl<S: Clone + Send + Sync + 'static> Routes<S> {
    /// Adds a `GET` route; `HEAD` works too.
    #[must_use]
    pub fn get<T: 'static, H: Handler<T, S> + Shape<T>>(
        self,
        name: &'static str,
        path: &'static str,
        handler: H,
    ) -> Self {
        self.add(Method::GET, MethodFilter::GET, name, path, handler)
    }

    /// Adds a `POST` route.
    #[must_use]
    pub fn post<T: 'static, H: Handler<T, S> + Shape<T>>(
        self,
        name: &'static str,
        path: &'static str,
        handler: H,
    ) -> Self {
        self.add(Method::POST, MethodFilter::POST, name, path, handler)
    }

    /// Adds a `PATCH` route.
    #[must_use]
    pub fn patch<T: 'static, H: Handler<T, S> + Shape<T>>(
        self,
        name: &'static str,
        path: &'static str,
        handler: H,
    ) -> Self {
        self.add(Method::PATCH, MethodFilter::PATCH, name, path, handler)
    }

    /// Adds a `DELETE` route.
    #[must_use]
    pub fn delete<T: 'static, H: Handler<T, S> + Shape<T>>(
        self,
        name: &'static str,
        path: &'static str,
        handler: H,
    ) -> Self {
        self.add(Method::DELETE, MethodFilter::DELETE, name, path, handler)
    }

    fn add<T: 'static, H: Handler<T, S> + Shape<T>>(
        mut self,
        method: Method,
        filter: MethodFilter,
        name: &'static str,
        path: &'static str,
        handler: H,
    ) -> Self {
        let mut operation = Operation::default();
        H::describe(&mut operation);
        let route = Route {
            name,
            method,
            base: Base::Api,
            below: Arc::default(),
            path,
            access: Access::ByPrefix,
            limit: LimitClass::Protected,
            operation,
        };
        self.entries.push((route, on(filter, handler)));
        self
    }

    /// Adds all of another list.
    #[must_use]
    pub fn and(self, more: Self) -> Self {
        Self { entries: self.entries.into_iter().chain(more.entries).collect() }
    }

    /// Says in one line what the route just added does.
    #[must_use]
    pub fn summary(mut self, text: &'static str) -> Self {
        self.last().operation.summary = text;
        self
    }

    /// Says more about the route just added.
    #[must_use]
    pub fn description(mut self, text: &'static str) -> Self {
        self.last().operation.description = text;
        self
    }

    /// Gives an example of the answer of the route just added.
    #[must_use]
    pub fn example(mut self, example: fn() -> serde_json::Value) -> Self {
        self.last().operation.answer_example = Some(example);
        self
    }

    /// Gives an example of the body that the route just added takes.
    #[must_use]
    pub fn body_example(mut self, example: fn() -> serde_json::Value) -> Self {
        self.last().operation.body_example = Some(example);
        self
    }

    /// Says what the variable of the path of the route just added names, with an example; else it is called the variable's id.
    #[must_use]
    pub fn path_parameter(mut self, description: &'static str, example: &'static str) -> Self {
        self.last().operation.path_parameter = Some(PathParameter { description, example });
        self
    }

    /// Declares statuses of failure of the route just added.
    #[must_use]
    pub fn fails_with(mut self, statuses: &[u16]) -> Self {
        self.last().operation.failures.extend_from_slice(statuses);
        self
    }

    /// Declares a status of failure of the route just added whose body says more than all errors do: what its reason calls for.
    #[must_use]
    pub fn fails_as<T: JsonSchema>(
        mut self,
        status: u16,
        description: &'static str,
        example: fn() -> serde_json::Value,
    ) -> Self {
        let shape = AnswerShape { status, description, schema: schema_of::<T> };
        self.last().operation.failure_shapes.push((shape, example));
        self
    }

    /// Counts requests of the route just added against another limit than that of protected routes, with all of that limit.
    #[must_use]
    pub fn limited(mut self, limit: LimitClass) -> Self {
        self.last().limit = limit;
        self
    }

    /// Declares that answers of the route just added carry an `ETag`.
    #[must_use]
    pub fn cached(mut self) -> Self {
        self.last().operation.cached = true;
        self
    }

    /// Opens the route just added; modules have no such routes.
    pub(crate) fn opened(mut self, access: Access) -> Self {
        self.last().access = access;
        self
    }

    /// Puts the route just added beside the API.
    pub(crate) fn at_the_root(mut self) -> Self {
        self.last().base = Base::Site;
        self
    }

    /// Opens all of them, below this base.
    pub(crate) fn all_opened(mut self, base: Base, access: Access) -> Self {
        for (route, _) in &mut self.entries {
            (route.base, route.access) = (base, access);
        }
        self
    }

    fn last(&mut self) -> &mut Route {
        &mut self.entries.last_mut().expect("a route is added before it is described").0
    }
}
