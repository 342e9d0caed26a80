//! An order as the API shows it (contract 2.3).

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use stoa_customers::addresses::PostalAddress;

use super::status::{FulfillmentStatus, OrderStatus};
use super::vat_id::VatIdCheck;
use crate::cart::{SelectedOption, Selections};
use crate::invoices::InvoiceStatus;
use crate::payments::PaymentStatus;
use crate::pricing::{AmountOverflow, TaxLine, tax_lines};
use crate::withdrawals::OrderWithdrawal;

/// What was paid for an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OrderPayment {
    /// The payment's status.
    pub status: PaymentStatus,
    /// What is or was to be paid, in minor units.
    pub amount: i64,
    /// The same for people.
    pub amount_formatted: String,
    /// What went back, in minor units.
    pub refunded_amount: i64,
    /// What remains, in minor units.
    pub net_amount: i64,
}

/// The invoice of an order, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OrderInvoice {
    /// The invoice's id.
    pub id: i64,
    /// The invoice's number.
    pub number: String,
    /// What has become of it.
    pub status: InvoiceStatus,
}

/// A credit note of an order, in short.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema, sqlx::FromRow)]
pub struct OrderCreditNote {
    /// The credit note's id.
    pub id: i64,
    /// The credit note's number.
    pub number: String,
    /// What was credited, in minor units.
    pub total_amount: i64,
}

/// What is taxed with one rate: products, and shipping.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct OrderTax {
    /// The rate for people, such as `21%`.
    pub label: String,
    /// The rate in hundredths of a percent: 2100 is 21 %.
    pub rate_basis_points: u16,
    /// What is taxed, before tax, in minor units.
    pub base_amount: i64,
    /// The tax, in minor units.
    pub tax_amount: i64,
}

impl OrderTax {
    /// The taxes of what is sold, one for each rate, the highest first. They add up to the sums of what goes in.
    pub(crate) fn by_rate(parts: impl IntoIterator<Item = TaxLine>) -> Result<Vec<Self>, AmountOverflow> {
        let lines = tax_lines(parts)?.into_iter().filter(|line| line.net_amount != 0 || line.tax_amount != 0);
        Ok(lines.map(Self::from).collect())
    }
}

impl From<TaxLine> for OrderTax {
    fn from(line: TaxLine) -> Self {
        let rate = line.rate.get();
        let (whole, rest) = (rate / 100, format!("{:02}", rate % 100));
        let label = match rest.trim_end_matches('0') {
            "" => format!("{whole}%"),
            decimals => format!("{whole}.{decimals}%"),
        };
        Self { label, rate_basis_points: rate, base_amount: line.net_amount, tax_amount: line.tax_amount }
    }
}

/// What a module has added to an order: a fee, a surcharge, or a discount.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OrderAddedLine {
    /// The module.
    pub module: String,
    /// What it is for.
    pub label: String,
    /// What it costs, in minor units; below zero what it takes off.
    pub amount: i64,
}

/// What the customer has agreed to with an order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct OrderConsent {
    /// Which consent it is.
    pub id: String,
    /// Which edition of its text.
    pub version: String,
    /// What the customer has read.
    pub label: String,
    /// When it was given.
    pub given_at: DateTime<Utc>,
}

/// An order line, as it was sold: a product, or what a module charges beside the products.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema, sqlx::FromRow)]
#[schemars(rename = "OrderItem")]
pub struct OrderLineResource {
    /// The item's id.
    pub id: i64,
    /// The product; it may look otherwise now. Null for what a module has added, such as a fee.
    pub product_id: Option<i64>,
    /// The product's name in URLs, as it was; null for what a module has added.
    pub slug: Option<String>,
    /// The product's stock keeping unit, as it was.
    pub sku: Option<String>,
    /// The product's name, as it was; or what a module has added.
    pub label: String,
    /// Units.
    pub quantity: i64,
    /// Price of a unit in minor units, options included.
    pub unit_amount: i64,
    /// Units times price, before a discount, in minor units.
    pub line_total_amount: i64,
    /// What was selected, as the cart takes it.
    #[sqlx(json)]
    pub selections: Selections,
    /// What was selected, in words.
    #[sqlx(json)]
    pub options: Vec<SelectedOption>,
    /// Units that were sent.
    pub shipped_quantity: i64,
    /// Units whose price went back, or is on its way back.
    pub refunded_quantity: i64,
}

/// Units of an item in a shipment.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "ShipmentItem")]
pub struct ShippedLineResource {
    /// The item's id.
    pub id: i64,
    /// Units.
    pub quantity: i64,
}

/// What was sent together.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
pub struct Shipment {
    /// The shipment's id.
    pub id: i64,
    /// What was sent.
    pub items: Vec<ShippedLineResource>,
    /// The carrier's number.
    pub tracking: Option<String>,
    /// When it was sent.
    pub shipped_at: DateTime<Utc>,
}

/// An order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, JsonSchema)]
#[schemars(rename = "Order")]
pub struct OrderResource {
    /// The order's id.
    pub id: i64,
    /// The order's number.
    pub number: String,
    /// How far it has come.
    pub status: OrderStatus,
    /// The payment's status; null when nothing is to be paid.
    pub payment_status: Option<PaymentStatus>,
    /// How much was sent.
    pub fulfillment_status: FulfillmentStatus,
    /// ISO 4217 code of all amounts.
    pub currency: String,
    /// The items before the discount, in minor units.
    pub subtotal_amount: i64,
    /// What a code and modules took off, in minor units.
    pub discount_amount: i64,
    /// The code.
    pub discount_code: Option<String>,
    /// What modules have added: fees, which are `items` too, and discounts, which are within `discount_amount`.
    pub added_lines: Vec<OrderAddedLine>,
    /// Shipping in minor units.
    pub shipping_amount: i64,
    /// Tax in minor units, within the total.
    pub tax_amount: i64,
    /// What is to be paid, in minor units.
    pub total_amount: i64,
    /// The same for people.
    pub total_formatted: String,
    /// The tax by rate, the highest first; together `tax_amount`.
    pub taxes: Vec<OrderTax>,
    /// The customer's VAT identification number.
    pub vat_id: Option<String>,
    /// What was found out about it when the order was placed; null without one.
    pub vat_id_check: Option<VatIdCheck>,
    /// Whether the customer owes the tax instead of the shop (reverse charge); there is none in the order then.
    pub reverse_charge: bool,
    /// Where the bill goes.
    pub billing_address: PostalAddress,
    /// Where the goods go; null when nothing is sent.
    pub shipping_address: Option<PostalAddress>,
    /// How they go; null when nothing is sent.
    pub shipping_method: Option<String>,
    /// How the customer has chosen to pay.
    pub payment_method: String,
    /// What the customer is to do to pay; null once nothing is to be done, and where a page does it.
    pub payment_instructions: Option<String>,
    /// What the customer wrote.
    pub note: Option<String>,
    /// What the customer has agreed to.
    pub consents: Vec<OrderConsent>,
    /// The payment; null when nothing is to be paid.
    pub payment: Option<OrderPayment>,
    /// The invoice.
    pub invoice: Option<OrderInvoice>,
    /// The credit notes, oldest first.
    pub credit_notes: Vec<OrderCreditNote>,
    /// What was ordered.
    pub items: Vec<OrderLineResource>,
    /// What was sent, oldest first.
    pub shipments: Vec<Shipment>,
    /// What the customer may withdraw from; null in a shop that has no function for it.
    pub withdrawal: Option<OrderWithdrawal>,
    /// When it was placed.
    pub created_at: DateTime<Utc>,
    /// When it was paid.
    pub paid_at: Option<DateTime<Utc>>,
    /// When it was cancelled.
    pub cancelled_at: Option<DateTime<Utc>>,
}
