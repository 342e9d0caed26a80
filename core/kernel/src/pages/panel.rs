//! Parts of pages that modules bring.

use std::sync::Arc;

/// The page that a panel is a part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PanelOn {
    /// The page of a product. Its template sees `product`.
    Product,
    /// A product among others in a list: a short line. Its template sees `product`.
    Card,
    /// What a customer has bought. Its template sees `answer`, what the panel's path has answered.
    Purchases,
    /// One order. Its template sees `order`.
    Order,
}

impl PanelOn {
    /// The folder-like name that the panel's template ends with: `downloads/purchases.html`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Product => "product",
            Self::Card => "card",
            Self::Purchases => "purchases",
            Self::Order => "order",
        }
    }
}

/// A part of a page: a template over an answer of the API. It needs no handler, since forms in it call the API by themselves.
#[derive(Debug, Clone, Copy)]
pub struct Panel {
    /// The page.
    pub on: PanelOn,
    /// What the API is asked for first, below `/api/v1`, such as `/downloads`; nothing for a panel that shows what the page has.
    pub path: Option<&'static str>,
    /// The template, in the language of themes.
    pub template: &'static str,
}

/// A panel and whose it is.
#[derive(Debug, Clone, Copy)]
pub struct OwnedPanel {
    /// The module.
    pub owner: &'static str,
    /// The panel.
    pub panel: Panel,
}

impl OwnedPanel {
    /// The name of its template, by which a theme may have another: `downloads/purchases.html`.
    pub fn template_name(&self) -> String {
        format!("{}/{}.html", self.owner, self.panel.on.name())
    }
}

/// The panels of all enabled modules, sorted by module.
pub type PanelTable = Arc<[OwnedPanel]>;
