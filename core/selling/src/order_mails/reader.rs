//! Who reads a mail about an order.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use sqlx::types::Json;

use stoa_customers::addresses::PostalAddress;
use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::gateways::GatewayTable;
use stoa_kernel::i18n::Texts;
use stoa_kernel::mail::{MailReader, MailReaders, Values, in_one_line};
use stoa_kernel::money::MoneyFormatter;

use super::queries;
use crate::orders::{OrderLinks, OrderNumber, OrderStatus, instructions_of};

/// Customers of orders, in the language of the order.
pub(super) struct CustomersOfOrders;

impl MailReaders for CustomersOfOrders {
    type Uses = (Arc<GatewayTable>, Arc<MoneyFormatter>, Texts, OrderLinks);

    async fn find(
        &self,
        tx: &mut Tx,
        (gateways, money, texts, links): &Self::Uses,
        order_id: i64,
    ) -> Result<Option<MailReader>, DbError> {
        let found = tx.run(queries::READER_OF_ORDER).bind(order_id).optional::<OrderReader>().await?;
        let url = links.url(order_id, tx.now());
        let reader = found.map(|order| order.reader(order_id, gateways, money, texts));
        Ok(reader.map(|mut reader| {
            reader.values.insert("order_url", url.unwrap_or_default());
            reader
        }))
    }
}

/// The customer of an order, and what every mail about it can say.
#[derive(sqlx::FromRow)]
struct OrderReader {
    email: String,
    customer_id: i64,
    language: String,
    billing_address: Json<PostalAddress>,
    #[sqlx(try_from = "String")]
    status: OrderStatus,
    currency: String,
    total_amount: i64,
    payment_method: String,
    created_at: DateTime<Utc>,
}

impl OrderReader {
    fn reader(self, order_id: i64, gateways: &GatewayTable, money: &MoneyFormatter, texts: &Texts) -> MailReader {
        let language = texts.language_of(&self.language);
        let number = OrderNumber::of(order_id).to_string();
        let total = money.format_in(self.total_amount, &self.currency);
        let instructions = instructions_of(gateways, self.status, &self.payment_method, &number, &total);
        let values = Values::from([
            ("name", in_one_line(&self.billing_address.0.name)),
            ("order_date", texts.long_date(self.created_at.date_naive(), language)),
            ("order_number", number),
            ("total", total),
            ("payment_instructions", instructions.unwrap_or_default()),
        ]);
        let customer_id = Some(self.customer_id);
        MailReader { recipient: self.email, language, currency: self.currency, customer_id, values }
    }
}
