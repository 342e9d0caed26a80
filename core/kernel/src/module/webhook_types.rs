//! Types of events that modules tell other programs about.

use std::fmt;
use std::iter::once;

use schemars::JsonSchema;

use crate::config::EVENT_TYPES;
use crate::http::answer::schema_of;
use crate::http::table::SchemaOf;
use crate::suggestion::closest;

/// A type of event that a module tells other programs about, and endpoints may subscribe to. Register it with
/// [`ModuleContext::webhook_type`](super::ModuleContext::webhook_type).
#[derive(Clone, Copy)]
pub struct WebhookType {
    /// Its name: the module's, a full stop, and what has happened, such as `gift_wrap.requested`.
    pub name: &'static str,
    /// What has happened, in a line.
    pub description: &'static str,
    /// The schema of the member `data`, made by [`WebhookType::data_of`].
    pub data: SchemaOf,
}

impl WebhookType {
    /// The schema of what the member `data` holds.
    pub const fn data_of<T: JsonSchema>() -> SchemaOf {
        schema_of::<T>
    }

    /// What is wrong with its name as that of a module's type, if something is.
    pub(super) fn mistake(&self, module: &str) -> Option<String> {
        let what = self.name.strip_prefix(module).and_then(|rest| rest.strip_prefix('.'));
        let is_name = |text: &str| {
            !text.is_empty()
                && text.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'_')
        };
        let fits = what.is_some_and(is_name);
        (!fits).then(|| {
            format!("the webhook type `{}` of `{module}` must be called `{module}.…`, in lower case", self.name)
        })
    }
}

impl fmt::Debug for WebhookType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name)
    }
}

/// All types that this program's modules have, on or off, sorted by name.
#[derive(Debug, Clone, Default)]
pub struct WebhookTypes(Vec<WebhookType>);

impl WebhookTypes {
    /// Those of modules, sorted; what is wrong with them is told beside them.
    pub(super) fn new(mut types: Vec<(&'static str, WebhookType)>) -> (Self, Vec<String>) {
        types.sort_by_key(|(_, known)| known.name);
        let misnamed = types.iter().filter_map(|(module, known)| known.mistake(module));
        let twice = types.windows(2).filter(|pair| pair[0].1.name == pair[1].1.name);
        let twice = twice.map(|pair| format!("the webhook type `{}` is registered twice", pair[0].1.name));
        let mistakes = misnamed.chain(twice).collect();
        (Self(types.into_iter().map(|(_, known)| known).collect()), mistakes)
    }

    /// Those of modules.
    pub fn of_modules(&self) -> &[WebhookType] {
        &self.0
    }

    /// The names of all types, the shop's own first.
    pub fn names(&self) -> Vec<&'static str> {
        EVENT_TYPES.into_iter().chain(self.0.iter().map(|known| known.name)).collect()
    }

    /// What is wrong with the name of a type that somebody wants to subscribe to.
    pub fn refusal(&self, name: &str) -> Option<String> {
        let names = self.names();
        let is_known = name == "*" || names.contains(&name);
        (!is_known).then(|| no_such_event(name, names))
    }
}

/// What is told about an event that nothing has: the one that was probably meant, and all that there are.
pub fn no_such_event(name: &str, known: impl IntoIterator<Item = &'static str>) -> String {
    let known = once("*").chain(known).collect::<Vec<_>>();
    let all = known.join(", ");
    match closest(name, known) {
        Some(meant) => format!("there is no event `{name}`; did you mean `{meant}`? Events: {all}"),
        None => format!("there is no event `{name}`; there are: {all}"),
    }
}
