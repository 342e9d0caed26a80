//! What customers are told by mail.

use stoa_core::mail::{MailAbout, MailNotice, MailPart, MailTemplate, Mailer, PaidOrder, WriteMailPart};
use stoa_core::mail_texts;
use stoa_core::prelude::*;

use crate::queries;

/// A card was printed. The operator's own texts are called after the name: `gift_wrap_card_printed.en.txt`.
pub(crate) const CARD_PRINTED: MailTemplate = MailTemplate {
    name: "gift_wrap_card_printed",
    about: MailAbout::Customer,
    placeholders: &["message"],
    texts: mail_texts!("templates/gift_wrap_card_printed"),
};

/// Tells what the card says, in the transaction that notes that it is printed, and once for each wish: a card that is printed again
/// is nothing new.
pub(crate) async fn tell_printed(
    tx: &mut Tx,
    mailer: &Mailer,
    wish_id: i64,
    customer_id: i64,
    message: &str,
) -> Result<(), DbError> {
    let notice = MailNotice::new(&CARD_PRINTED, customer_id, wish_id).lines("message", message);
    mailer.notice(tx, &notice).await.map(drop)
}

/// Says in the mail about a paid order that it is wrapped.
pub(crate) struct SayWrapped;

impl WriteMailPart for SayWrapped {
    type Uses = (Db, Texts);

    // What is wrapped need not have the capability, so it is asked about each order.
    async fn parts(&self, order: &PaidOrder, (db, texts): &Self::Uses) -> Result<Vec<MailPart>, DbError> {
        let wraps = db.read(queries::COUNT_OF_ORDER).bind(order.order_id).scalar::<i64>().await?;
        let say = |text| texts.say(&text, order.language);
        let part = || MailPart::new(&say(text!("gift-wrap-mail-title"))).say(&say(text!("gift-wrap-mail")));
        Ok((wraps > 0).then(part).into_iter().collect())
    }
}
