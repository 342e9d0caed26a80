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
        let said =
            if order.has_page { text!("digital-secrets-mail-page") } else { text!("digital-secrets-mail-account") };
        let said = texts.say(&said, order.language);
        Ok(lines.iter().map(|line| MailPart::new(&format!("{} × {}", line.quantity, line.label)).say(&said)).collect())
    }
}
