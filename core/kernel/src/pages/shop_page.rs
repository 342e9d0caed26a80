//! Pages of modules in the frame that all pages of the shop have: its head, its foot and its styles.

use std::future::Future;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use axum::response::Response;
use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use http::StatusCode;
use http::request::Parts;
use serde_json::Value;

use super::visitor::Visitor;
use crate::from_shop::{FromShop, ShopParts};
use crate::http::answer::PageResponse;
use crate::http::error::{ApiError, ApiResult};
use crate::http::extract::shop_of;
use crate::http::form::FormFields;
use crate::http::shape::Takes;

/// The template of a module's own page, in the language of themes. Register it with
/// [`ModuleContext::page_template`](crate::module::ModuleContext::page_template).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PageTemplate {
    /// Its name, by which a theme may have another. It begins with the module's: `waiting_list/ask.html`.
    pub name: &'static str,
    /// What stands in it.
    pub source: &'static str,
}

impl PageTemplate {
    /// A template; its name begins with that of the module.
    pub const fn new(name: &'static str, source: &'static str) -> Self {
        Self { name, source }
    }
}

/// A module's page, to be put into the frame.
pub struct FramedPage {
    /// Whoever looks at it.
    pub visitor: Visitor,
    /// Its path with the query.
    pub target: String,
    /// The status that it is answered with.
    pub status: StatusCode,
    /// The name of its template.
    pub template: &'static str,
    /// What the template sees, besides what every page shows.
    pub values: Value,
    /// Whether all of that is the same for everybody.
    pub for_everybody: bool,
}

/// Puts modules' pages into the frame of the shop's. Register it with
/// [`ModuleContext::page_frame`](crate::module::ModuleContext::page_frame).
pub trait FramePages: Send + Sync + 'static {
    /// What it works with.
    type Uses: FromShop + Send;

    /// The whole page.
    ///
    /// # Errors
    ///
    /// If the template fails, or what every page shows cannot be had.
    fn show(&self, page: FramedPage, uses: Self::Uses) -> impl Future<Output = ApiResult<Response>> + Send;

    /// Sends the browser on to a page that says once what the text of this key says.
    fn lead(&self, visitor: Visitor, to: &str, notice: &str, uses: Self::Uses) -> Response;
}

#[doc(hidden)]
pub trait ErasedFrame: Send + Sync {
    fn show_in<'a>(&'a self, page: FramedPage, shop: &ShopParts) -> BoxFuture<'a, ApiResult<Response>>;
    fn lead_in(&self, visitor: Visitor, to: &str, notice: &str, shop: &ShopParts) -> Response;
}

impl<F: FramePages> ErasedFrame for F {
    fn show_in<'a>(&'a self, page: FramedPage, shop: &ShopParts) -> BoxFuture<'a, ApiResult<Response>> {
        self.show(page, F::Uses::from_shop(shop)).boxed()
    }

    fn lead_in(&self, visitor: Visitor, to: &str, notice: &str, shop: &ShopParts) -> Response {
        self.lead(visitor, to, notice, F::Uses::from_shop(shop))
    }
}

/// Whoever has a frame for pages; nobody while the storefront is off.
pub(crate) type PageFrame = Option<Arc<dyn ErasedFrame>>;

/// The templates of all enabled modules' pages.
pub type PageTemplates = Arc<[PageTemplate]>;

/// A page of a module's in the making, with whoever looks at it. While the storefront is off there is no such page: 404.
///
/// ```
/// # extern crate stoa_kernel as stoa_core;
/// use serde_json::json;
/// use stoa_core::pages::{FormFields, PageResponse, PageTemplate, ShopPage};
/// use stoa_core::prelude::*;
///
/// const ASK: PageTemplate = PageTemplate::new("waiting_list/ask.html", "{% extends 'base.html' %}");
///
/// async fn show(page: ShopPage) -> ApiResult<PageResponse> {
///     page.show(ASK, json!({"waiting": 3})).await
/// }
/// ```
pub struct ShopPage {
    /// Whoever looks at it.
    pub visitor: Visitor,
    target: String,
    frame: Arc<dyn ErasedFrame>,
    shop: ShopParts,
}

impl ShopPage {
    /// Shows the page by its template, which sees these values besides what every page shows. The values are an object.
    ///
    /// # Errors
    ///
    /// If the template fails, or what every page shows cannot be had.
    pub async fn show(self, template: PageTemplate, values: Value) -> ApiResult<PageResponse> {
        self.answer(StatusCode::OK, template, values, false).await
    }

    /// The same of a page whose values are the same for everybody: to whoever has no cart and is not logged in, it is answered so that
    /// caches such as CDNs keep it for a minute.
    ///
    /// # Errors
    ///
    /// If the template fails, or what every page shows cannot be had.
    pub async fn show_to_everybody(self, template: PageTemplate, values: Value) -> ApiResult<PageResponse> {
        self.answer(StatusCode::OK, template, values, true).await
    }

    /// Shows the page once more to whoever has sent a form that is refused. The template sees what was sent as `typed`, and as `refusal` what
    /// is wrong: `message`, and `errors` by field.
    ///
    /// # Errors
    ///
    /// What is no mistake of the visitor's, such as a database that is away.
    pub async fn refuse(
        self,
        template: PageTemplate,
        mut values: Value,
        form: &FormFields,
        error: ApiError,
    ) -> ApiResult<PageResponse> {
        if error.status().is_server_error() {
            return Err(error);
        }
        values["refusal"] = error.told(&self.shop.texts, self.visitor.language);
        values["typed"] = form.typed();
        self.answer(error.status(), template, values, false).await
    }

    /// Sends the browser on to a page, after a form. It says once what the text of this key says.
    pub fn lead(self, to: &str, notice: &str) -> PageResponse {
        PageResponse(self.frame.lead_in(self.visitor, to, notice, &self.shop))
    }

    async fn answer(
        self,
        status: StatusCode,
        template: PageTemplate,
        values: Value,
        for_everybody: bool,
    ) -> ApiResult<PageResponse> {
        let Self { visitor, target, frame, shop } = self;
        let page = FramedPage { visitor, target, status, template: template.name, values, for_everybody };
        frame.show_in(page, &shop).await.map(PageResponse)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for ShopPage {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let visitor = Visitor::from_request_parts(parts, state).await?;
        let shop = shop_of(parts)?.clone();
        let frame = shop.shown.frame.clone().ok_or_else(ApiError::not_found)?;
        let target = parts.uri.path_and_query().map_or_else(|| parts.uri.path().to_owned(), ToString::to_string);
        Ok(Self { visitor, target, frame, shop })
    }
}

impl Takes for ShopPage {}
