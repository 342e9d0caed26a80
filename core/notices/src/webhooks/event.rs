//! What is told to the outside (S6.2).

use serde::Serialize;
use serde_json::Value;

use stoa_kernel::i18n::Message;
use stoa_kernel::module::WebhookType;

/// Something that has happened, with exactly the members of `data` that S6.2 lists: ids, statuses and amounts in minor
/// units, and nothing about the customer.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(untagged)]
pub enum WebhookEvent {
    /// An order was placed.
    OrderCreated(OrderData),
    /// An order was paid, or cost nothing.
    OrderPaid(OrderData),
    /// An order was cancelled.
    OrderCancelled(OrderData),
    /// Units of an order were sent.
    OrderShipped {
        /// The order's id.
        order_id: i64,
        /// The order's number.
        order_number: String,
        /// The shipment's id.
        shipment_id: i64,
        /// By what the carrier knows it; none if nobody said.
        tracking: Option<String>,
        /// What was sent.
        items: Vec<ShippedUnits>,
    },
    /// A payment was made: once for each, when it first becomes `paid`.
    PaymentRecorded {
        /// The payment's id.
        payment_id: i64,
        /// The order's id.
        order_id: i64,
        /// The payment's status.
        status: &'static str,
        /// What was paid, in minor units.
        amount: i64,
        /// ISO 4217 code.
        currency: String,
    },
    /// Money went back.
    RefundRecorded {
        /// The refund's id.
        refund_id: i64,
        /// The order's id.
        order_id: i64,
        /// What went back, in minor units.
        amount: i64,
        /// ISO 4217 code.
        currency: String,
        /// The refund's status.
        status: &'static str,
    },
    /// A credit note was issued.
    CreditNoteIssued {
        /// The credit note's id.
        credit_note_id: i64,
        /// The invoice that it corrects.
        invoice_id: i64,
        /// The order's id.
        order_id: i64,
        /// What is credited, in minor units.
        amount: i64,
        /// ISO 4217 code.
        currency: String,
    },
    /// A customer has withdrawn from an order, or from a part of it.
    WithdrawalDeclared {
        /// The withdrawal's id.
        withdrawal_id: i64,
        /// The withdrawal's number.
        withdrawal_number: String,
        /// The order's id.
        order_id: i64,
        /// The order's number.
        order_number: String,
        /// The withdrawal's status.
        status: &'static str,
        /// Whether it was declared in time.
        within_period: bool,
        /// What it is about.
        lines: Vec<WithdrawnUnits>,
    },
    /// Something that a module tells of.
    OfModule(ModuleEvent),
}

/// An event of a module, which serializes as its data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(transparent)]
pub struct ModuleEvent {
    data: Value,
    #[serde(skip)]
    name: &'static str,
    #[serde(skip)]
    told: Message,
}

impl ModuleEvent {
    /// What it is called in messages for people.
    pub(super) fn told(&self) -> &Message {
        &self.told
    }
}

/// Units of an order line that a customer has withdrawn from.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct WithdrawnUnits {
    /// The order line.
    pub item_id: i64,
    /// How many.
    pub quantity: i64,
}

/// Units of an order line that were sent.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct ShippedUnits {
    /// The order line.
    pub item_id: i64,
    /// The product.
    pub product_id: i64,
    /// How many were sent.
    pub quantity: i64,
}

/// The members of `data` of events about orders.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct OrderData {
    /// The order's id.
    pub order_id: i64,
    /// The order's number.
    pub order_number: String,
    /// The order's status.
    pub status: &'static str,
    /// The payment's status; none when nothing is to be paid.
    pub payment_status: Option<&'static str>,
    /// What is or was to be paid, in minor units.
    pub total: i64,
    /// ISO 4217 code.
    pub currency: String,
}

impl WebhookEvent {
    /// An event of a module's own type, with what programs are told, and what chats say of it in a line. Nothing about a
    /// customer belongs into it.
    pub fn of_module(webhook_type: &WebhookType, data: &impl Serialize, told: Message) -> Self {
        let data = serde_json::to_value(data).expect("data of events serialize");
        Self::OfModule(ModuleEvent { data, name: webhook_type.name, told })
    }

    /// The type, such as `order.created`.
    pub fn name(&self) -> &'static str {
        match self {
            Self::OrderCreated(_) => "order.created",
            Self::OrderPaid(_) => "order.paid",
            Self::OrderCancelled(_) => "order.cancelled",
            Self::OrderShipped { .. } => "order.shipped",
            Self::PaymentRecorded { .. } => "payment.recorded",
            Self::RefundRecorded { .. } => "refund.recorded",
            Self::CreditNoteIssued { .. } => "credit_note.issued",
            Self::WithdrawalDeclared { .. } => "withdrawal.declared",
            Self::OfModule(event) => event.name,
        }
    }

    /// The amount in minor units that the event is about, and its currency; none of what is about no money.
    pub(super) fn money(&self) -> Option<(i64, &str)> {
        match self {
            Self::OrderCreated(order) | Self::OrderPaid(order) | Self::OrderCancelled(order) => {
                Some((order.total, &order.currency))
            }
            Self::OrderShipped { .. } | Self::WithdrawalDeclared { .. } | Self::OfModule(_) => None,
            Self::PaymentRecorded { amount, currency, .. }
            | Self::RefundRecorded { amount, currency, .. }
            | Self::CreditNoteIssued { amount, currency, .. } => Some((*amount, currency)),
        }
    }
}
