//! Parts of pages that modules bring.

use std::sync::Arc;

/// The page that a panel is a part of.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PanelOn {
    /// The page of a product, below its price. Its template sees `product`.
    Product,
    /// The page of a product, below all that is said of it, as wide as the page. Its template sees `product`, `answer` and `own`.
    BelowProduct,
    /// A product among others in a list: a short line. Its template sees `product`.
    Card,
    /// A line of the cart, at the checkout as well: a short line, which says what the product's page says of what is paid later. Its
    /// template sees `product`, but of its members `slug`, `name` and `details` alone, so that it can be that of a card.
    Line,
    /// The cart of whoever is logged in. Its template sees `cart` and `answer`.
    Cart,
    /// The first page of an account. Its template sees `answer`.
    Account,
    /// What a customer has bought. Its template sees `answer`, what the panel's path has answered.
    Purchases,
    /// One order. Its template sees `order`.
    Order,
}

/// What a panel's template sees on every page: who looks at it and where, and a form that has come back.
const OF_EVERY_PAGE: [&str; 9] =
    ["account", "cart", "cart_count", "language", "path", "refusal", "shop", "target", "typed"];

impl PanelOn {
    /// The folder-like name that the panel's template ends with: `downloads/purchases.html`.
    pub fn name(self) -> &'static str {
        match self {
            Self::Product => "product",
            Self::BelowProduct => "below-product",
            Self::Card => "card",
            Self::Line => "line",
            Self::Cart => "cart",
            Self::Account => "account",
            Self::Purchases => "purchases",
            Self::Order => "order",
        }
    }

    /// The names that its template sees.
    pub fn values(self) -> Vec<&'static str> {
        let of_place: &[&str] = match self {
            Self::Product => &["product"],
            Self::BelowProduct => &["product", "answer", "own"],
            // A card is filled apart from its page.
            Self::Card | Self::Line => return vec!["product", "language"],
            Self::Cart | Self::Account => &["answer"],
            Self::Purchases => &["answer", "can_act", "file_key", "order"],
            Self::Order => &["order", "can_act", "file_key"],
        };
        of_place.iter().chain(&OF_EVERY_PAGE).copied().collect()
    }

    /// Whether the API is asked for something that its template sees as `answer`.
    pub fn is_answered(self) -> bool {
        match self {
            Self::BelowProduct | Self::Cart | Self::Account | Self::Purchases => true,
            Self::Product | Self::Card | Self::Line | Self::Order => false,
        }
    }
}

/// A part of a page: a template over an answer of the API. It needs no handler, since forms in it call the API by themselves.
#[derive(Debug, Clone, Copy)]
pub struct Panel {
    /// The page.
    pub on: PanelOn,
    /// What the API is asked for first, below `/api/v1`, such as `/downloads`; nothing for a panel that shows what the page has. On the
    /// page of a product it may name the product by `{slug}`; everybody sees the same there, so the path is one of
    /// [`public_routes`](crate::module::ModuleContext::public_routes), and what it answers changes with `catalog::details_changed` alone.
    pub path: Option<&'static str>,
    /// What the API is asked for besides on the page of a product, for whoever is logged in: such as what they have written of it.
    pub own: Option<&'static str>,
    /// The template, in the language of themes.
    pub template: &'static str,
}

impl Panel {
    /// A panel that shows what the page has, by a template in the language of themes.
    pub const fn new(on: PanelOn, template: &'static str) -> Self {
        Self { on, path: None, own: None, template }
    }

    /// Asks the API for this first: see the field.
    #[must_use]
    pub const fn path(self, path: &'static str) -> Self {
        Self { path: Some(path), ..self }
    }

    /// Asks it for this besides, for whoever is logged in: see the field.
    #[must_use]
    pub const fn own(self, path: &'static str) -> Self {
        Self { own: Some(path), ..self }
    }
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
