//! What customers are told by mail.

use stoa_core::mail::{MailAbout, MailNotice, MailTemplate, Mailer};
use stoa_core::mail_texts;
use stoa_core::orders::OrderPaid;
use stoa_core::prelude::*;

/// Thanks for an order. The operator's own texts are called after the name: `guest_book_thanks.en.txt`.
pub(crate) const THANKS: MailTemplate = MailTemplate {
    name: "guest_book_thanks",
    about: MailAbout::Order,
    // Besides what core says in each mail about an order.
    placeholders: &["day"],
    texts: mail_texts!("templates/thanks"),
};

/// Writes the mail when an order is paid. Its key is the order: however often the event comes, one is written.
pub(crate) struct Thank;

impl AfterCommit<OrderPaid> for Thank {
    type Uses = (Db, Mailer);

    async fn after_commit(&self, event: &OrderPaid, (db, mailer): &Self::Uses) -> Result<(), ListenerError> {
        let written = db.write(async |tx| {
            let notice = MailNotice::new(&THANKS, event.order_id, event.order_id).date("day", tx.now());
            mailer.notice(tx, &notice).await
        });
        written.await?;
        Ok(())
    }
}
