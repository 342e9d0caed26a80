//! How pages that are data become HTML: whoever shows the console says it.

use std::fmt;
use std::sync::Arc;

use axum::response::Response;

use super::{FormPage, ListPage, MenuEntry, OncePage, OwnedConsolePanel, OwnedWaiting, PageAsked};
use crate::http::error::ApiResult;
use crate::pages::ErrorPages;

/// What pages of the console answer.
pub use crate::http::answer::PageResponse as ConsoleAnswer;

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
