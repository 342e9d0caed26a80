//! Boxes that modules bring to the console's pages of an order, a product and a customer.

use std::future::Future;
use std::pin::Pin;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use http::request::Parts;

use super::placed_form::Whole;
use super::{Cell, List, ListPage, OwnedWaiting, Staff, Waits};
use crate::db::DbError;
use crate::from_shop::{FromShop, ShopParts};
use crate::http::error::ApiError;
use crate::http::extract::{Uses, admission};
use crate::http::shape::Takes;
use crate::money::MoneyFormatter;

/// The page that a box stands on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum On {
    /// The page of an order.
    Order,
    /// The page of a product.
    Product,
    /// The page of a customer.
    Customer,
}

type Rows = Box<dyn FnOnce(&Staff, &Arc<MoneyFormatter>) -> ListPage + Send>;

/// A box on a page of the console: facts, small tables and links.
pub struct ConsolePanel {
    title: &'static str,
    facts: Vec<(&'static str, Cell)>,
    lists: Vec<Rows>,
    links: Vec<(String, String)>,
}

impl ConsolePanel {
    /// A box with this heading.
    pub fn new(title: &'static str) -> Self {
        Self { title, facts: Vec::new(), lists: Vec::new(), links: Vec::new() }
    }

    /// Adds a fact.
    #[must_use]
    pub fn fact(mut self, name: &'static str, value: impl Into<Cell>) -> Self {
        self.facts.push((name, value.into()));
        self
    }

    /// Adds a small table of these rows.
    #[must_use]
    pub fn rows<T: Send + 'static>(mut self, list: List<T>, rows: Vec<T>) -> Self {
        self.lists.push(Box::new(move |staff, money| list.of_rows(staff, money, &rows)));
        self
    }

    /// Adds a way to a page of the console, such as `/m/inventory/stock`.
    #[must_use]
    pub fn link(mut self, text: impl Into<String>, path: impl Into<String>) -> Self {
        self.links.push((text.into(), path.into()));
        self
    }
}

type Filled = Pin<Box<dyn Future<Output = Result<Option<ConsolePanel>, DbError>> + Send>>;

type Fill = Arc<dyn Fn(i64, &ShopParts) -> Filled + Send + Sync>;

/// A box, whose it is, and where and to whom it is shown.
#[derive(Clone)]
pub struct OwnedConsolePanel {
    pub(crate) owner: &'static str,
    pub(crate) on: On,
    pub(crate) ability: &'static str,
    pub(crate) fill: Fill,
}

impl OwnedConsolePanel {
    pub(crate) fn new<U, F, Fut>(owner: &'static str, on: On, ability: &'static str, fill: F) -> Self
    where
        U: FromShop,
        F: Fn(i64, U) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<Option<ConsolePanel>, DbError>> + Send + 'static,
    {
        let fill = move |id: i64, shop: &ShopParts| -> Filled { Box::pin(fill(id, U::from_shop(shop))) };
        Self { owner, on, ability, fill: Arc::new(fill) }
    }
}

/// A box, ready to be shown.
#[derive(Debug)]
pub struct FilledPanel {
    /// The heading.
    pub title: &'static str,
    /// Names and values.
    pub facts: Vec<(&'static str, Cell)>,
    /// Small tables.
    pub lists: Vec<ListPage>,
    /// Words and paths below the console's.
    pub links: Vec<(String, String)>,
}

/// The boxes of the modules that are on. Handlers of pages that show them take it.
pub struct Panels {
    /// Who looks.
    pub staff: Staff,
    /// Amounts as people read them.
    pub money: Arc<MoneyFormatter>,
    all: Arc<[OwnedConsolePanel]>,
    waiting: Arc<[OwnedWaiting]>,
    shop: ShopParts,
}

impl Panels {
    /// The boxes of a page about the order, product or customer with this id that whoever looks may see. One that cannot be filled is
    /// left out.
    pub async fn on(&self, on: On, id: i64) -> Vec<FilledPanel> {
        let mut filled = Vec::new();
        for panel in self.all.iter().filter(|panel| panel.on == on && self.staff.may(panel.ability)) {
            match (panel.fill)(id, &self.shop).await {
                Ok(Some(one)) => filled.push(FilledPanel {
                    title: one.title,
                    facts: one.facts,
                    lists: one.lists.into_iter().map(|rows| rows(&self.staff, &self.money)).collect(),
                    links: one.links,
                }),
                Ok(None) => {}
                Err(error) => tracing::error!(
                    module = panel.owner,
                    error = &error as &dyn std::error::Error,
                    "a box of the console could not be filled"
                ),
            }
        }
        filled
    }

    /// How much of what the modules have waits for somebody, as far as whoever looks may see it. What cannot be counted is left out.
    pub async fn waiting(&self) -> Vec<Waits> {
        let mut waits = Vec::new();
        for one in self.waiting.iter().filter(|one| self.staff.may(one.ability)) {
            match (one.count)(&self.shop).await {
                Ok(number) => waits.push(Waits { number, label: one.label, path: one.path }),
                Err(error) => tracing::error!(
                    module = one.owner,
                    error = &error as &dyn std::error::Error,
                    "what waits could not be counted"
                ),
            }
        }
        waits
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Panels {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let staff = Staff::from_request_parts(parts, state).await?;
        let Uses(Whole(shop)) = Uses::from_request_parts(parts, state).await?;
        let pages = &admission(parts)?.state.console_pages;
        let (all, waiting) = (Arc::clone(&pages.panels), Arc::clone(&pages.waiting));
        Ok(Self { staff, money: Arc::clone(&shop.money), all, waiting, shop })
    }
}

impl Takes for Panels {}
