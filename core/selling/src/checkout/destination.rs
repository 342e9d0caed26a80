//! Where the bill and the goods of an order go.

use serde_json::Value;

use stoa_customers::addresses::{AddressRequest, PostalAddress, find_address, named_country};
use stoa_kernel::config::{Config, CountryCode};
use stoa_kernel::db::Db;
use stoa_kernel::http::error::{ApiResult, Refusals};
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

/// The countries of an order, as far as they are known: also of an address that is refused for something else.
#[derive(Debug, Clone, Copy)]
pub(super) struct Countries {
    billing: Option<CountryCode>,
    shipping: Option<CountryCode>,
}

impl Countries {
    /// The country that decides taxes (contract 1): of delivery when something is sent, else of the bill.
    pub(super) fn deciding(self, is_sent: bool) -> Option<CountryCode> {
        if is_sent { self.shipping } else { self.billing }
    }
}

/// What a request says about addresses.
pub(super) struct Addresses {
    /// None if something about them was refused.
    pub(super) destination: Option<Destination>,
    pub(super) countries: Countries,
}

impl Addresses {
    /// Reads the addresses that a request gives or refers to, and notes what is wrong with them. Saved ones are the customer's own;
    /// another's is unknown. `accepted` is the request as it was sent.
    pub(super) async fn of(
        db: &Db,
        config: &Config,
        customer_id: i64,
        request: &CheckoutRequest,
        accepted: &Value,
        refusals: &mut Refusals,
    ) -> ApiResult<Self> {
        let billing = AddressInput {
            field: "billing",
            field_of_id: "billing_address_id",
            given: &accepted["billing"],
            address: request.billing.as_ref(),
            saved: request.billing_address_id,
        };
        let shipping = AddressInput {
            field: "shipping",
            field_of_id: "shipping_address_id",
            given: &accepted["shipping"],
            address: request.shipping.as_ref(),
            saved: request.shipping_address_id,
        };
        let required = |field| CheckoutError::Field(field, Violation::Required);
        let billing = billing.find(db, config, customer_id, refusals).await?;
        if billing.is_none() {
            refusals.refuse(required("billing"))?;
        }
        let other = shipping.find(db, config, customer_id, refusals).await?;
        let shipping = match (request.shipping_same_as_billing, other) {
            (Some(true), _) | (None, None) => billing.clone(),
            (Some(false) | None, Some(other)) => Some(other),
            (Some(false), None) => {
                refusals.refuse(required("shipping"))?;
                None
            }
        };
        let country = |named: &Option<Named>| named.as_ref().and_then(|named| named.country);
        let countries = Countries { billing: country(&billing), shipping: country(&shipping) };
        let postal = |named: Option<Named>| named.and_then(|named| named.postal);
        let both = postal(billing).zip(postal(shipping));
        Ok(Self { destination: both.map(|(billing, shipping)| Destination { billing, shipping }), countries })
    }
}

/// An address that a request names.
#[derive(Debug, Clone)]
struct Named {
    /// None if it was refused.
    postal: Option<PostalAddress>,
    /// One of those that the shop sells to, if it is known.
    country: Option<CountryCode>,
}

impl Named {
    fn refused() -> Self {
        Self { postal: None, country: None }
    }
}

/// One address as a request may give it.
struct AddressInput<'a> {
    field: &'static str,
    field_of_id: &'static str,
    /// As it was sent; null if it was not.
    given: &'a Value,
    /// The same if nothing is wrong with it.
    address: Option<&'a AddressRequest>,
    saved: Option<i64>,
}

impl AddressInput<'_> {
    /// The address, or none if none is named; what is wrong with it is noted.
    async fn find(
        &self,
        db: &Db,
        config: &Config,
        customer_id: i64,
        refusals: &mut Refusals,
    ) -> ApiResult<Option<Named>> {
        let refuse = |violation: Violation| CheckoutError::Field(self.field_of_id, violation);
        let sold_to = |country: Option<CountryCode>| country.filter(|code| config.shop.countries.contains(code));
        let named = match (self.given.is_null(), self.saved) {
            (true, None) if refusals.tells(self.field) || refusals.tells(self.field_of_id) => Named::refused(),
            (true, None) => return Ok(None),
            (false, Some(_)) => {
                refusals.refuse(refuse(Violation::Exclusive { other: self.field.into() }))?;
                Named::refused()
            }
            (false, None) => Named {
                postal: self.address.map(|address| address.clone().into_draft().postal),
                country: sold_to(named_country(self.given)),
            },
            (true, Some(id)) => {
                let saved = find_address(db, customer_id, id).await?;
                let postal = saved.ok_or_else(|| refuse(Violation::UnknownId)).and_then(|saved| {
                    let country = sold_to(CountryCode::parse(&saved.postal.country));
                    country.map(|country| (country, saved.postal)).ok_or_else(|| refuse(Violation::NotDelivered))
                });
                match refusals.note(postal)? {
                    Some((country, postal)) => Named { postal: Some(postal), country: Some(country) },
                    None => Named::refused(),
                }
            }
        };
        Ok(Some(named))
    }
}
