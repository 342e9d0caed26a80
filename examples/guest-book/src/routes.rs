//! The customer's own entries.

use stoa_core::prelude::*;
use stoa_core::serde_json::{Value, json};

use crate::model::{Entry, NewEntry};
use crate::queries;

/// Where the routes are.
const PATH: &str = "/guest-book";

/// The first label of a route's name decides the ability.
pub(crate) fn entry_routes() -> Routes<()> {
    routes()
        .get("guest-book.index", PATH, index)
        .summary("List own entries")
        .description("The newest first.")
        .example(|| example_page(PATH, &example()))
        .get("guest-book.show", "/guest-book/{entry}", show)
        .summary("Read an entry")
        .example(|| json!({"data": example()}))
        .post("guest-book-entries.store", PATH, store)
        .summary("Write an entry")
        .body_example(|| json!({"text": "A lovely shop."}))
        .example(example)
        .delete("guest-book-entries.delete", "/guest-book/{entry}", delete)
        .summary("Delete an entry")
        .example(|| json!({"ok": true}))
}

/// An entry, for the document.
fn example() -> Value {
    json!({"id": 12, "order_item_id": null, "text": "A lovely shop.", "created_at": "2027-01-31T09:00:00Z"})
}

async fn index(customer: Customer, db: Db, page: PageRequest) -> ApiResult<Paged<Entry>> {
    let total = db.read(queries::COUNT).bind(customer.id).scalar::<i64>().await?;
    let entries = db.read(queries::LIST).bind(customer.id).bind(page.limit()).bind(page.offset());
    Ok(page.answer(entries.all().await?, total))
}

async fn show(customer: Customer, db: Db, Id(id): Id) -> ApiResult<Data<Entry>> {
    let entry = db.read(queries::FIND).bind(id).bind(customer.id).optional().await?;
    Ok(Data(entry.ok_or_else(ApiError::not_found)?))
}

async fn store(customer: Customer, db: Db, Body(new): Body<NewEntry>) -> ApiResult<Created<Entry>> {
    if new.text.contains("://") {
        return Err(ApiError::invalid_field("text", text!("guest-book-no-addresses")));
    }
    let entry = db
        .write(async |tx| -> ApiResult<Entry> {
            let now = tx.now();
            Ok(tx.run(queries::INSERT).bind(customer.id).bind(new.text.as_str()).bind(now).one().await?)
        })
        .await?;
    Ok(Created(entry))
}

async fn delete(customer: Customer, db: Db, Id(id): Id) -> ApiResult<Done> {
    let deleted = db
        .write(async |tx| -> ApiResult<u64> { Ok(tx.run(queries::DELETE).bind(id).bind(customer.id).execute().await?) })
        .await?;
    if deleted == 0 { Err(ApiError::not_found()) } else { Ok(Done::new()) }
}
