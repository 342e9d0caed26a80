//! What wrapping costs: a line of its own in each order that something is wrapped of.

use stoa_core::prelude::*;

use crate::model::WaitingWish;
use crate::queries;

/// Charges each wish for a product of the cart at what the wish says, with tax like a product. A paper that costs nothing has a
/// line too, so that the order says what is wrapped.
///
/// It is asked before the order, to show the price, and while it is placed; [`PackWishes`](crate::orders::PackWishes) packs the
/// very wishes that were charged.
pub(crate) struct ChargeWraps;

impl AddLines for ChargeWraps {
    async fn lines(&self, cart: &CartToPrice<'_>, reader: &mut Reader<'_>) -> Result<Vec<AddedLine>, ListenerError> {
        // A guest has no wishes.
        let Some(customer_id) = cart.customer_id else { return Ok(Vec::new()) };
        let wrapped = |product_id| {
            cart.lines.iter().find(|line| line.product_id == product_id && line.settings("gift_wrap").is_some())
        };
        if !cart.lines.iter().any(|line| line.settings("gift_wrap").is_some()) {
            return Ok(Vec::new());
        }
        let wishes = reader.read(queries::LIST_WAITING).bind(customer_id).all::<WaitingWish>().await?;
        let charged = wishes.into_iter().filter_map(|wish| {
            let line = wrapped(wish.product_id)?;
            Some(AddedLine {
                key: wish.id.to_string(),
                label: text!("gift-wrap-line", product = line.label),
                amount: wish.surcharge_amount,
                tax_class: None,
            })
        });
        Ok(charged.collect())
    }
}
