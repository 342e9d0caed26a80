//! Extractors that handlers take their input with. Each describes itself in the document, and each
//! turns what is wrong with the request into an [`ApiError`].

use axum::extract::{FromRequest, FromRequestParts, OptionalFromRequestParts, RawPathParams, Request, State};
use http::request::Parts;
use http_body_util::BodyExt;
use serde::de::DeserializeOwned;
use serde_json::Value;

use super::body;
use super::error::{ApiError, ApiResult, FieldProblems, Refusals};
use super::guard::{Authenticated, RequestContext};
use super::rules::Rules;
use super::shape::Takes;
use super::table::{HeaderParameter, Operation, PathKind};
use crate::audit::Acting;
use crate::auth::{AbilityCatalog, AccountHolder};
use crate::clock::Clock;
use crate::config::Config;
use crate::db::{Db, ListDb};
use crate::from_shop::{FromShop, ShopParts};
use crate::i18n::Language;
use crate::order_link::OpenedOrder;

/// What the operator has decided, for rules that depend on it.
#[derive(Debug, Clone, Copy)]
pub struct Settings<'a> {
    /// The checked configuration.
    pub config: &'a Config,
    /// What access tokens can open.
    pub abilities: &'a AbilityCatalog,
    /// The public URL of the shop, without a trailing slash.
    pub base_url: &'a str,
}

/// A JSON body with its rule table.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no body of a request",
    note = "implement `Input` for it: `NAME`, and `rules` with a rule for each field; and derive `Deserialize`"
)]
pub trait Input: DeserializeOwned {
    /// The name of the body's schema in the document.
    const NAME: &'static str;

    /// The rules, in the order of the specification's table.
    fn rules() -> Rules;

    /// What the shop refuses of a body by its settings and by what it has; told together with the problems of the rules.
    /// What the rules have refused is null in `body`. Nothing by default.
    fn check_settings(body: &Value, shop: &Settings<'_>) -> FieldProblems {
        let _ = (body, shop);
        FieldProblems::new()
    }
}

/// The checked body of a write.
#[derive(Debug, Clone)]
pub struct Body<T>(pub T);

impl<T: Input, S: Send + Sync> FromRequest<S> for Body<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        let (accepted, problems) = examine::<T>(request).await?;
        if problems.is_empty() { typed(accepted).map(Self) } else { Err(ApiError::validation(problems)) }
    }
}

impl<T: Input> Takes for Body<T> {
    fn takes(operation: &mut Operation) {
        operation.body = Some((T::NAME, T::rules));
    }
}

/// The body of a write whose handler has more to refuse, which it tells together with what the rules refuse.
#[derive(Debug)]
pub struct Draft<T> {
    /// The body. A member that is refused, be it in part, is null: the type has to take that.
    pub value: T,
    /// The body as JSON; only what is refused itself is null here.
    pub accepted: Value,
    /// What the rules and the settings refuse.
    pub refusals: Refusals,
}

impl<T: Input, S: Send + Sync> FromRequest<S> for Draft<T> {
    type Rejection = ApiError;

    async fn from_request(request: Request, _: &S) -> Result<Self, ApiError> {
        let (accepted, problems) = examine::<T>(request).await?;
        let mut whole = accepted.clone();
        for field in problems.keys() {
            let member = field.split_once('.').map_or(field.as_str(), |(member, _)| member);
            whole[member] = Value::Null;
        }
        Ok(Self { value: typed(whole)?, accepted, refusals: Refusals::of_fields(problems) })
    }
}

impl<T: Input> Takes for Draft<T> {
    fn takes(operation: &mut Operation) {
        Body::<T>::takes(operation);
    }
}

/// What rules and settings accept of a body, and what they refuse.
async fn examine<T: Input>(request: Request) -> ApiResult<(Value, FieldProblems)> {
    let (parts, body) = request.into_parts();
    // The guard has read the body within its limit; collecting it again copies nothing.
    let bytes = body.collect().await.map_err(ApiError::internal)?.to_bytes();
    let shop = shop_of(&parts)?;
    let settings = Settings { config: &shop.config, abilities: &shop.abilities, base_url: &shop.base_url };
    T::rules().examine(&body::parse(&bytes)?, |accepted| T::check_settings(accepted, &settings))
}

/// What the rules have accepted, as its type.
fn typed<T: Input>(accepted: Value) -> ApiResult<T> {
    // The rule table let something through that the type does not take: our mistake.
    serde_json::from_value(accepted).map_err(ApiError::internal)
}

async fn only_variable<S: Send + Sync>(parts: &mut Parts, state: &S) -> Result<String, ApiError> {
    let params = RawPathParams::from_request_parts(parts, state).await.map_err(|_| ApiError::not_found())?;
    let (_, value) = params.iter().next().ok_or_else(ApiError::not_found)?;
    Ok(value.to_owned())
}

/// The id in the path. What is no positive number is nobody's id: 404.
#[derive(Debug, Clone, Copy)]
pub struct Id(pub i64);

impl<S: Send + Sync> FromRequestParts<S> for Id {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let text = only_variable(parts, state).await?;
        let digits = text.bytes().all(|byte| byte.is_ascii_digit());
        match text.parse::<i64>() {
            Ok(id) if digits && id > 0 => Ok(Self(id)),
            _ => Err(ApiError::not_found()),
        }
    }
}

impl Takes for Id {
    fn takes(operation: &mut Operation) {
        operation.path.push(PathKind::Id);
    }
}

/// The text in the path, such as a slug. What cannot be a name of anything is 404.
#[derive(Debug, Clone)]
pub struct Name(pub String);

impl<S: Send + Sync> FromRequestParts<S> for Name {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let text = only_variable(parts, state).await?;
        if text.is_empty() || text.len() > 1024 || has_control(&text) {
            return Err(ApiError::not_found());
        }
        Ok(Self(text))
    }
}

/// Nearly all names are ASCII, whose bytes need not be put together to characters.
fn has_control(text: &str) -> bool {
    if text.is_ascii() { text.bytes().any(|byte| byte.is_ascii_control()) } else { text.chars().any(char::is_control) }
}

impl Takes for Name {
    fn takes(operation: &mut Operation) {
        operation.path.push(PathKind::Text);
    }
}

/// Everything of the path that a route's `{*path}` stands for.
#[derive(Debug, Clone)]
pub struct AssetPath(pub String);

impl<S: Send + Sync> FromRequestParts<S> for AssetPath {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        only_variable(parts, state).await.map(Self)
    }
}

impl Takes for AssetPath {
    fn takes(operation: &mut Operation) {
        operation.path.push(PathKind::Text);
    }
}

/// The authenticated customer.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Customer {
    /// The customer's id, which is not the user's (S1 rule 5).
    pub id: i64,
    /// Whether it is a guest, who has no account.
    pub is_guest: bool,
}

impl<S: Send + Sync> FromRequestParts<S> for Customer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let authenticated = parts.extensions.get::<Authenticated>().ok_or_else(ApiError::unauthenticated)?;
        Ok(Self { id: authenticated.customer_id, is_guest: authenticated.holder.guest })
    }
}

impl Takes for Customer {}

/// The authenticated customer with the account, as it was when the request was let in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CurrentAccount {
    /// The customer's id.
    pub customer_id: i64,
    /// What the account says.
    pub holder: AccountHolder,
}

impl<S: Send + Sync> FromRequestParts<S> for CurrentAccount {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let authenticated = parts.extensions.get::<Authenticated>().ok_or_else(ApiError::unauthenticated)?;
        Ok(Self { customer_id: authenticated.customer_id, holder: authenticated.holder.clone() })
    }
}

impl Takes for CurrentAccount {}

/// The customer, if the request is one's; for routes that everybody may use.
impl<S: Send + Sync> OptionalFromRequestParts<S> for Customer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Option<Self>, ApiError> {
        Ok(parts.extensions.get::<Authenticated>().map(|authenticated| {
            let is_guest = authenticated.holder.guest;
            Self { id: authenticated.customer_id, is_guest }
        }))
    }
}

impl Takes for Option<Customer> {}

/// The access token that the request was authenticated with; none for a session, and for the key of an order's link.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct CurrentToken(pub Option<i64>);

impl<S: Send + Sync> FromRequestParts<S> for CurrentToken {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        if parts.extensions.get::<OpenedOrder>().is_some() {
            return Ok(Self(None));
        }
        let authenticated = parts.extensions.get::<Authenticated>().ok_or_else(ApiError::unauthenticated)?;
        Ok(Self(authenticated.token_id))
    }
}

impl Takes for CurrentToken {}

/// The shop that a request was sent to.
pub(crate) fn shop_of(parts: &Parts) -> Result<&ShopParts, ApiError> {
    admission(parts).map(|admission| &admission.state.shop)
}

pub(crate) fn admission(parts: &Parts) -> Result<&RequestContext, ApiError> {
    parts.extensions.get::<RequestContext>().ok_or_else(|| ApiError::internal("a route runs without the guard"))
}

/// What a handler works with besides its request: `Uses(money): Uses<Arc<MoneyFormatter>>`.
#[derive(Debug, Clone)]
pub struct Uses<T>(pub T);

impl<T: FromShop, S: Send + Sync> FromRequestParts<S> for Uses<T> {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let shop = shop_of(parts)?;
        let Some(acting) = parts.extensions.get::<Acting>() else { return Ok(Self(T::from_shop(shop))) };
        // What staff write, they write as themselves.
        let shop = ShopParts { db: shop.db.clone().acting_as(acting.clone()), ..shop.clone() };
        Ok(Self(T::from_shop(&shop)))
    }
}

impl<T> Takes for Uses<T> {}

impl<S: Send + Sync> FromRequestParts<S> for Db {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let db = shop_of(parts)?.db.clone();
        Ok(match parts.extensions.get::<Acting>() {
            Some(acting) => db.acting_as(acting.clone()),
            None => db,
        })
    }
}

impl Takes for Db {}

impl<S: Send + Sync> FromRequestParts<S> for ListDb {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Ok(Self::new(&shop_of(parts)?.db))
    }
}

impl Takes for ListDb {}

impl<S: Send + Sync> FromRequestParts<S> for Clock {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        shop_of(parts).map(|shop| shop.clock.clone())
    }
}

impl Takes for Clock {}

impl<S> Takes for State<S> {}

/// The language that the client prefers (contract 2).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientLanguage(pub Language);

impl<S: Send + Sync> FromRequestParts<S> for ClientLanguage {
    type Rejection = ApiError;

    /// Without a wish it is the shop's own language.
    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        let shop = shop_of(parts)?;
        let wish = parts.headers.get(http::header::ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok());
        Ok(Self(match wish {
            Some(wish) => shop.texts.negotiate(Some(wish)),
            None => shop.texts.language_of(&shop.config.shop.locale.to_string()),
        }))
    }
}

impl Takes for ClientLanguage {
    fn takes(operation: &mut Operation) {
        operation.headers.push(HeaderParameter {
            name: "Accept-Language",
            description: "The language of texts for people. Without it, it is the shop's own.",
            pattern: "^[A-Za-z0-9*][A-Za-z0-9*;=., -]*$",
            example: "de, en;q=0.5",
        });
    }
}

/// The raw query string.
#[derive(Debug, Clone)]
pub struct RawQuery(pub Option<String>);

impl<S: Send + Sync> FromRequestParts<S> for RawQuery {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Ok(Self(parts.uri.query().map(str::to_owned)))
    }
}

impl Takes for RawQuery {}

/// The address that the request comes from, seen through trusted proxies.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClientAddress(pub std::net::IpAddr);

impl<S: Send + Sync> FromRequestParts<S> for ClientAddress {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        admission(parts).map(|admission| Self(admission.client))
    }
}

impl Takes for ClientAddress {}
