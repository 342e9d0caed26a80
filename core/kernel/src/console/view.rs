//! How pages that are data become HTML: whoever shows the console says it.

use std::fmt;
use std::sync::Arc;

use axum::response::{IntoResponse, Response};

use super::{FormPage, ListPage, MenuEntry, OncePage, OwnedConsolePanel, OwnedWaiting, PageAsked};
use crate::http::error::ApiResult;
use crate::http::shape::DescribesAnswer;
use crate::http::table::Operation;
use crate::pages::ErrorPages;

/// Shows pages of the console that are data.
pub trait ShowConsole: Send + Sync + 'static {
    /// A page of a list.
    fn list(&self, asked: &PageAsked, page: &ListPage) -> ApiResult<Response>;

    /// A page of a form.
    fn form(&self, asked: &PageAsked, page: &FormPage<'_>) -> ApiResult<Response>;

    /// A page with what is shown once.
    fn once(&self, asked: &PageAsked, page: &OncePage<'_>) -> ApiResult<Response>;

    /// A page of a module's own HTML, under this title.
    fn html(&self, asked: &PageAsked, title: &str, html: &str) -> ApiResult<Response>;
}

/// What shows the console; nothing where there is none.
#[derive(Clone, Default)]
pub struct ConsolePages {
    pub(crate) errors: ErrorPages,
    pub(crate) view: Option<Arc<dyn ShowConsole>>,
    /// The modules' entries of the menu.
    pub(crate) menu: Arc<[MenuEntry]>,
    /// The modules' boxes on core's pages.
    pub(crate) panels: Arc<[OwnedConsolePanel]>,
    /// What of the modules may wait for somebody.
    pub(crate) waiting: Arc<[OwnedWaiting]>,
}

impl fmt::Debug for ConsolePages {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("ConsolePages").finish_non_exhaustive()
    }
}

/// An answer of the console, of which the API's document says nothing.
pub struct ConsoleAnswer(pub Response);

impl IntoResponse for ConsoleAnswer {
    fn into_response(self) -> Response {
        self.0
    }
}

impl DescribesAnswer for ConsoleAnswer {
    fn answers(_: &mut Operation) {}
}
