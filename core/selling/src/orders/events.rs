//! What others take part in when an order is placed, paid, cancelled and shipped (S6.1).

use serde::{Deserialize, Serialize};
use serde_json::{Map, Value};

use stoa_kernel::config::CountryCode;
use stoa_kernel::events::{CommittedEvent, Event, ListenerError, PreflightEvent, TransactionEvent, Veto};
use stoa_kernel::money::Currency;

use super::status::OrderStatus;

/// A line of an order that is being placed, priced by the server.
#[derive(Debug, Clone, PartialEq, sqlx::FromRow)]
pub struct OrderLine {
    /// The id of the order line; none before the order is written.
    #[sqlx(rename = "id")]
    pub order_line_id: Option<i64>,
    /// The product.
    pub product_id: i64,
    /// The product's name in URLs.
    pub slug: String,
    /// The product's stock keeping unit.
    pub sku: Option<String>,
    /// The product's name.
    pub label: String,
    /// Units.
    pub quantity: i64,
    /// Price of one unit in minor units, options included.
    pub unit_amount: i64,
    /// What the catalog asks for one unit, options included, before modules had their say. None once it is sold.
    #[sqlx(skip)]
    pub list_amount: Option<i64>,
    /// What was selected, by option key.
    #[sqlx(json)]
    pub selections: Map<String, Value>,
    /// Stock keeping units of the selected choices: variants of their own for stock.
    #[sqlx(json)]
    pub choice_skus: Vec<String>,
    /// The product's capabilities.
    #[sqlx(json)]
    pub capabilities: Vec<String>,
    /// What the modules keep about the product, by module.
    #[sqlx(json)]
    pub module_settings: Map<String, Value>,
}

impl OrderLine {
    /// What a module keeps about the product.
    pub fn settings(&self, module: &str) -> Option<&Value> {
        self.module_settings.get(module)
    }

    /// Whether the product has this capability.
    pub fn has(&self, capability: &str) -> bool {
        self.capabilities.iter().any(|own| own == capability)
    }
}

/// A customer is about to place an order; announced before the transaction (S6.1).
///
/// A listener may read, and adds a check for each thing that stands in the way.
#[derive(Debug)]
pub struct OrderPreflight {
    /// Who orders.
    pub customer_id: i64,
    /// The currency of all amounts.
    pub currency: Currency,
    /// What is ordered.
    pub lines: Vec<OrderLine>,
    /// The country that decides about taxes: of delivery when something is sent, else of the bill.
    pub country: Option<CountryCode>,
    /// The shipping method that the customer has named.
    pub shipping_method_id: Option<String>,
    /// The payment method that the customer has named, or the usual one.
    pub payment_method: String,
    /// The discount code that the customer has named, which may turn out to be none.
    pub discount_code: Option<String>,
    /// What the customer has answered to requirements that modules have added, by the requirement's id. Each module looks at its own.
    pub answers: Map<String, Value>,
    /// What stands in the way. All of it is told, with the code and the message of the first.
    pub checks: Vec<Veto>,
}

impl Event for OrderPreflight {
    const NAME: &'static str = "OrderPreflight";
}

impl PreflightEvent for OrderPreflight {}

/// The order that the lines of [`OrderPlacing`] belong to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedOrder {
    /// The order's id.
    pub id: i64,
    /// The order's number.
    pub number: String,
    /// Who orders.
    pub customer_id: i64,
    /// What is to be paid, in minor units.
    pub total_amount: i64,
    /// The currency of all amounts.
    pub currency: Currency,
}

/// An order is being written; announced inside the transaction (S6.1). Reserve here what is promised.
///
/// A veto undoes everything, and the customer is told why.
#[derive(Debug, Clone)]
pub struct OrderPlacing {
    /// The order; none while an order is only tried out.
    pub order: Option<PlacedOrder>,
    /// What is ordered; sum over all lines before you promise anything.
    pub lines: Vec<OrderLine>,
    /// What modules have added to the order, in the order in which it was added.
    pub added_lines: Vec<PlacedAddedLine>,
    /// What the customer has answered to requirements that modules have added, by the requirement's id.
    pub answers: Map<String, Value>,
}

impl OrderPlacing {
    /// What a module has added to the order.
    pub fn added_by<'a>(&'a self, module: &'a str) -> impl Iterator<Item = &'a PlacedAddedLine> {
        self.added_lines.iter().filter(move |line| line.module == module)
    }
}

/// A line that a module has added to the order that is being written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PlacedAddedLine {
    /// The module.
    pub module: &'static str,
    /// The module's own name for the line.
    pub key: String,
    /// What is charged for it, in minor units; below zero what it takes off.
    pub amount: i64,
    /// The id of its order line; none of a discount, which is spread over the products.
    pub order_line_id: Option<i64>,
}

impl Event for OrderPlacing {
    const NAME: &'static str = "OrderPlacing";
}

impl TransactionEvent for OrderPlacing {}

/// Makes a committed event about an order.
macro_rules! order_event {
    ($(#[$meta:meta])* $event:ident) => {
        $(#[$meta])*
        #[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
        pub struct $event {
            /// The order's id.
            pub order_id: i64,
            /// The order's number.
            pub order_number: String,
            /// Whose order it is.
            pub customer_id: i64,
            /// The order's status.
            pub status: OrderStatus,
            /// What was or is to be paid, in minor units.
            pub total_amount: i64,
            /// ISO 4217 code.
            pub currency: String,
            /// The capabilities of all that was ordered, sorted. None where an earlier version has told of it.
            #[serde(default)]
            pub capabilities: Option<Vec<String>>,
        }

        impl Event for $event {
            const NAME: &'static str = stringify!($event);
        }

        impl CommittedEvent for $event {
            fn order_key(&self) -> Option<String> {
                Some(subject_of(self.order_id))
            }

            fn capabilities(&self) -> Option<&[String]> {
                self.capabilities.as_deref()
            }
        }
    };
}

order_event! {
    /// An order was placed.
    OrderCreated
}

order_event! {
    /// An order was paid, or cost nothing. Grant here what was promised, once per unit.
    OrderPaid
}

order_event! {
    /// An order was cancelled; delivered after commit.
    OrderCancelled
}

/// An order is being cancelled; announced inside the transaction, so that what was reserved is released exactly once.
///
/// A listener cannot refuse: a veto is a failure of the listener, and the order stays as it is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OrderCancelling {
    /// The order's id.
    pub order_id: i64,
    /// Whose order it is.
    pub customer_id: i64,
    /// What was promised.
    pub lines: Vec<CancelledLine>,
}

/// An order line that is being cancelled.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct CancelledLine {
    /// The item's id.
    pub order_line_id: i64,
    /// The product.
    pub product_id: i64,
    /// Units.
    pub quantity: i64,
}

impl Event for OrderCancelling {
    // The contract knows one name for both moments.
    const NAME: &'static str = "OrderCancelled";
}

impl TransactionEvent for OrderCancelling {}

/// Units of an order were handed to a carrier.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct OrderShipped {
    /// The order's id.
    pub order_id: i64,
    /// Whose order it is.
    pub customer_id: i64,
    /// The shipment's id.
    pub shipment_id: i64,
    /// The carrier's number, if there is one.
    pub tracking: Option<String>,
    /// The id of the carrier in the configuration, if one was named.
    #[serde(default)]
    pub carrier: Option<String>,
    /// What was sent.
    #[serde(alias = "items")]
    pub lines: Vec<ShippedLine>,
}

/// Units of an item that were sent together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct ShippedLine {
    /// The item's id.
    #[serde(alias = "order_item_id")]
    pub order_line_id: i64,
    /// The product.
    pub product_id: i64,
    /// Units in this shipment.
    pub quantity: i64,
}

impl Event for OrderShipped {
    const NAME: &'static str = "OrderShipped";
}

impl CommittedEvent for OrderShipped {
    fn order_key(&self) -> Option<String> {
        Some(subject_of(self.order_id))
    }
}

/// What events about an order are told in the order of.
pub(crate) fn subject_of(order_id: i64) -> String {
    format!("order:{order_id}")
}

/// A listener's refusal where nothing can be refused.
pub(crate) fn failed(error: ListenerError) -> ListenerError {
    match error {
        ListenerError::Veto(veto) => ListenerError::Failed(format!("a listener refused, on `{}`", veto.field)),
        other => other,
    }
}
