//! Errors of pages, shown to people instead of programs.

use std::sync::Arc;

use axum::response::Response;
use http::StatusCode;

use crate::console::Staff;
use crate::from_shop::{FromShop, ShopParts};
use crate::i18n::Language;

/// What is to be told on a page of its own.
#[derive(Debug, Clone)]
pub struct ErrorPage {
    /// The status.
    pub status: StatusCode,
    /// What the API would say.
    pub message: String,
    /// The language of the message.
    pub language: Language,
    /// The own page with the form that was not taken, if it was one: path and query.
    pub back: Option<String>,
    /// Who works in the console, if it was a page of it.
    pub staff: Option<Staff>,
}

/// Shows errors to people. Register it with
/// [`ModuleContext::error_pages`](crate::module::ModuleContext::error_pages).
pub trait ShowErrors: Send + Sync + 'static {
    /// What it works with.
    type Uses: FromShop;

    /// The page. Its status and headers are set by whoever answers.
    fn show(&self, error: &ErrorPage, uses: &Self::Uses) -> Response;
}

#[doc(hidden)]
pub trait ErasedErrorPage: Send + Sync {
    fn show_in(&self, error: &ErrorPage, shop: &ShopParts) -> Response;
}

impl<T: ShowErrors> ErasedErrorPage for T {
    fn show_in(&self, error: &ErrorPage, shop: &ShopParts) -> Response {
        self.show(error, &T::Uses::from_shop(shop))
    }
}

/// Whoever shows errors; nobody where there are no pages.
pub type ErrorPages = Option<Arc<dyn ErasedErrorPage>>;
