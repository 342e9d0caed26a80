//! What the module does with orders: it takes part in placing and cancelling them, inside their transactions.

use serde_json::from_value;
use stoa_core::orders::{OrderCancelling, OrderPlacing};
use stoa_core::prelude::*;

use crate::model::WrapSettings;
use crate::queries;

/// Packs the customer's wishes with an order, or refuses the order: with a paper that is not offered any more, somebody
/// would unpack a present in the wrong one.
pub(crate) struct PackWishes;

impl InTransaction<OrderPlacing> for PackWishes {
    async fn in_transaction(&self, event: &OrderPlacing, tx: &mut Tx) -> Result<(), ListenerError> {
        let Some(order) = &event.order else { return Ok(()) };
        let wishes = tx.run(queries::LIST_PAPERS).bind(order.customer_id).all::<(i64, String)>().await?;
        for line in &event.lines {
            // The settings are those of the moment of ordering, as the order keeps them.
            let Some(settings) = line.settings("gift_wrap") else { continue };
            let offer = from_value::<WrapSettings>(settings.clone());
            let offer = offer.map_err(|error| ListenerError::Failed(error.to_string()))?;
            let mut papers = wishes.iter().filter(|(product, _)| *product == line.product_id).map(|(_, paper)| paper);
            if papers.any(|paper| !offer.papers.contains(paper)) {
                return Err(ListenerError::Veto(Veto {
                    field: String::from("cart"),
                    message: text!("gift-wrap-paper-used-up"),
                    reason: Some("paper_unavailable"),
                }));
            }
            let take = tx.run(queries::TAKE).bind(order.customer_id).bind(line.product_id).bind(order.id);
            take.execute().await?;
        }
        Ok(())
    }
}

/// Gives the wishes of a cancelled order back to its customer, for the next one.
///
/// What was taken while the module was on has to come back also while it is off: this listener is registered with
/// `on_transaction_even_off`.
pub(crate) struct UnpackWishes;

impl InTransaction<OrderCancelling> for UnpackWishes {
    async fn in_transaction(&self, event: &OrderCancelling, tx: &mut Tx) -> Result<(), ListenerError> {
        tx.run(queries::GIVE_BACK).bind(event.order_id).execute().await?;
        Ok(())
    }
}
