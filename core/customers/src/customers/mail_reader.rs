//! Who reads a mail to a customer.

use std::sync::Arc;

use stoa_kernel::config::Config;
use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::i18n::Texts;
use stoa_kernel::mail::{MailReader, MailReaders, Values, in_one_line};
use stoa_kernel::money::Currency;

use super::queries;

/// Customers, in the shop's language.
pub(super) struct Customers;

impl MailReaders for Customers {
    type Uses = (Arc<Config>, Currency, Texts);

    async fn find(
        &self,
        tx: &mut Tx,
        (config, currency, texts): &Self::Uses,
        customer_id: i64,
    ) -> Result<Option<MailReader>, DbError> {
        let found = tx.run(queries::MAIL_READER).bind(customer_id).optional::<(String, String)>().await?;
        Ok(found.map(|(recipient, name)| MailReader {
            recipient,
            language: texts.language_of(&config.shop.locale.to_string()),
            currency: currency.code().to_owned(),
            customer_id: Some(customer_id),
            values: Values::from([("name", in_one_line(&name))]),
        }))
    }
}
