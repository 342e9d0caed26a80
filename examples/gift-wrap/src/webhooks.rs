//! What other programs are told: endpoints may subscribe to `gift_wrap.requested` like to the shop's own events.

use stoa_core::prelude::*;
use stoa_core::webhooks::{self, WebhookEvent, WebhookType};

/// A customer wants something wrapped.
pub(crate) const WRAP_REQUESTED: WebhookType = WebhookType {
    name: "gift_wrap.requested",
    description: "A wish for gift wrapping was saved",
    data: WebhookType::data_of::<Requested>(),
};

/// What is told: nothing of what the card says.
#[derive(Serialize, JsonSchema)]
#[schemars(rename = "GiftWrapRequestedData")]
pub(crate) struct Requested {
    /// The wish.
    pub(crate) wish_id: i64,
    /// The product.
    pub(crate) product_id: i64,
    /// The paper.
    pub(crate) paper: String,
}

/// Writes it down for whoever has subscribed, in the transaction of the wish.
pub(crate) async fn tell_requested(tx: &mut Tx, requested: &Requested) -> Result<(), DbError> {
    let event = WebhookEvent::of_module(&WRAP_REQUESTED, requested, text!("gift-wrap-chat-requested"));
    webhooks::queue(tx, &event).await
}
