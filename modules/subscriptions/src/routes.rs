//! `/subscriptions`: the customer's own subscriptions.

use std::sync::Arc;

use serde_json::{Value, json};
use stoa_core::http::extract::Uses;
use stoa_core::money::MoneyFormatter;
use stoa_core::prelude::*;

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
    customer: Customer,
    Uses((db, money)): Uses<(Db, Arc<MoneyFormatter>)>,
    page: PageRequest,
) -> ApiResult<Paged<SubscriptionResource>> {
    let total = db.read(queries::COUNT_OF_CUSTOMER).bind(customer.id).scalar::<i64>().await?;
    let found = db.read(queries::PAGE_OF_CUSTOMER).bind(customer.id).bind(page.limit()).bind(page.offset());
    let found = found.all::<Subscription>().await?;
    Ok(page.answer(shown(found, &config, &db, &money).await?, total))
}

async fn show(
    State(config): State<Config>,
    customer: Customer,
    Uses((db, money)): Uses<(Db, Arc<MoneyFormatter>)>,
    Id(id): Id,
) -> ApiResult<Data<SubscriptionResource>> {
    let found = db.read(queries::FIND_OF_CUSTOMER).bind(id).bind(customer.id).optional::<Subscription>();
    let found = found.await?.ok_or_else(ApiError::not_found)?;
    let shown = shown(vec![found], &config, &db, &money).await?.pop();
    Ok(Data(shown.ok_or_else(ApiError::not_found)?))
}
