//! What modules say about the lines of a cart that is being shown.

use serde_json::{Map, Value};

use stoa_catalog::Availability;
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::events::{Event, EventBus, ListenerError, PreflightEvent};
use stoa_kernel::module::{Details, ProductDetailsReader, ShownProduct};

use super::lines::{PricedCart, PricedLine};
use crate::orders::OrderLine;

/// A cart is about to be shown; a module says which lines can be had.
///
/// Showing promises nothing: whoever marks a line as out of stock refuses it in `OrderPlacing` too.
#[derive(Debug)]
pub struct CartShowing {
    /// The lines that can be bought as far as the catalog is concerned.
    pub lines: Vec<ShownLine>,
}

/// A line that is about to be shown.
#[derive(Debug)]
pub struct ShownLine {
    /// What is in the line.
    pub line: OrderLine,
    /// Whether it can be had, as far as somebody has said.
    pub availability: Option<Availability>,
    /// How many can be had, where somebody has said that these are fewer than the line has.
    pub left: Option<i64>,
}

impl ShownLine {
    /// Says whether the line can be had. The worst that anybody says is shown; what is out of stock cannot be bought.
    pub fn mark(&mut self, availability: Availability) {
        self.availability = self.availability.max(Some(availability));
    }

    /// Says that fewer can be had than the line has. The least that anybody says is shown.
    pub fn limit(&mut self, left: i64) {
        self.left = Some(self.left.map_or(left, |less| less.min(left)));
    }
}

impl Event for CartShowing {
    const NAME: &'static str = "CartShowing";
}

impl PreflightEvent for CartShowing {}

/// Has the modules mark the lines. Those that are out of stock are not available, and cost nothing.
pub(crate) async fn mark_lines(db: &Db, events: &EventBus, mut cart: PricedCart) -> Result<PricedCart, ListenerError> {
    if !events.is_awaited::<CartShowing>() {
        return Ok(cart);
    }
    let mut marked = cart.lines.iter_mut().filter(|line| line.available).collect::<Vec<_>>();
    if marked.is_empty() {
        return Ok(cart);
    }
    let shown = |line: &&mut PricedLine| ShownLine { line: line.order_line(None), availability: None, left: None };
    let mut event = CartShowing { lines: marked.iter().map(shown).collect() };
    events.preflight(&mut event, db).await?;
    for (line, shown) in marked.iter_mut().zip(event.lines) {
        line.availability = shown.availability;
        line.available_quantity = shown.left;
        if shown.availability == Some(Availability::OutOfStock) {
            line.available = false;
            cart.subtotal_amount -= line.line_total_amount;
            line.line_total_amount = 0;
            line.unit_amount = 0;
        }
    }
    Ok(cart)
}

/// What the modules say about the product of each line.
pub(super) async fn line_details(reader: &ProductDetailsReader, cart: &PricedCart) -> Result<Vec<Details>, DbError> {
    let shown = cart.lines.iter().map(|line| ShownProduct {
        product_id: line.product_id,
        slug: &line.slug,
        price_amount: if line.list_amount > 0 { line.list_amount } else { line.price_amount },
        capabilities: &line.capabilities,
        module_settings: &line.module_settings,
    });
    reader.read(&shown.collect::<Vec<_>>()).await
}

impl PricedLine {
    /// The line as listeners see it; the id is that of its item, once an order is written.
    pub(crate) fn order_line(&self, order_line_id: Option<i64>) -> OrderLine {
        OrderLine {
            order_line_id,
            product_id: self.product_id,
            slug: self.slug.clone(),
            sku: self.sku.clone(),
            label: self.label.clone(),
            quantity: self.quantity,
            unit_amount: self.unit_amount,
            list_amount: Some(self.list_amount),
            selections: self.selections_as_json(),
            choice_skus: self.choice_skus.clone(),
            capabilities: self.capabilities.clone(),
            module_settings: self.module_settings.clone(),
        }
    }

    /// The selections as modules see them.
    fn selections_as_json(&self) -> Map<String, Value> {
        let values =
            self.selections.0.iter().map(|(key, selection)| {
                (key.clone(), serde_json::to_value(selection).expect("a selection serializes"))
            });
        values.collect()
    }
}
