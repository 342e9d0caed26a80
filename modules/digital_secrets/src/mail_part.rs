//! What the mail about a paid order says of secrets: where they are looked at. No secret stands in a mail.

use stoa_core::mail::{MailPart, PaidOrder, WriteMailPart};
use stoa_core::orders::delivered_lines;
use stoa_core::prelude::*;

use crate::settings::CAPABILITY;

/// Says where secrets are.
pub(crate) struct SaySecrets;

impl WriteMailPart for SaySecrets {
    type Uses = (Db, Texts);

    const WANTS: &'static [&'static str] = &[CAPABILITY];

    async fn parts(&self, order: &PaidOrder, (db, texts): &Self::Uses) -> Result<Vec<MailPart>, DbError> {
        let lines = delivered_lines(db, order.order_id, CAPABILITY).await?;
        let say = |message| texts.say(&message, order.language);
        let parts = lines.iter().map(|line| {
            let part = MailPart::new(&format!("{} × {}", line.quantity, line.label));
            match &order.page {
                Some(page) => part.link(&say(text!("digital-secrets-mail-page")), page),
                None => part.say(&say(text!("digital-secrets-mail-account"))),
            }
        });
        Ok(parts.collect())
    }
}
