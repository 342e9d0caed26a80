//! What the shop's pages are made with: themes, their assets, and answers that browsers can trust.

pub mod answer;
pub mod assets;
mod pictures;
pub mod plot;
pub mod qr;
pub mod theme;

pub use minijinja::context;
pub use minijinja::value::Value as TemplateValue;
pub use stoa_kernel::pages::{
    ApiAnswer, ErrorPage, LANGUAGE_COOKIE, ListPages, OwnApi, OwnedPanel, Panel, PanelOn, PanelTable, ShowErrors,
    SitemapPage, SitemapReader, Visitor,
};
