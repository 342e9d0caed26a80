//! What a request by the key of an order's link opens: that order, and what was bought with it.

use axum::extract::FromRequestParts;
use http::request::Parts;
use http::{HeaderMap, header};

use super::{OrderLinks, queries};
use crate::db::{Db, Query};
use crate::http::error::ApiError;
use crate::http::extract::Customer;
use crate::http::guard::Authenticated;
use crate::http::shape::Takes;
use crate::http::table::{HeaderParameter, Operation};
use crate::record_number::OrderNumber;

/// Carries the key of an order's link.
pub const ORDER_KEY: &str = "x-order-key";

/// Names the order that a key is to open, where the path does not.
pub const ORDER_NUMBER: &str = "x-order-number";

const KEY_PARAMETER: HeaderParameter = HeaderParameter {
    name: "X-Order-Key",
    description: "The key of the order's link, as its query has it.",
    pattern: "^[A-Za-z0-9_-]{27}$",
    example: "AABRdMm0lVbT3o2cQ9Kp1xw7YzE",
};

const NUMBER_PARAMETER: HeaderParameter = HeaderParameter {
    name: "X-Order-Number",
    description: "The number of an order: only what was bought with it is there. With `X-Order-Key`, no login is needed.",
    pattern: "^O-[0-9]{6,}$",
    example: "O-000042",
};

/// The key that came with a link; none when it was left out, or is no text.
pub struct OrderKey(pub Option<String>);

impl<S: Send + Sync> FromRequestParts<S> for OrderKey {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        Ok(Self(only(&parts.headers, ORDER_KEY)))
    }
}

impl Takes for OrderKey {
    fn takes(operation: &mut Operation) {
        operation.headers.push(KEY_PARAMETER);
    }
}

/// The text of a header that came once.
fn only(headers: &HeaderMap, name: &str) -> Option<String> {
    let mut values = headers.get_all(name).iter();
    match (values.next(), values.next()) {
        (Some(value), None) => value.to_str().ok().map(|text| text.trim().to_owned()),
        _ => None,
    }
}

/// The id of the order that the headers name.
fn named_order(headers: &HeaderMap) -> Result<i64, ApiError> {
    let number = only(headers, ORDER_NUMBER).and_then(|number| number.parse::<OrderNumber>().ok());
    number.map(OrderNumber::id).ok_or_else(ApiError::not_found)
}

/// The order that a request opens by the key of its link. The guard leaves it in place of a customer.
#[derive(Debug, Clone, Copy)]
pub(crate) struct OpenedOrder {
    customer_id: i64,
    order_id: i64,
}

impl OpenedOrder {
    /// Whether a request comes with the key of an order, and nothing that says who makes it. A token decides alone.
    pub(crate) fn is_asked_for(headers: &HeaderMap) -> bool {
        headers.contains_key(ORDER_KEY) && !headers.contains_key(header::AUTHORIZATION)
    }

    /// The order that a request's headers open; 404 for one that they do not, whether it is there or not.
    pub(crate) async fn find(headers: &HeaderMap, db: &Db, links: &OrderLinks) -> Result<Self, ApiError> {
        let order_id = named_order(headers)?;
        let key = only(headers, ORDER_KEY).ok_or_else(ApiError::not_found)?;
        if !links.opens(&key, order_id, db.now()) {
            return Err(ApiError::not_found());
        }
        let found = db.read(queries::FIND_CUSTOMER).bind(order_id).optional_scalar::<i64>().await?;
        Ok(Self { customer_id: found.ok_or_else(ApiError::not_found)?, order_id })
    }
}

/// Whose purchases a route shows: all of the customer who asks, or those of one order to whoever has the key of its link.
///
/// A route whose handler takes this is open to such keys; one that takes a [`Customer`](crate::http::extract::Customer) is not, so
/// that no key opens more than its order. Customers may name an order too, and then get what they have bought with it.
/// It can only be bound to a statement, by [`bought_by`](BoughtBy::bought_by), or be compared:
///
/// ```
/// # extern crate stoa_kernel as stoa_core;
/// use stoa_core::prelude::*;
///
/// async fn count(own_teas: Sql, buyer: Buyer, db: Db) -> ApiResult<Data<i64>> {
///     Ok(Data(db.read(own_teas).bought_by(buyer).scalar().await?))
/// }
/// ```
#[derive(Debug, Clone, Copy)]
pub struct Buyer {
    customer_id: i64,
    order_id: Option<i64>,
}

impl Buyer {
    /// Whether something belongs to this buyer that a customer has bought with an order.
    pub fn has_bought(self, customer_id: i64, order_id: i64) -> bool {
        self.customer_id == customer_id && self.order_id.is_none_or(|own| own == order_id)
    }
}

impl From<Customer> for Buyer {
    fn from(customer: Customer) -> Self {
        Self { customer_id: customer.id, order_id: None }
    }
}

/// What statements have that find what somebody has bought.
pub trait BoughtBy {
    /// Binds the next two placeholders: the customer, and the order outside of which nothing is to be found; null for all orders:
    /// `customer_id = $1 AND order_id = COALESCE($2, order_id)`.
    #[must_use = "a query does nothing until it is run"]
    fn bought_by(self, buyer: Buyer) -> Self;
}

impl BoughtBy for Query<'_> {
    fn bought_by(self, buyer: Buyer) -> Self {
        self.bind(buyer.customer_id).bind(buyer.order_id)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Buyer {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, ApiError> {
        if let Some(opened) = parts.extensions.get::<OpenedOrder>() {
            return Ok(Self { customer_id: opened.customer_id, order_id: Some(opened.order_id) });
        }
        let authenticated = parts.extensions.get::<Authenticated>().ok_or_else(ApiError::unauthenticated)?;
        let order_id = if parts.headers.contains_key(ORDER_NUMBER) { Some(named_order(&parts.headers)?) } else { None };
        Ok(Self { customer_id: authenticated.customer_id, order_id })
    }
}

impl Takes for Buyer {
    fn takes(operation: &mut Operation) {
        operation.by_order_key = true;
        operation.headers.extend([KEY_PARAMETER, NUMBER_PARAMETER]);
    }
}
