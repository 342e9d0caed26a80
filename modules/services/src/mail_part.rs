//! What the mail about a paid order says of services: that they are being made.

use stoa_core::mail::{MailPart, PaidOrder, WriteMailPart};
use stoa_core::orders::delivered_lines;
use stoa_core::prelude::*;

use crate::model::CAPABILITY;

/// Says what happens next with services.
pub(crate) struct SayServices;

impl WriteMailPart for SayServices {
    type Uses = (Db, Texts);

    const WANTS: &'static [&'static str] = &[CAPABILITY];

    async fn parts(&self, order: &PaidOrder, (db, texts): &Self::Uses) -> Result<Vec<MailPart>, DbError> {
        let lines = delivered_lines(db, order.order_id, CAPABILITY).await?;
        let said = texts.say(&text!("services-mail"), order.language);
        Ok(lines.iter().map(|line| MailPart::new(&format!("{} × {}", line.quantity, line.label)).say(&said)).collect())
    }
}
