//! The list of payments, each with the newest attempt to make it.

use stoa_core::db::Db;
use stoa_core::payments::{PaymentRecord, PaymentSearch, PaymentStatus, count_payments, search_payments};
use stoa_kernel::console::{Cell, ConsoleAnswer, List, ListQuery};
use stoa_kernel::http::error::ApiResult;
use stoa_kernel::http::extract::Uses;

use crate::gateway_names::GatewayNames;

/// `GET /console/payments`.
pub(super) async fn show(Uses((db, names)): Uses<(Db, GatewayNames)>, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let search = PaymentSearch {
        order: query.parsed("order"),
        status: query.get("status").and_then(|status| PaymentStatus::try_from(status.to_owned()).ok()),
        gateway: query.get("gateway").map(str::to_owned),
        ..PaymentSearch::default()
    };
    let counted = count_payments(&db, &search).await?;
    let through = names.clone();
    let list = List::new("Payments", |record: &PaymentRecord| record.payment.order_id)
        .about("A payment is what is owed for an order; it may be tried several times.")
        .way("payments.view", "Callbacks", "/payments/callbacks")
        .text("order", "Order", "O-000042")
        .choice("status", "Status", PaymentStatus::ALL.iter().map(|status| status.as_str()))
        .named_choice("gateway", "Gateway", names.choices())
        .empty("There are no payments yet. Each order that costs something has one.")
        .column("Payment", |record| {
            let number = record.order_number().to_string();
            let path = format!("/payments/{number}");
            Cell::link(number, path)
        })
        .column("Status", |record| Cell::state(record.payment.status.as_str()))
        .column("Through", move |record| record.payment.gateway.as_deref().map(|id| through.of(id)))
        .column("Newest attempt", move |record| {
            let status = record.attempt_status.clone().map(Cell::state);
            status.map(|status| status.over(record.attempt_gateway.as_deref().map(|id| names.of(id))))
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
