//! The list of orders, with search and filters, a page at a time.

use stoa_core::db::ListDb;
use stoa_core::orders::{FulfillmentStatus, OrderListed, OrderSearch, OrderStatus, count_orders, search_orders};
use stoa_core::payments::PaymentStatus;
use stoa_kernel::console::{Cell, ConsoleAnswer, Direction, List, ListQuery, RowsWanted};
use stoa_kernel::http::error::ApiResult;

/// Whose orders a list shows.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Buyers {
    All,
    /// Those of one, who need not be told.
    One,
}

/// Orders as lists show them.
pub(crate) fn orders(title: &str, buyers: Buyers) -> List<OrderListed> {
    let list = List::new(title, |order: &OrderListed| order.id)
        .column("Order", |order| {
            let number = order.number().to_string();
            let path = format!("/orders/{number}");
            Cell::link(number, path).over(order.review_reason.as_ref().map(|_| Cell::state("review")))
        })
        .column("Placed", |order| order.created_at)
        .sorted("placed", |order| order.id)
        .begins_sorted("placed", Direction::Descending);
    let list = match buyers {
        Buyers::All => {
            list.column("Customer", |order| Cell::from(&order.customer_name).over(order.customer_email.as_deref()))
        }
        Buyers::One => list,
    };
    list.column("Status", |order| {
        // Whoever packs shall see it before the parcel is closed.
        Cell::state(order.status.as_str()).over(order.is_withdrawn.then(|| Cell::state("withdrawal")))
    })
    .column("Payment", |order| order.payment_status.clone().map(Cell::state))
    .column("Shipping", |order| {
        has_shipping(order.status, order.fulfillment_status).then(|| Cell::state(order.fulfillment_status.as_str()))
    })
    .number("Total", |order| Cell::money(order.total_amount, &order.currency))
    .sorted("total", |order| order.total_amount)
}

/// Whether an order tells how much of it was sent: something is to be sent, and it was not cancelled.
pub(super) fn has_shipping(status: OrderStatus, fulfillment: FulfillmentStatus) -> bool {
    status != OrderStatus::Cancelled && fulfillment != FulfillmentStatus::NotRequired
}

/// `GET /console/orders`.
pub(crate) async fn show(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let search = OrderSearch {
        text: query.get("q").map(str::to_owned),
        status: query.get("status").and_then(|status| OrderStatus::try_from(status.to_owned()).ok()),
        payment: query.get("payment").and_then(|status| PaymentStatus::try_from(status.to_owned()).ok()),
        to_pack: query.is_on("to-pack"),
        needs_review: query.is_on("review"),
        from: query.from_day("from"),
        until: query.until_day("to"),
        customer_id: query.parsed("customer"),
        ..OrderSearch::default()
    };
    let counted = count_orders(&db, &search).await?;
    let list = orders("Orders", Buyers::All)
        .search("Number, invoice, name, e-mail or tracking")
        .choice("status", "Status", OrderStatus::ALL.iter().map(|status| status.as_str()))
        .choice("payment", "Payment", PaymentStatus::ALL.iter().map(|status| status.as_str()))
        .day("from", "From")
        .day("to", "To")
        .flag("to-pack", "To pack")
        .flag("review", "To review")
        .empty("There are no orders yet. They appear here as soon as somebody buys.");
    list.show_sorted(query, counted, move |RowsWanted { sort, after, limit }| {
        let (db, search) = (db.clone(), OrderSearch { sort, after, limit, ..search.clone() });
        async move { search_orders(&db, &search).await }
    })
    .await
}
