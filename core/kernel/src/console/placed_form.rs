//! A form on its page: shown, sent, and shown again with what is wrong.

use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::StatusCode;
use http::request::Parts;
use serde_json::Value;
use url::form_urlencoded;

use super::camera::read_code;
use super::fields::{FormField, FormShape, fields_of, in_labels};
use super::refused::Refused;
use super::told::ShownOnce;
use super::{
    ConsoleAnswer, ConsoleForm, FormFile, FormStart, FormValues, PageAddress, PageAsked, ShowConsole, StaffUpload, Told,
};
use crate::from_shop::{FromShop, ShopParts};
use crate::http::error::{ApiError, ApiResult};
use crate::http::extract::Uses;
use crate::http::shape::Takes;
use crate::i18n::Message;

/// The field of the photo that a form may be filled by.
const PHOTO: &str = "photo";

/// The field that sends along what a form began with. No rule table has such a name.
const BEGAN: &str = "began-with";

/// What is said above fields that say what is wrong with them.
const MARKED: &str = "Look at what is marked below.";

/// A form on its page.
pub(super) struct PlacedForm {
    pub(super) form: ConsoleForm,
    pub(super) page: String,
}

/// What is wrong with what was sent.
#[derive(Default)]
struct Wrong {
    status: StatusCode,
    problem: Option<String>,
    fields: Vec<(String, String)>,
}

impl PlacedForm {
    /// Where it is filled in once more: what stands in all fields but the first, such as the door, stays.
    fn for_next(&self, request: &FormRequest) -> String {
        let rules = (self.form.rules)();
        let kept = rules.names().skip(1);
        let kept = kept.filter_map(|name| Some((name.to_owned(), request.sent.form.get(name)?.to_owned())));
        PageAddress { path: request.asked.address.path.clone(), query: kept.collect() }.with(&[])
    }

    /// Shows it, with the values that the address has.
    pub(super) async fn show(&self, request: &FormRequest) -> ApiResult<ConsoleAnswer> {
        self.shown(request, FormValues(request.asked.address.query.clone()), Wrong::default()).await
    }

    /// Does what it is for.
    pub(super) async fn send(&self, request: FormRequest) -> ApiResult<ConsoleAnswer> {
        let file = self.form.file.and_then(|file| request.sent.files(file.name).next().cloned());
        let done = match self.sent(&request).await {
            Ok(sent) => match self.changed_meanwhile(&request).await? {
                None => (self.form.run)(&sent, file, &request.shop).await,
                Some(told) => Err(Refused::Because(told)),
            },
            Err(refused) => Err(refused),
        };
        match done {
            Ok(Told { once: Some(once), text, at, .. }) => {
                let back = self.back(&request.asked, at.as_deref());
                let page = OncePage { title: self.form.title, text: &text, once: &once, back: &back };
                request.view.once(&request.asked, &page).map(ConsoleAnswer)
            }
            Ok(told) => {
                let location =
                    if told.stays { self.for_next(&request) } else { self.back(&request.asked, told.at.as_deref()) };
                Ok(ConsoleAnswer(told.on_page(&location)))
            }
            Err(refused) => {
                let wrong = request.wrong(refused)?;
                self.shown(&request, request.values(), wrong).await
            }
        }
    }

    /// What the form begins with, to be sent along, where it changes something that is there: then it hides what that is. A form that
    /// begins with a version which it hides looks by itself whether that is the newest.
    fn began(&self, start: &FormStart) -> Option<String> {
        let hidden = self.form.hidden;
        if hidden.is_empty() || start.values.iter().any(|(name, _)| hidden.contains(name)) {
            return None;
        }
        let began = form_urlencoded::Serializer::new(String::new()).extend_pairs(&start.values).finish();
        (!began.is_empty()).then_some(began)
    }

    /// What somebody else has made of the thing since the form was opened, and what saving what was typed would make of it. None
    /// where nothing of that would be lost.
    async fn changed_meanwhile(&self, request: &FormRequest) -> ApiResult<Option<String>> {
        let (Some(begin), Some(before)) = (&self.form.begin, request.sent.form.raw(BEGAN)) else { return Ok(None) };
        let values = request.values();
        let start = begin(values.clone(), &request.shop).await?;
        let Some(now) = self.began(&start).filter(|now| now != before) else { return Ok(None) };
        let rules = (self.form.rules)();
        let lines = rules.names().filter_map(|name| {
            let (was, is) = (begun_with(before, name), begun_with(&now, name));
            let typed = values.whole(name).unwrap_or_default().replace("\r\n", "\n");
            (was != is && typed != is).then(|| {
                let is = if is.is_empty() { String::from("empty") } else { format!("“{is}”") };
                let saving =
                    if typed.is_empty() { String::from("empties it") } else { format!("makes it “{typed}”") };
                format!("“{name}” is {is} now, saving {saving}")
            })
        });
        let lines = lines.collect::<Vec<_>>().join("; ");
        Ok((!lines.is_empty()).then(|| {
            format!(
                "Somebody has changed this meanwhile, and nothing was saved: {lines}. Save once more to have it as it stands below."
            )
        }))
    }

    /// What was sent; the first field, if it is empty, from the photo of a code.
    async fn sent(&self, request: &FormRequest) -> Result<Value, Refused> {
        let rules = (self.form.rules)();
        let mut sent = request.sent.form.value_of(&rules);
        let Some(first) = rules.names().next().filter(|_| self.form.camera) else { return Ok(sent) };
        let is_typed = request.sent.form.get(first).is_some_and(|typed| !typed.trim().is_empty());
        if let Some(photo) = request.sent.files(PHOTO).next().filter(|_| !is_typed) {
            let content = photo.content.clone();
            let read = tokio::task::spawn_blocking(move || read_code(&content)).await.map_err(ApiError::internal)?;
            sent[first] = read.map_err(|unread| Refused::field(PHOTO, &format!("the photo {unread}")))?.into();
        }
        Ok(sent)
    }

    /// The page that follows: this one below the console's path, or its own.
    fn back(&self, asked: &PageAsked, path: Option<&str>) -> String {
        asked.staff.way_to(path.unwrap_or(&self.page))
    }

    async fn shown(&self, request: &FormRequest, values: FormValues, mut wrong: Wrong) -> ApiResult<ConsoleAnswer> {
        let start = match &self.form.begin {
            Some(begin) => begin(values.clone(), &request.shop).await?,
            None => FormStart::default(),
        };
        let begun = |name: &str| start.values.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
        // What was emptied stays empty.
        let was_sent = request.is_sent;
        let typed = |name: &str| values.whole(name);
        let filled = |name: &str| {
            if self.form.hidden.contains(&name) {
                begun(name).or_else(|| typed(name))
            } else if was_sent {
                typed(name)
            } else {
                typed(name).or_else(|| begun(name))
            }
        };
        // Nobody can look at what is not shown.
        let (unseen, fields) = std::mem::take(&mut wrong.fields)
            .into_iter()
            .partition::<Vec<_>, _>(|(name, _)| self.form.hidden.contains(&name.as_str()));
        if let Some((_, text)) = unseen.into_iter().next() {
            wrong.problem = Some(text);
        }
        let problem_of = |name: &str| fields.iter().find(|(known, _)| known == name).map(|(_, text)| text.clone());
        let shape = FormShape { hidden: self.form.hidden, offers: &start.offers, choices: &start.choices };
        let form = FormPage {
            title: self.form.title,
            about: start.about.as_deref().or(self.form.about),
            also: start.about.as_ref().and(self.form.about),
            fields: fields_of(&(self.form.rules)(), shape, filled, &fields),
            file: self.form.file.map(|file| (file, problem_of(file.name))),
            problem: wrong.problem.map(|text| in_labels(&(self.form.rules)(), &text)),
            status: wrong.status,
            back: self.back(&request.asked, start.back.as_deref()),
            photo: self.form.camera.then(|| CodePhoto { name: PHOTO, problem: problem_of(PHOTO) }),
            began: self.began(&start).map(|began| (BEGAN, began)),
        };
        request.view.form(&request.asked, &form).map(ConsoleAnswer)
    }
}

/// A form, ready to be shown.
#[derive(Debug)]
pub struct FormPage<'a> {
    /// The heading, and what the button says.
    pub title: &'static str,
    /// A sentence below it.
    pub about: Option<&'a str>,
    /// Another one.
    pub also: Option<&'static str>,
    /// What is put in.
    pub fields: Vec<FormField>,
    /// The file that comes along, and what is wrong with it.
    pub file: Option<(FormFile, Option<String>)>,
    /// Why it was not taken.
    pub problem: Option<String>,
    /// The status of the answer.
    pub status: StatusCode,
    /// The page that it belongs to.
    pub back: String,
    /// The photo of a code that may fill the first field, if one may.
    pub photo: Option<CodePhoto>,
    /// A field that nobody sees: what the form began with, which is compared when it comes back.
    pub began: Option<(&'static str, String)>,
}

/// What a form began with in a field, as it was sent along.
fn begun_with(began: &str, name: &str) -> String {
    let mut fields = form_urlencoded::parse(began.as_bytes());
    fields.find(|(known, _)| known == name).map(|(_, value)| value.into_owned()).unwrap_or_default()
}

/// A photo of a code, in the place of what is typed.
#[derive(Debug)]
pub struct CodePhoto {
    /// The name of its field.
    pub name: &'static str,
    /// What is wrong with the one that was sent.
    pub problem: Option<String>,
}

/// What is shown once and never again, such as a secret that was just made.
#[derive(Debug)]
pub struct OncePage<'a> {
    /// The heading.
    pub title: &'static str,
    /// What was done.
    pub text: &'a str,
    /// What is shown.
    pub once: &'a ShownOnce,
    /// The page that follows.
    pub back: &'a str,
}

/// What a form is asked for or sent with.
pub(super) struct FormRequest {
    asked: PageAsked,
    sent: StaffUpload,
    is_sent: bool,
    view: Arc<dyn ShowConsole>,
    shop: ShopParts,
}

impl FormRequest {
    /// What was sent, without what only proves where it comes from.
    fn values(&self) -> FormValues {
        let fields = self.sent.form.fields().filter(|(name, _)| *name != "csrf");
        FormValues(fields.map(|(name, value)| (name.to_owned(), value.to_owned())).collect())
    }

    /// What is wrong, in words; what failed is an error of its own.
    fn wrong(&self, refused: Refused) -> ApiResult<Wrong> {
        match refused {
            Refused::Because(text) => {
                Ok(Wrong { status: StatusCode::CONFLICT, problem: Some(text), fields: Vec::new() })
            }
            Refused::Field(field, text) => Ok(Wrong {
                status: StatusCode::UNPROCESSABLE_ENTITY,
                problem: Some(MARKED.to_owned()),
                fields: vec![(field.to_owned(), text)],
            }),
            Refused::Failed(error) if error.status().is_server_error() => Err(error),
            Refused::Failed(error) => {
                let texts = &self.shop.texts;
                let language = texts.language_of("en");
                let body = error.body(texts, language);
                // What the API says of any invalid data is for who sends requests.
                let is_general =
                    !body.errors.is_empty() && body.message == texts.say(&Message::ValidationError, language);
                let problem = if is_general { MARKED.to_owned() } else { body.message };
                let fields = body
                    .errors
                    .into_iter()
                    .flat_map(|(field, texts)| texts.into_iter().map(move |text| (field.clone(), text)));
                Ok(Wrong { status: error.status(), problem: Some(problem), fields: fields.collect() })
            }
        }
    }
}

impl<S: Send + Sync> FromRequestParts<S> for FormRequest {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let asked = PageAsked::from_request_parts(parts, state).await?;
        let sent = StaffUpload::from_request_parts(parts, state).await?;
        let is_sent = parts.method == http::Method::POST;
        let view = super::query::view_of(parts)?;
        let Uses(Whole(shop)) = Uses::from_request_parts(parts, state).await?;
        Ok(Self { asked, sent, is_sent, view, shop })
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
