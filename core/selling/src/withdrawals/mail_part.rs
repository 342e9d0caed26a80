//! What the mail about a paid order says of digital goods that are held (C10.2): when they are delivered. Those who deliver say nothing of
//! them then, as there is nothing to be fetched.

use chrono::{DateTime, Utc};

use stoa_kernel::db::{Db, DbError};
use stoa_kernel::i18n::Texts;
use stoa_kernel::mail::{MailPart, PaidOrder, WriteMailPart};
use stoa_kernel::text;

use super::queries;
use super::rights::held_until;

/// Says when what is held is delivered.
pub(super) struct SayHeld;

impl WriteMailPart for SayHeld {
    type Uses = (Db, Texts);

    const WANTS: &'static [&'static str] = &[];

    async fn parts(&self, order: &PaidOrder, (db, texts): &Self::Uses) -> Result<Vec<MailPart>, DbError> {
        let held = db.read(queries::HELD_ITEMS).bind(order.order_id).all::<(i64, String, DateTime<Utc>)>().await?;
        let parts = held.into_iter().map(|(quantity, label, placed_at)| {
            let date = texts.long_date(held_until(placed_at).date_naive(), order.language);
            let said = texts.say(&text!("withdrawal-mail-held", date = date), order.language);
            MailPart::new(&format!("{quantity} × {label}")).say(&said)
        });
        Ok(parts.collect())
    }
}
