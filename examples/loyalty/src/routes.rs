//! `/loyalty`: a customer's own points.

use serde_json::{Value, json};
use stoa_core::prelude::*;

use crate::config::Config;
use crate::model::{Account, Entry, ShownAccount, WantedInput};
use crate::queries;

/// Redeeming has a prefix and an ability of its own.
pub(crate) fn of_customers() -> Routes<Config> {
    routes()
        .get("loyalty.show", "/loyalty", show)
        .summary("Read own points and what they are worth")
        .example(example)
        .get("loyalty.entries", "/loyalty/entries", entries)
        .summary("List what has changed own points")
        .description("The newest first.")
        .example(|| {
            let entry = json!({"id": 8, "order_id": 12, "kind": "earned", "points": 49, "reason": null,
                               "created_at": "2027-01-31T09:00:00Z"});
            example_page("/loyalty/entries", &entry)
        })
        .post("loyalty-redeeming.store", "/loyalty/wanted", want)
        .summary("Say how many points to redeem with the next order")
        .description("They are a line below zero of `added_lines`, in the totals before the order and in the order.")
        .body_example(|| json!({"points": 100}))
        .example(example)
}

fn example() -> Value {
    json!({"data": {"points": 250, "worth_amount": 250, "wanted": 100, "wanted_amount": 100, "currency": "EUR"}})
}

async fn shown(config: Config, customer: &Customer, (db, currency): (Db, Currency)) -> ApiResult<Data<ShownAccount>> {
    let account = db.read(queries::FIND_ACCOUNT).bind(customer.id).optional::<Account>().await?;
    Ok(Data(ShownAccount::of(account.unwrap_or_default(), &config, currency)))
}

async fn show(
    State(config): State<Config>,
    customer: Customer,
    Uses(uses): Uses<(Db, Currency)>,
) -> ApiResult<Data<ShownAccount>> {
    shown(config, &customer, uses).await
}

async fn entries(customer: Customer, db: Db, page: PageRequest) -> ApiResult<Paged<Entry>> {
    let total = db.read(queries::COUNT_ENTRIES).bind(customer.id).scalar::<i64>().await?;
    let entries = db.read(queries::LIST_ENTRIES).bind(customer.id).bind(page.limit()).bind(page.offset());
    Ok(page.answer(entries.all().await?, total))
}

async fn want(
    State(config): State<Config>,
    customer: Customer,
    Uses(uses): Uses<(Db, Currency)>,
    Body(input): Body<WantedInput>,
) -> ApiResult<Data<ShownAccount>> {
    let want = async |tx: &mut Tx| tx.run(queries::WANT).bind(customer.id).bind(input.points).execute().await;
    if uses.0.write(want).await? == 0 && input.points > 0 {
        return Err(ApiError::invalid_field("points", text!("loyalty-too-many")));
    }
    shown(config, &customer, uses).await
}
