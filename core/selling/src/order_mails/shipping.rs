//! What follows for goods that are sent, in the mail about what was paid.

use stoa_kernel::db::DbError;
use stoa_kernel::i18n::Texts;
use stoa_kernel::mail::{MailPart, PaidOrder, WriteMailPart};
use stoa_kernel::text;

/// Says that goods are sent, and that there will be a mail about that.
pub(super) struct SayShipping;

impl WriteMailPart for SayShipping {
    type Uses = Texts;

    const WANTS: &'static [&'static str] = &["shippable"];

    async fn parts(&self, order: &PaidOrder, texts: &Texts) -> Result<Vec<MailPart>, DbError> {
        let say = |text| texts.say(&text, order.language);
        let part = MailPart::new(&say(text!("order-mails-shipping-title")));
        Ok(vec![part.say(&say(text!("order-mails-shipping")))])
    }
}
