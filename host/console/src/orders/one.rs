//! One order: what was bought, what has happened, and everything that can be done about it.

use std::sync::Arc;

use askama::Template;
use axum::extract::State;
use http::StatusCode;
use stoa_core::db::Db;
use stoa_core::money::MoneyFormatter;
use stoa_core::orders::{
    FulfillmentStatus, MAX_NOTE, MAX_TRACKING, OrderDetails, OrderNumber, OrderRecord, OrderStatus, details_of,
    find_order, history_of,
};
use stoa_core::payments::PaymentStatus;
use stoa_core::refunds::{MAX_REASON, RefundPreview};
use stoa_kernel::console::On;
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::Uses;
use stoa_pages::answer::PageResponse;

use super::list::has_shipping;
use super::mails::{Letter, mails_about};
use super::money::{Attempt, PreviewedRefund, attempts, previewed, refunds};
use super::withdrawn::{Withdrawn, withdrawn_from};
use crate::layout::Layout;
use crate::page::{ConsoleState, Frame, Named};
use crate::show::{Badge, Time, address};

/// A line of the order.
struct Line {
    id: i64,
    label: String,
    sku: String,
    options: String,
    quantity: i64,
    /// Units that may still be sent.
    to_ship: i64,
    shipped: i64,
    /// Units whose money may still go back.
    refundable: i64,
    /// Whether one unit is told from another, as tickets and keys are and what is sent is not.
    has_units: bool,
    refunded: i64,
    price: String,
    total: String,
}

/// Something that has happened.
struct Happened {
    at: Time,
    what: String,
    who: String,
    detail: String,
}

struct Parcel {
    at: Time,
    content: String,
    tracking: String,
}

struct Document {
    number: String,
    path: String,
    told: String,
}

/// What the operator has entered for a refund, and what it comes to.
pub(super) struct ShownPreview {
    pub(super) preview: RefundPreview,
    pub(super) fields: Vec<(String, String)>,
}

/// Which acts the person may do now.
#[derive(Default)]
#[expect(clippy::struct_excessive_bools, reason = "each act may be done or not, by itself")]
struct Acts {
    pay: bool,
    ship: bool,
    refund: bool,
    cancel: bool,
    note: bool,
    review: bool,
    mail: bool,
    /// To send a mail again that could not be delivered.
    retry_mail: bool,
    /// To open a ticket in the customer's name.
    ticket: bool,
    /// To see the customer's page.
    customer: bool,
}

#[derive(Template)]
#[template(path = "order.html")]
struct OrderPage {
    layout: Layout,
    number: String,
    path: String,
    /// How much has happened: what a form was made from.
    seen: usize,
    status: Badge,
    payment: Option<Badge>,
    shipping: Option<Badge>,
    review: Option<String>,
    /// What the customer has withdrawn from, and nobody has settled yet.
    withdrawn: Vec<Withdrawn>,
    placed: Time,
    customer: Option<String>,
    customer_id: i64,
    billing: Vec<String>,
    delivery: Vec<String>,
    method: String,
    payment_method: String,
    note: Vec<String>,
    lines: Vec<Line>,
    /// Whether units of a line can be named for a refund.
    names_units: bool,
    sums: Vec<(String, String)>,
    total: String,
    parcels: Vec<Parcel>,
    attempts: Vec<Attempt>,
    refunds: Vec<Attempt>,
    documents: Vec<Document>,
    mails: Vec<Letter>,
    /// What modules have to show about it.
    boxes: Vec<String>,
    history: Vec<Happened>,
    acts: Acts,
    carriers: Vec<(String, String)>,
    shipping_refundable: bool,
    max_note: usize,
    max_reason: usize,
    max_tracking: usize,
    preview: Option<PreviewedRefund>,
    problem: Option<String>,
}

/// `GET /console/orders/{number}`.
pub(crate) async fn show(
    State(state): State<ConsoleState>,
    frame: Frame,
    db: Db,
    Uses(money): Uses<Arc<MoneyFormatter>>,
    Named(number): Named<OrderNumber>,
) -> ApiResult<PageResponse> {
    shown(&state, &frame, &db, &money, number, Told::default()).await
}

/// What the page says besides the order.
#[derive(Default)]
pub(super) struct Told {
    pub(super) problem: Option<(StatusCode, String)>,
    pub(super) preview: Option<ShownPreview>,
}

impl Told {
    /// Why something was not done.
    pub(super) fn problem(status: StatusCode, text: impl Into<String>) -> Self {
        Self { problem: Some((status, text.into())), ..Self::default() }
    }
}

/// How much has happened to an order.
pub(super) async fn seen(db: &Db, number: OrderNumber) -> ApiResult<usize> {
    Ok(history_of(db, number.id()).await?.len())
}

pub(super) async fn shown(
    state: &ConsoleState,
    frame: &Frame,
    db: &Db,
    money: &MoneyFormatter,
    number: OrderNumber,
    told: Told,
) -> ApiResult<PageResponse> {
    let record = find_order(db, money, number.id()).await?.ok_or_else(ApiError::not_found)?;
    let details = details_of(db, number.id()).await?;
    let status = told.problem.as_ref().map_or(StatusCode::OK, |problem| problem.0);
    let boxes = frame.boxes(On::Order, number.id()).await?;
    let mails = mails_about(frame, db, number.id()).await?;
    let withdrawn = withdrawn_from(frame, db, number).await?;
    let page = OrderPage { withdrawn, mails, boxes, ..page(state, frame, money, &record, &details, told) };
    // What may have happened all the same is not offered once more.
    if status.is_client_error() { frame.show_refused(status, &page) } else { frame.show_as(status, &page) }
}

fn page(
    state: &ConsoleState,
    frame: &Frame,
    money: &MoneyFormatter,
    record: &OrderRecord,
    details: &OrderDetails,
    told: Told,
) -> OrderPage {
    let order = &record.order;
    let amount = |amount: i64| money.format_in(amount, &order.currency);
    let number = order.number.clone();
    let lines = order.items.iter().map(|item| Line {
        id: item.id,
        label: item.label.clone(),
        sku: item.sku.clone().unwrap_or_default(),
        options: joined(item.options.iter().map(|option| format!("{}: {}", option.label, option.display))),
        quantity: item.quantity,
        to_ship: if record.shippable_items.contains(&item.id) {
            (item.quantity - item.refunded_quantity - item.shipped_quantity).max(0)
        } else {
            0
        },
        shipped: item.shipped_quantity,
        refundable: (item.quantity - item.refunded_quantity).max(0),
        has_units: item.quantity > 1
            && item.refunded_quantity < item.quantity
            && !record.shippable_items.contains(&item.id),
        refunded: item.refunded_quantity,
        price: amount(item.unit_amount),
        total: amount(item.line_total_amount),
    });
    let lines = lines.collect::<Vec<_>>();
    let mut sums = vec![(String::from("Subtotal"), amount(order.subtotal_amount))];
    if order.discount_amount != 0 {
        let code = order.discount_code.as_ref().map(|code| format!(" ({code})")).unwrap_or_default();
        sums.push((format!("Discount{code}"), amount(-order.discount_amount)));
    }
    for line in &order.added_lines {
        sums.push((line.label.clone(), amount(line.amount)));
    }
    if order.shipping_address.is_some() || order.shipping_amount != 0 {
        sums.push((String::from("Shipping"), amount(order.shipping_amount)));
    }
    for tax in order.taxes.iter().filter(|tax| tax.tax_amount != 0) {
        sums.push((format!("of which {}", tax.label), amount(tax.tax_amount)));
    }
    OrderPage {
        layout: frame.layout(format!("Order {number}"), "orders"),
        path: frame.path(&format!("/orders/{number}")),
        seen: details.history.len(),
        status: Badge::of(order.status.as_str()),
        // What the order says already is not said twice.
        payment: order
            .payment_status
            .filter(|status| status.as_str() != order.status.as_str())
            .map(|status| Badge::of(status.as_str())),
        shipping: has_shipping(order.status, order.fulfillment_status)
            .then(|| Badge::of(order.fulfillment_status.as_str())),
        review: record.review_reason.clone(),
        withdrawn: Vec::new(),
        placed: Time::of(order.created_at),
        customer: record.customer_email.clone(),
        customer_id: record.customer_id,
        billing: address(&order.billing_address),
        delivery: order.shipping_address.as_ref().map(address).unwrap_or_default(),
        method: order.shipping_method.as_deref().map(|id| method(state, id)).unwrap_or_default(),
        payment_method: frame.gateways.of(&order.payment_method),
        note: order.note.iter().flat_map(|note| note.lines()).map(str::to_owned).collect(),
        names_units: lines.iter().any(|line| line.has_units),
        lines,
        sums,
        total: order.total_formatted.clone(),
        parcels: parcels(record),
        attempts: attempts(details, money, &frame.gateways),
        refunds: refunds(details, money, &frame.gateways),
        documents: documents(frame, record, money),
        mails: Vec::new(),
        boxes: Vec::new(),
        history: history(details),
        acts: acts(frame, record, details),
        carriers: state.config.shipping.carriers.iter().map(|known| (known.id.clone(), known.label.clone())).collect(),
        shipping_refundable: order.shipping_amount > 0,
        max_note: MAX_NOTE,
        max_reason: MAX_REASON,
        max_tracking: MAX_TRACKING,
        preview: told.preview.map(|shown| previewed(shown, record, money)),
        problem: told.problem.map(|problem| problem.1),
        number,
    }
}

fn acts(frame: &Frame, record: &OrderRecord, details: &OrderDetails) -> Acts {
    let order = &record.order;
    let may = |ability: &str| frame.staff.may(ability);
    let is_pending = order.status == OrderStatus::Pending;
    let is_paid = order.status == OrderStatus::Paid;
    let to_ship = !matches!(order.fulfillment_status, FulfillmentStatus::NotRequired | FulfillmentStatus::Fulfilled);
    let on_its_way = details.refunds.iter().filter(|refund| refund.status == "pending").map(|refund| refund.amount);
    let left = order
        .payment
        .as_ref()
        .filter(|payment| matches!(payment.status, PaymentStatus::Paid | PaymentStatus::PartiallyRefunded));
    let left = left.map_or(0, |payment| payment.net_amount) - on_its_way.sum::<i64>();
    Acts {
        pay: is_pending && may("orders.pay"),
        ship: is_paid && to_ship && may("orders.ship"),
        refund: left > 0 && may("orders.refund"),
        cancel: is_pending && may("orders.cancel"),
        note: may("orders.note"),
        review: record.review_reason.is_some() && may("orders.note"),
        mail: may("orders.mail"),
        retry_mail: may("mails.retry"),
        ticket: may("support.reply"),
        customer: may("customers.view"),
    }
}

pub(super) fn joined(parts: impl Iterator<Item = String>) -> String {
    parts.collect::<Vec<_>>().join(", ")
}

/// What a way to send things is called; one that is offered no more is known by its id alone.
fn method(state: &ConsoleState, id: &str) -> String {
    let known = state.config.shipping.methods.iter().find(|method| method.id == id);
    known.map_or(id, |method| method.label.as_str()).to_owned()
}

fn parcels(record: &OrderRecord) -> Vec<Parcel> {
    let order = &record.order;
    let label = |id: i64| order.items.iter().find(|item| item.id == id).map_or("?", |item| item.label.as_str());
    let parcel = |shipment: &stoa_core::orders::Shipment| Parcel {
        at: Time::of(shipment.shipped_at),
        content: joined(shipment.items.iter().map(|item| format!("{} × {}", item.quantity, label(item.id)))),
        tracking: shipment.tracking.clone().unwrap_or_default(),
    };
    order.shipments.iter().map(parcel).collect()
}

fn documents(frame: &Frame, record: &OrderRecord, money: &MoneyFormatter) -> Vec<Document> {
    if !frame.staff.may("invoices.view") {
        return Vec::new();
    }
    let order = &record.order;
    let invoice = order.invoice.iter().map(|invoice| Document {
        path: frame.path(&format!("/documents/{}", invoice.number)),
        told: format!("Invoice, {}", invoice.status.as_str()),
        number: invoice.number.clone(),
    });
    let notes = order.credit_notes.iter().map(|note| Document {
        path: frame.path(&format!("/documents/{}", note.number)),
        told: format!("Credit note of {}", money.format_in(note.total_amount, &order.currency)),
        number: note.number.clone(),
    });
    invoice.chain(notes).collect()
}

fn history(details: &OrderDetails) -> Vec<Happened> {
    let entry = |entry: &stoa_core::orders::HistoryEntry| Happened {
        at: Time::of(entry.created_at),
        what: entry.action.replace('_', " "),
        who: entry.actor.clone(),
        detail: entry.detail.clone().unwrap_or_default(),
    };
    details.history.iter().rev().map(entry).collect()
}
