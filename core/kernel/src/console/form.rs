//! Forms of modules' pages: made from the rule table of their input, checked by it, and shown again with what is wrong.

use std::fmt;
use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::StatusCode;
use http::request::Parts;
use serde_json::Value;

use super::fields::{FormField, fields_of, unfit, value_of};
use super::refused::Refused;
use super::{ConsoleAnswer, PageAddress, PageAsked, ShowConsole, StaffForm, Told};
use crate::core_routes::CoreRoutes;
use crate::from_shop::{FromShop, ShopParts};
use crate::http::error::{ApiError, ApiResult};
use crate::http::extract::{Input, Settings, Uses};
use crate::http::rules::Rules;
use crate::http::shape::Takes;
use crate::http::table::{Routes, routes};

type Outcome = Pin<Box<dyn Future<Output = Result<Told, Refused>> + Send>>;
type Run = Arc<dyn Fn(&Value, &ShopParts) -> Outcome + Send + Sync>;

/// A form of a page of the console, made by [`form`].
#[derive(Clone)]
pub struct ConsoleForm {
    pub(super) name: &'static str,
    title: &'static str,
    pub(super) ability: &'static str,
    about: Option<&'static str>,
    camera: bool,
    rules: fn() -> Rules,
    run: Run,
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
    let act = Arc::new(act);
    let run = move |sent: &Value, shop: &ShopParts| -> Outcome {
        let settings = Settings { config: &shop.config, abilities: &shop.abilities, base_url: &shop.base_url };
        let accepted = I::rules().validate_with(sent, |accepted| I::check_settings(accepted, &settings));
        let input = accepted.and_then(|accepted| serde_json::from_value::<I>(accepted).map_err(ApiError::internal));
        let (act, uses) = (Arc::clone(&act), U::from_shop(shop));
        Box::pin(async move { act(input?, uses).await })
    };
    ConsoleForm { name, title, ability, about: None, camera: false, rules: I::rules, run: Arc::new(run) }
}

impl ConsoleForm {
    /// Says in a sentence what the form is for.
    #[must_use]
    pub fn about(self, about: &'static str) -> Self {
        Self { about: Some(about), ..self }
    }

    /// Fills the first field by the camera, where the browser can read codes.
    #[must_use]
    pub fn by_camera(self) -> Self {
        Self { camera: true, ..self }
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
            async move { form.show(&request) }
        };
        let send = move |request: FormRequest| {
            let form = Arc::clone(&sent);
            async move { form.send(request).await }
        };
        routes().get(name, path, show).console(Some(ability)).post(name, path, send).console(Some(ability))
    }
}

/// A form on its page.
pub(super) struct PlacedForm {
    form: ConsoleForm,
    page: String,
}

/// What is wrong with what was sent.
#[derive(Default)]
struct Wrong {
    status: StatusCode,
    problem: Option<String>,
    fields: Vec<(String, String)>,
}

impl PlacedForm {
    /// Where its page is.
    fn page_of(&self, asked: &PageAsked) -> String {
        format!("{}{}", asked.staff.console, self.page)
    }

    /// Where it is filled in once more: what stands in all fields but the first, such as the door, stays.
    fn for_next(&self, request: &FormRequest) -> String {
        let rules = (self.form.rules)();
        let kept = rules.names().skip(1);
        let kept = kept.filter_map(|name| Some((name.to_owned(), request.sent.get(name)?.to_owned())));
        PageAddress { path: request.asked.address.path.clone(), query: kept.collect() }.with(&[])
    }

    /// Shows it, with the values that the address has.
    pub(super) fn show(&self, request: &FormRequest) -> ApiResult<ConsoleAnswer> {
        let address = &request.asked.address;
        self.shown(request, |name| address.get(name).map(str::to_owned), Wrong::default())
    }

    /// Does what it is for.
    pub(super) async fn send(&self, request: FormRequest) -> ApiResult<ConsoleAnswer> {
        let sent = value_of(&(self.form.rules)(), &request.sent);
        match (self.form.run)(&sent, &request.shop).await {
            Ok(told) => {
                let location = if told.stays { self.for_next(&request) } else { self.page_of(&request.asked) };
                Ok(ConsoleAnswer(told.on_page(&location)))
            }
            Err(refused) => {
                let wrong = request.wrong(refused)?;
                self.shown(&request, |name| request.sent.raw(name).map(str::to_owned), wrong)
            }
        }
    }

    fn shown(
        &self,
        request: &FormRequest,
        typed: impl Fn(&str) -> Option<String>,
        wrong: Wrong,
    ) -> ApiResult<ConsoleAnswer> {
        let form = FormPage {
            title: self.form.title,
            about: self.form.about,
            fields: fields_of(&(self.form.rules)(), typed, &wrong.fields),
            problem: wrong.problem,
            status: wrong.status,
            back: self.page_of(&request.asked),
            camera: self.form.camera,
        };
        request.view.form(&request.asked, &form).map(ConsoleAnswer)
    }
}

/// A form, ready to be shown.
#[derive(Debug)]
pub struct FormPage {
    /// The heading, and what the button says.
    pub title: &'static str,
    /// A sentence below it.
    pub about: Option<&'static str>,
    /// What is put in.
    pub fields: Vec<FormField>,
    /// Why it was not taken.
    pub problem: Option<String>,
    /// The status of the answer.
    pub status: StatusCode,
    /// The page that it belongs to.
    pub back: String,
    /// Whether the camera may fill the first field.
    pub camera: bool,
}

/// What a form is asked for or sent with.
pub(super) struct FormRequest {
    asked: PageAsked,
    sent: StaffForm,
    view: Arc<dyn ShowConsole>,
    shop: ShopParts,
}

impl FormRequest {
    /// What is wrong, in words; what failed is an error of its own.
    fn wrong(&self, refused: Refused) -> ApiResult<Wrong> {
        match refused {
            Refused::Because(text) => {
                Ok(Wrong { status: StatusCode::CONFLICT, problem: Some(text), fields: Vec::new() })
            }
            Refused::Field(field, text) => Ok(Wrong {
                status: StatusCode::UNPROCESSABLE_ENTITY,
                problem: Some(String::from("Look at what is marked below.")),
                fields: vec![(field.to_owned(), text)],
            }),
            Refused::Failed(error) if error.status().is_server_error() => Err(error),
            Refused::Failed(error) => {
                let texts = &self.shop.texts;
                let body = error.body(texts, texts.language_of("en"));
                let fields = body
                    .errors
                    .into_iter()
                    .flat_map(|(field, texts)| texts.into_iter().map(move |text| (field.clone(), text)));
                Ok(Wrong { status: error.status(), problem: Some(body.message), fields: fields.collect() })
            }
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for FormRequest {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let asked = PageAsked::from_request_parts(parts, state).await?;
        let sent = StaffForm::from_request_parts(parts, state).await?;
        let view = super::query::view_of(parts)?;
        let Uses(Whole(shop)) = Uses::from_request_parts(parts, state).await?;
        Ok(Self { asked, sent, view, shop })
    }
}

impl Takes for FormRequest {}

/// The shop as whoever works in the console has it.
pub(super) struct Whole(pub(super) ShopParts);

impl FromShop for Whole {
    fn from_shop(shop: &ShopParts) -> Self {
        Self(shop.clone())
    }
}
