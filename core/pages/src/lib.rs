//! What the shop's pages are made with: themes, their assets, and answers that browsers can trust.

pub mod answer;
pub mod assets;
mod pictures;
pub mod plot;
pub mod qr;
pub mod theme;
mod theme_check;

pub use minijinja::context;
pub use minijinja::value::Value as TemplateValue;
pub use stoa_kernel::pages::{
    ApiAnswer, ErrorPage, FormFields, FramePages, FramedPage, LANGUAGE_COOKIE, ListPages, OwnApi, OwnedPanel,
    PageResponse, PageTemplate, PageTemplates, Panel, PanelOn, PanelTable, ShopPage, ShowErrors, SitemapPage,
    SitemapReader, TypedFields, Visitor, fill_form,
};
