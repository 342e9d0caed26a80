//! `/subscriptions`: the customer's own subscriptions.

use std::sync::Arc;

use serde_json::{Value, json};
use stoa_core::http::extract::Uses;
use stoa_core::money::MoneyFormatter;
use stoa_core::prelude::*;

use crate::cancelling::{cancel, resume};
use crate::config::Config;
use crate::model::Subscription;
use crate::queries;
use crate::resource::{SubscriptionResource, shown};

pub(crate) fn subscription_routes() -> Routes<Config> {
    routes()
        .get("subscriptions.index", "/subscriptions", index)
        .summary("List own subscriptions")
        .description("The newest first, one for each unit that was bought.")
        .example(|| example_page("/subscriptions", &example()))
        .get("subscriptions.show", "/subscriptions/{subscription}", show)
        .summary("Read an own subscription")
        .description(
            "`current_period_start` and `current_period_end` are those of the latest period that is paid. A renewal is an \
             order like every other: while it waits to be paid, `renewal_order_id` names it.",
        )
        .example(|| json!({"data": example()}))
}

/// What a customer does with a subscription: as whoever places orders, since that is what it undoes.
pub(crate) fn change_routes() -> Routes<Config> {
    routes()
        .post("subscription-changes.cancel", "/subscriptions/{subscription}/cancel", cancel_own)
        .summary("Cancel an own subscription")
        .description(
            "It ends with the period that is paid, until which the cancellation can be taken back; one that is overdue ends at once. \
             Once more changes nothing. 409 has the reasons `not_begun`, while its order is not paid, and `over`.",
        )
        .example(|| json!({"data": example()}))
        .fails_with(&[409])
        .post("subscription-changes.resume", "/subscriptions/{subscription}/resume", resume_own)
        .summary("Take back the cancellation of an own subscription")
        .description("409 has the reasons `not_cancelled` and `over`.")
        .example(|| json!({"data": example()}))
        .fails_with(&[409])
}

fn example() -> Value {
    json!({
        "id": 42, "number": "S-000042", "status": "active",
        "product": {"id": 7, "slug": "tea-of-the-month", "name": "Tea of the month"},
        "interval": "month", "interval_count": 1, "trial_days": 0, "price_amount": 1995, "price_formatted": "€19.95",
        "currency": "EUR", "current_period_start": "2026-01-31T12:00:00Z", "current_period_end": "2026-02-28T12:00:00Z",
        "next_billing_at": "2026-02-21T12:00:00Z", "cancel_at_period_end": false, "order_id": 12,
        "renewal_order_id": null,
    })
}

async fn index(
    State(config): State<Config>,
    buyer: Buyer,
    db: ListDb,
    Uses(money): Uses<Arc<MoneyFormatter>>,
    page: PageRequest,
) -> ApiResult<Paged<SubscriptionResource>> {
    let total = db.read(queries::COUNT_OF_CUSTOMER).bought_by(buyer).scalar::<i64>().await?;
    let found = db.read(queries::PAGE_OF_CUSTOMER).bought_by(buyer).bind(page.limit()).bind(page.offset());
    let found = found.all::<Subscription>().await?;
    Ok(page.answer(shown(found, &config, &db, &money).await?, total))
}

async fn show(
    State(config): State<Config>,
    buyer: Buyer,
    db: ListDb,
    Uses(money): Uses<Arc<MoneyFormatter>>,
    Id(id): Id,
) -> ApiResult<Data<SubscriptionResource>> {
    show_own(&config, &db, &money, buyer, id).await
}

async fn show_own(
    config: &Config,
    db: &Db,
    money: &MoneyFormatter,
    buyer: Buyer,
    id: i64,
) -> ApiResult<Data<SubscriptionResource>> {
    let found = db.read(queries::FIND_OF_CUSTOMER).bought_by(buyer).bind(id).optional::<Subscription>();
    let found = found.await?.ok_or_else(ApiError::not_found)?;
    let shown = shown(vec![found], config, db, money).await?.pop();
    Ok(Data(shown.ok_or_else(ApiError::not_found)?))
}

async fn cancel_own(
    State(config): State<Config>,
    customer: Customer,
    Uses((db, money)): Uses<(Db, Arc<MoneyFormatter>)>,
    Id(id): Id,
) -> ApiResult<Data<SubscriptionResource>> {
    find_own(&db, customer, id).await?;
    db.write(async |tx| cancel(tx, &config, id, false).await).await?;
    show_own(&config, &db, &money, customer.into(), id).await
}

async fn resume_own(
    State(config): State<Config>,
    customer: Customer,
    Uses((db, money)): Uses<(Db, Arc<MoneyFormatter>)>,
    Id(id): Id,
) -> ApiResult<Data<SubscriptionResource>> {
    find_own(&db, customer, id).await?;
    db.write(async |tx| resume(tx, &config, id).await).await?;
    show_own(&config, &db, &money, customer.into(), id).await
}

async fn find_own(db: &Db, customer: Customer, id: i64) -> ApiResult<Subscription> {
    let found = db.read(queries::FIND_OF_CUSTOMER).bought_by(customer.into()).bind(id).optional::<Subscription>();
    found.await?.ok_or_else(ApiError::not_found)
}
