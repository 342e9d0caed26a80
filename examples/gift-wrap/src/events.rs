//! What happens in this module, and what listens to it.
//!
//! The module listens to its own events here; those of the shop are in the files beside this one.

use serde_json::Value;
use stoa_core::mail::Mailer;
use stoa_core::prelude::*;

use crate::mails::tell_printed;
use crate::queries;

/// A customer is about to save a wish. Announced inside the transaction that saves it.
pub(crate) struct GiftWrapRequesting {
    pub(crate) customer_id: i64,
    pub(crate) product_id: i64,
}

impl Event for GiftWrapRequesting {
    const NAME: &'static str = "GiftWrapRequesting";
}

impl TransactionEvent for GiftWrapRequesting {}

/// A new wish takes the place of the earlier one for the same product, unless its card is printed.
pub(crate) struct ReplaceEarlierWish;

impl InTransaction<GiftWrapRequesting> for ReplaceEarlierWish {
    async fn in_transaction(&self, event: &GiftWrapRequesting, tx: &mut Tx) -> Result<(), ListenerError> {
        let printed = tx.run(queries::COUNT_PRINTED).bind(event.customer_id).bind(event.product_id);
        if printed.scalar::<i64>().await? > 0 {
            // Whatever the transaction has written so far is undone with it.
            return Err(ListenerError::Veto(Veto {
                field: String::from("product_id"),
                message: text!("gift-wrap-card-printed"),
                reason: Some("card_printed"),
            }));
        }
        tx.run(queries::DELETE_EARLIER).bind(event.customer_id).bind(event.product_id).execute().await?;
        Ok(())
    }
}

/// A customer has saved a wish. Delivered from a row after the commit, at least once.
#[derive(Debug, Serialize, Deserialize)]
pub(crate) struct GiftWrapRequested {
    /// Ids only: the wish may have changed by the time that a listener reads this.
    pub(crate) wish_id: i64,
}

impl Event for GiftWrapRequested {
    const NAME: &'static str = "GiftWrapRequested";
}

impl CommittedEvent for GiftWrapRequested {}

/// Prints the card, notes when, and tells the customer.
pub(crate) struct PrintCard;

impl AfterCommit<GiftWrapRequested> for PrintCard {
    type Uses = (Db, Mailer);

    async fn after_commit(&self, event: &GiftWrapRequested, (db, mailer): &Self::Uses) -> Result<(), ListenerError> {
        // A real module would speak to its printer here, with `services.http`: after the commit, so
        // that no card is printed for a wish that was never saved, and outside of any transaction.
        db.write(async |tx| -> Result<(), DbError> {
            let now = tx.now();
            let mark = tx.run(queries::MARK_PRINTED).bind(event.wish_id).bind(now);
            if let Some((customer_id, message)) = mark.optional::<(i64, String)>().await? {
                tell_printed(tx, mailer, event.wish_id, customer_id, &message).await?;
            }
            Ok(())
        })
        .await?;
        Ok(())
    }
}

/// Has a card printed once more; false where there is none. The command line and the console do it by this.
pub(crate) async fn reprint(db: &Db, wish_id: i64) -> Result<bool, DbError> {
    db.write(async |tx| {
        let is_reset = tx.run(queries::FORGET_PRINTING).bind(wish_id).execute().await? > 0;
        if is_reset {
            // The listener that prints after a commit does the rest, now or when the worker runs.
            tx.emit(&GiftWrapRequested { wish_id }).await?;
            let subject = Subject::new("gift-wrap", wish_id);
            tx.audit_operator("gift_wrap.reprint", subject, Value::Null, Value::Null).await?;
        }
        Ok(is_reset)
    })
    .await
}
