//! What pages at the shop's own root stand on: the API asked from within, and what a visitor's browser says.
//!
//! A page is a client of the API like any other: it asks for what it shows and sends what a form holds. So there is one set of
//! rules, limits and messages, and what a page can do, every client can.

mod error_page;
mod filled_form;
mod own_api;
mod panel;
mod shop_page;
mod sitemap;
mod tags;
mod visitor;

pub use error_page::{ErasedErrorPage, ErrorPage, ErrorPages, ShowErrors};
pub use filled_form::{TypedFields, fill_form, refill_form};
pub(crate) use filled_form::{add_to_forms, is_kept, tell_typed};
pub(crate) use own_api::FromPage;
pub use own_api::{ApiAnswer, OwnApi};
pub use panel::{OwnedPanel, Panel, PanelOn, PanelTable};
pub(crate) use shop_page::PageFrame;
pub use shop_page::{ErasedFrame, FramePages, FramedPage, PageTemplate, PageTemplates, ShopPage};
pub use sitemap::{ListPages, SitemapPage, SitemapReader};
pub(crate) use sitemap::{PageLister, PageListers};
pub(crate) use visitor::chosen_language;
pub use visitor::{LANGUAGE_COOKIE, Visitor};

pub use crate::http::answer::PageResponse;
pub use crate::http::form::FormFields;
