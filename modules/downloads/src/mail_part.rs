//! What the mail about a paid order says of files: which there are, and where they are downloaded. A link in a mail would give them to
//! whoever reads the mail, so it leads to the page of the order, which is as secret as the mail and ends.

use std::collections::HashMap;

use serde_json::{Value, json};
use stoa_core::mail::{MailPart, PaidOrder, WriteMailPart};
use stoa_core::orders::delivered_lines;
use stoa_core::prelude::*;

use crate::model::CAPABILITY;
use crate::queries;

/// Says where files are.
pub(crate) struct SayFiles;

impl WriteMailPart for SayFiles {
    type Uses = (Db, Texts);

    const WANTS: &'static [&'static str] = &[CAPABILITY];

    async fn parts(&self, order: &PaidOrder, (db, texts): &Self::Uses) -> Result<Vec<MailPart>, DbError> {
        let lines = delivered_lines(db, order.order_id, CAPABILITY).await?;
        if lines.is_empty() {
            return Ok(Vec::new());
        }
        let ids = lines.iter().map(|line| json!({"id": line.product_id})).collect::<Vec<_>>();
        let attached = db.read(queries::FILES_OF_PRODUCTS).bind(Value::Array(ids).to_string());
        let mut files = HashMap::<i64, Vec<String>>::new();
        for (product_id, label, _) in attached.all::<(i64, String, i64)>().await? {
            files.entry(product_id).or_default().push(label);
        }
        let say = |message| texts.say(&message, order.language);
        let parts = lines.iter().map(|line| {
            let labels = files.get(&line.product_id).map(Vec::as_slice).unwrap_or_default();
            let named = |part: MailPart| labels.iter().fold(part, |part, label| part.say(label));
            let part = MailPart::new(&line.label);
            match &order.page {
                Some(page) => named(part).link(&say(text!("downloads-mail-page")), page),
                None => named(part.say(&say(text!("downloads-mail-account")))),
            }
        });
        Ok(parts.collect())
    }
}
