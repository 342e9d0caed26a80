//! The list of payments, each with the newest attempt to make it.

use std::sync::Arc;

use stoa_core::db::Db;
use stoa_core::gateways::GatewayTable;
use stoa_core::payments::{PaymentRecord, PaymentSearch, PaymentStatus, count_payments, search_payments};
use stoa_kernel::console::{Cell, ConsoleAnswer, List, ListQuery};
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::http::extract::Uses;

/// `GET /console/payments`.
pub(super) async fn show(
    Uses((db, gateways)): Uses<(Db, Arc<GatewayTable>)>,
    query: ListQuery,
) -> ApiResult<ConsoleAnswer> {
    let search = PaymentSearch {
        order: query.parsed("order"),
        status: query.get("status").and_then(|status| PaymentStatus::try_from(status.to_owned()).ok()),
        gateway: query.get("gateway").map(str::to_owned),
        ..PaymentSearch::default()
    };
    let counted = count_payments(&db, &search).await?;
    let list = List::new("Payments", |record: &PaymentRecord| record.payment.order_id)
        .about("A payment is what is owed for an order; it may be tried several times.")
        .way("payments.view", "Callbacks", "/payments/callbacks")
        .text("order", "Order", "O-000042")
        .choice("status", "Status", PaymentStatus::ALL.iter().map(|status| status.as_str()))
        .choice("gateway", "Gateway", gateways.ids())
        .empty("Nothing was to be paid yet.")
        .column("Payment", |record| {
            let number = record.order_number().to_string();
            let path = format!("/payments/{number}");
            Cell::link(number, path)
        })
        .column("Status", |record| Cell::state(record.payment.status.as_str()))
        .column("Through", |record| record.payment.gateway.clone())
        .column("Newest attempt", |record| {
            let status = record.attempt_status.clone().map(Cell::state);
            status.map(|status| status.over(record.attempt_gateway.clone()))
        })
        .column("Placed", |record| record.created_at)
        .column("Paid", |record| record.payment.paid_at)
        .number("Amount", |record| Cell::money(record.payment.amount, &record.payment.currency))
        .number("Refunded", |record| {
            let payment = &record.payment;
            (payment.refunded_amount != 0).then(|| Cell::money(payment.refunded_amount, &payment.currency))
        });
    list.show(query, counted, move |after, limit| {
        let (db, search) = (db.clone(), PaymentSearch { after, limit, ..search.clone() });
        async move { search_payments(&db, &search).await }
    })
    .await
}
