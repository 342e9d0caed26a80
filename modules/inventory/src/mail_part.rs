//! What the mail about a paid order says of stock: which goods have to come in first.

use stoa_core::mail::{MailPart, PaidOrder, WriteMailPart};
use stoa_core::orders::sold_lines;
use stoa_core::prelude::*;

use crate::queries;

/// Says what is not in the house.
pub(crate) struct SayBackorders;

impl WriteMailPart for SayBackorders {
    type Uses = (Db, Texts);

    const WANTS: &'static [&'static str] = &["shippable"];

    async fn parts(&self, order: &PaidOrder, (db, texts): &Self::Uses) -> Result<Vec<MailPart>, DbError> {
        let awaited = db.read(queries::LIST_AWAITED_ITEMS).bind(order.order_id).scalars::<i64>().await?;
        if awaited.is_empty() {
            return Ok(Vec::new());
        }
        let lines = sold_lines(db, order.order_id).await?;
        let said = texts.say(&text!("inventory-mail"), order.language);
        let ours = lines.iter().filter(|line| line.order_line_id.is_some_and(|item| awaited.contains(&item)));
        Ok(ours.map(|line| MailPart::new(&format!("{} × {}", line.quantity, line.label)).say(&said)).collect())
    }
}
