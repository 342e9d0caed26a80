//! Where the bill and the goods of an order go.

use stoa_customers::addresses::{AddressRequest, PostalAddress, find_address};
use stoa_kernel::config::{Config, CountryCode};
use stoa_kernel::db::Db;
use stoa_kernel::i18n::Violation;

use super::error::CheckoutError;
use super::rules::CheckoutRequest;

/// The addresses of an order.
#[derive(Debug, Clone)]
pub(super) struct Destination {
    pub(super) billing: PostalAddress,
    /// The same as `billing` unless said otherwise.
    pub(super) shipping: PostalAddress,
}

impl Destination {
    /// Reads the addresses that a request gives or refers to. Saved ones are the customer's own; another's is unknown.
    pub(super) async fn of(
        db: &Db,
        config: &Config,
        customer_id: i64,
        request: &CheckoutRequest,
    ) -> Result<Self, CheckoutError> {
        let billing = AddressInput {
            field: "billing",
            field_of_id: "billing_address_id",
            address: request.billing.as_ref(),
            saved: request.billing_address_id,
        };
        let shipping = AddressInput {
            field: "shipping",
            field_of_id: "shipping_address_id",
            address: request.shipping.as_ref(),
            saved: request.shipping_address_id,
        };
        let required = |field| CheckoutError::Field(field, Violation::Required);
        let billing = billing.find(db, config, customer_id).await?.ok_or(required("billing"))?;
        let other = shipping.find(db, config, customer_id).await?;
        let shipping = match (request.shipping_same_as_billing, other) {
            (Some(true), _) | (None, None) => billing.clone(),
            (Some(false) | None, Some(other)) => other,
            (Some(false), None) => return Err(required("shipping")),
        };
        Ok(Self { billing, shipping })
    }

    /// The country that decides taxes (contract 1): of delivery when something is sent, else of the bill.
    pub(super) fn country(&self, is_sent: bool) -> Option<CountryCode> {
        CountryCode::parse(if is_sent { &self.shipping.country } else { &self.billing.country })
    }
}

/// One address as a request may give it.
struct AddressInput<'a> {
    field: &'static str,
    field_of_id: &'static str,
    address: Option<&'a AddressRequest>,
    saved: Option<i64>,
}

impl AddressInput<'_> {
    async fn find(&self, db: &Db, config: &Config, customer_id: i64) -> Result<Option<PostalAddress>, CheckoutError> {
        let refuse = |violation: Violation| CheckoutError::Field(self.field_of_id, violation);
        match (self.address, self.saved) {
            (None, None) => Ok(None),
            (Some(_), Some(_)) => Err(refuse(Violation::Exclusive { other: self.field.into() })),
            (Some(address), None) => Ok(Some(address.clone().into_draft().postal)),
            (None, Some(id)) => {
                let saved = find_address(db, customer_id, id).await?;
                let postal = saved.ok_or_else(|| refuse(Violation::UnknownId))?.postal;
                let country = CountryCode::parse(&postal.country);
                if country.is_some_and(|country| config.shop.countries.contains(&country)) {
                    Ok(Some(postal))
                } else {
                    Err(refuse(Violation::NotDelivered))
                }
            }
        }
    }
}
