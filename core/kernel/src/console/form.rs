//! Forms of modules' pages: made from the rule table of their input, checked by it, and shown again with what is wrong.

use std::fmt;
use std::future::Future;
use std::sync::Arc;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use serde_json::Value;

use super::fields::unfit;
use super::placed_form::{FormRequest, PlacedForm};
use super::refused::Refused;
use super::{Told, UploadedFile};
use crate::core_routes::CoreRoutes;
use crate::from_shop::{FromShop, ShopParts};
use crate::http::error::{ApiError, ApiResult};
use crate::http::extract::{Input, Settings};
use crate::http::rules::Rules;
use crate::http::table::{Routes, routes};

type Outcome = BoxFuture<'static, Result<Told, Refused>>;
type Run = Arc<dyn Fn(&Value, Option<UploadedFile>, &ShopParts) -> Outcome + Send + Sync>;
type Begin = Arc<dyn Fn(FormValues, &ShopParts) -> BoxFuture<'static, ApiResult<FormStart>> + Send + Sync>;

/// What a form is opened or sent with: the values of its address, or of its fields.
#[derive(Debug, Clone, Default)]
pub struct FormValues(pub(super) Vec<(String, String)>);

impl FormValues {
    /// The value of this name; none of one that is empty.
    pub fn get(&self, name: &str) -> Option<&str> {
        let found = self.0.iter().find(|(known, _)| known == name).map(|(_, value)| value.trim());
        found.filter(|value| !value.is_empty())
    }

    /// All values of this name, on a line each.
    pub(super) fn whole(&self, name: &str) -> Option<String> {
        let all = self.0.iter().filter(|(known, _)| known == name).map(|(_, value)| value.as_str());
        let all = all.collect::<Vec<_>>();
        (!all.is_empty()).then(|| all.join("\n"))
    }
}

/// What a form begins with.
#[derive(Debug, Clone, Default)]
pub struct FormStart {
    pub(super) values: Vec<(&'static str, String)>,
    pub(super) offers: Vec<(&'static str, Vec<&'static str>)>,
    pub(super) choices: Vec<(&'static str, Vec<(String, String)>)>,
    pub(super) about: Option<String>,
    pub(super) back: Option<String>,
}

impl FormStart {
    /// A form that says in a sentence what it is about, such as which thing it changes.
    pub fn about(about: impl Into<String>) -> Self {
        Self::default().says(about)
    }

    /// Says in a sentence what it is about.
    #[must_use]
    pub fn says(self, about: impl Into<String>) -> Self {
        Self { about: Some(about.into()), ..self }
    }

    /// Fills a field: with a text, a number, or `1` for what is ticked. Several texts of a list stand on a line each.
    #[must_use]
    pub fn value(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.values.push((name, value.into()));
        self
    }

    /// Fills a field with what there may be.
    #[must_use]
    pub fn may<V: ToString>(self, name: &'static str, value: Option<V>) -> Self {
        match value {
            Some(value) => self.value(name, value.to_string()),
            None => self,
        }
    }

    /// Has a list or a text be chosen among these.
    #[must_use]
    pub fn offers(mut self, name: &'static str, values: Vec<&'static str>) -> Self {
        self.offers.push((name, values));
        self
    }

    /// Has a text be chosen among these, each with what it is called, such as the slug and the name of an event.
    #[must_use]
    pub fn chooses(mut self, name: &'static str, values: Vec<(String, String)>) -> Self {
        self.choices.push((name, values));
        self
    }

    /// Says which page of the console one came from, such as `/orders/O-000012`.
    #[must_use]
    pub fn back(self, path: impl Into<String>) -> Self {
        Self { back: Some(path.into()), ..self }
    }
}

/// The one file that comes along with a form.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FormFile {
    /// The name of its field.
    pub name: &'static str,
    /// What it is called.
    pub label: &'static str,
    /// A sentence about it.
    pub hint: &'static str,
    /// What browsers offer, such as `.csv`; may be empty.
    pub accept: &'static str,
}

/// A form of a page of the console, made by [`form`].
#[derive(Clone)]
pub struct ConsoleForm {
    pub(super) name: &'static str,
    pub(super) ability: &'static str,
    pub(super) title: &'static str,
    pub(super) about: Option<&'static str>,
    pub(super) camera: bool,
    pub(super) hidden: &'static [&'static str],
    pub(super) file: Option<FormFile>,
    pub(super) rules: fn() -> Rules,
    pub(super) begin: Option<Begin>,
    pub(super) run: Run,
}

impl fmt::Debug for ConsoleForm {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConsoleForm").field("name", &self.name).finish_non_exhaustive()
    }
}

/// A form that those who hold the ability may fill in. Its fields are those of the input's rule table, and what is sent is checked by
/// the same table; then `act` does it, with what it needs of the shop, and says what was done.
pub fn form<I, U, F, Fut>(name: &'static str, title: &'static str, ability: &'static str, act: F) -> ConsoleForm
where
    I: Input + Send + 'static,
    U: FromShop,
    F: Fn(I, U) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Told, Refused>> + Send + 'static,
{
    made(name, title, ability, None, move |input: I, _, uses: U| act(input, uses))
}

/// The same with a file, which must be there.
pub fn file_form<I, U, F, Fut>(
    name: &'static str,
    title: &'static str,
    ability: &'static str,
    file: FormFile,
    act: F,
) -> ConsoleForm
where
    I: Input + Send + 'static,
    U: FromShop,
    F: Fn(I, UploadedFile, U) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Told, Refused>> + Send + 'static,
{
    made(name, title, ability, Some(file), move |input: I, sent: Option<UploadedFile>, uses: U| {
        let done = sent.map(|sent| act(input, sent, uses));
        async move {
            match done {
                Some(done) => done.await,
                None => Err(Refused::field(file.name, &"choose a file")),
            }
        }
    })
}

fn made<I, U, F, Fut>(
    name: &'static str,
    title: &'static str,
    ability: &'static str,
    file: Option<FormFile>,
    act: F,
) -> ConsoleForm
where
    I: Input + Send + 'static,
    U: FromShop,
    F: Fn(I, Option<UploadedFile>, U) -> Fut + Send + Sync + 'static,
    Fut: Future<Output = Result<Told, Refused>> + Send + 'static,
{
    let act = Arc::new(act);
    let run = move |sent: &Value, file: Option<UploadedFile>, shop: &ShopParts| -> Outcome {
        let settings = Settings { config: &shop.config, abilities: &shop.abilities, base_url: &shop.base_url };
        let accepted = I::rules().validate_with(sent, |accepted| I::check_settings(accepted, &settings));
        let input = accepted.and_then(|accepted| serde_json::from_value::<I>(accepted).map_err(ApiError::internal));
        let (act, uses) = (Arc::clone(&act), U::from_shop(shop));
        async move { act(input?, file, uses).await }.boxed()
    };
    let (run, rules) = (Arc::new(run), I::rules);
    ConsoleForm { name, title, ability, about: None, camera: false, hidden: &[], file, rules, begin: None, run }
}

impl ConsoleForm {
    /// Says in a sentence what the form is for.
    #[must_use]
    pub fn about(self, about: &'static str) -> Self {
        Self { about: Some(about), ..self }
    }

    /// Fills the first field by the camera: as soon as a code is before it where the browser reads codes, and else from a photo, which
    /// the shop reads.
    #[must_use]
    pub fn by_camera(self) -> Self {
        Self { camera: true, ..self }
    }

    /// Does not show these fields: ids that the page before has filled in, and the version of what is changed, which
    /// [`begins`](Self::begins) fills in anew each time that the form is shown. Where it fills in no version, the form itself tells what
    /// somebody else has changed since it was opened, before that is overwritten.
    #[must_use]
    pub fn hides(self, fields: &'static [&'static str]) -> Self {
        Self { hidden: fields, ..self }
    }

    /// Begins with what is there: `begin` reads it by what the address says, or by what was sent when the form is shown again. It
    /// fills fields that the address does not, and hidden ones always.
    #[must_use]
    pub fn begins<U, F, Fut>(self, begin: F) -> Self
    where
        U: FromShop,
        F: Fn(FormValues, U) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = ApiResult<FormStart>> + Send + 'static,
    {
        let begin: Begin = Arc::new(move |values, shop: &ShopParts| begin(values, U::from_shop(shop)).boxed());
        Self { begin: Some(begin), ..self }
    }

    pub(super) fn problems(&self) -> Vec<String> {
        let unfit = unfit(&(self.rules)());
        unfit
            .map(|field| format!("the form `{}` has the field `{field}`, which no form can hold", self.name))
            .into_iter()
            .collect()
    }

    /// Its routes at a path below the console's, as a part of a page at another.
    pub fn routes<S: Clone + Send + Sync + 'static>(self, path: &'static str, page: &str) -> Routes<S> {
        let (name, ability) = (self.name, self.ability);
        let shown = Arc::new(PlacedForm { form: self, page: page.to_owned() });
        let sent = Arc::clone(&shown);
        let show = move |request: FormRequest| {
            let form = Arc::clone(&shown);
            async move { form.show(&request).await }
        };
        let send = move |request: FormRequest| {
            let form = Arc::clone(&sent);
            async move { form.send(request).await }
        };
        routes().get(name, path, show).console(Some(ability)).post(name, path, send).console(Some(ability))
    }
}
