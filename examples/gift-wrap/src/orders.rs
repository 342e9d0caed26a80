//! What the module does with orders: it takes part in placing and cancelling them, inside their transactions.

use serde_json::from_value;
use stoa_core::orders::{OrderCancelling, OrderPlacing};
use stoa_core::prelude::*;

use crate::model::{WaitingWish, WrapSettings};
use crate::queries;

/// Packs the wishes that the order was charged for, or refuses the order: with a paper that is not offered any more, somebody
/// would unpack a present in the wrong one.
pub(crate) struct PackWishes;

impl InTransaction<OrderPlacing> for PackWishes {
    async fn in_transaction(&self, event: &OrderPlacing, tx: &mut Tx) -> Result<(), ListenerError> {
        let Some(order) = &event.order else { return Ok(()) };
        let charged = event.added_by("gift_wrap").map(|line| line.key.as_str()).collect::<Vec<_>>();
        if charged.is_empty() {
            return Ok(());
        }
        let wishes = tx.run(queries::LIST_WAITING).bind(order.customer_id).all::<WaitingWish>().await?;
        for key in charged {
            // Gone since it was charged a moment ago: on PostgreSQL, others save wishes meanwhile.
            let changed = || refuse(text!("gift-wrap-wish-changed"), "wish_changed");
            let wish = wishes.iter().find(|wish| wish.id.to_string() == key).ok_or_else(changed)?;
            if !is_offered(event, wish)? {
                return Err(refuse(text!("gift-wrap-paper-used-up"), "paper_unavailable"));
            }
            let take = tx.run(queries::TAKE).bind(wish.id).bind(order.id).bind(order.customer_id);
            if take.execute().await? == 0 {
                return Err(changed());
            }
        }
        Ok(())
    }
}

/// Whether the product of a wish still comes in its paper. The settings are those of the moment of ordering, as the order keeps
/// them.
fn is_offered(event: &OrderPlacing, wish: &WaitingWish) -> Result<bool, ListenerError> {
    let mut lines = event.lines.iter().filter(|line| line.product_id == wish.product_id);
    let Some(settings) = lines.find_map(|line| line.settings("gift_wrap")) else { return Ok(false) };
    let offer = from_value::<WrapSettings>(settings.clone());
    let offer = offer.map_err(|error| ListenerError::Failed(error.to_string()))?;
    Ok(offer.papers.contains(&wish.paper))
}

fn refuse(message: Message, reason: &'static str) -> ListenerError {
    ListenerError::Veto(Veto { field: String::from("cart"), message, reason: Some(reason) })
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
