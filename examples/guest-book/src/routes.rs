//! The customer's own entries.

use stoa_core::prelude::*;
use stoa_core::serde_json::{Value, json};

use crate::model::{Entry, LONGEST, add_entry};
use crate::queries;

/// Where the routes are.
pub(crate) const PATH: &str = "/guest-book";

/// The body of a new entry.
#[derive(Debug, Deserialize)]
struct NewEntry {
    text: String,
}

impl Input for NewEntry {
    const NAME: &'static str = "GuestBookEntryInput";

    fn rules() -> Rules {
        Rules::new([field("text").required().multiline().max(LONGEST).describe("What the entry says.")])
    }
}

/// The first label of a route's name decides the ability. Reading and writing have labels of their own, so that a token can hold one
/// without the other.
pub(crate) fn register(cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
    cx.ability("guest-book", "guest_book.read")?;
    cx.ability("guest-book-entries", "guest_book.write")?;
    cx.routes((), entry_routes())
}

fn entry_routes() -> Routes<()> {
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
    json!({"id": 12, "text": "A lovely shop.", "created_at": "2027-01-31T09:00:00Z"})
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
    let entry = db.write(async |tx| add_entry(tx, customer.id, &new.text).await).await?;
    Ok(Created(entry))
}

async fn delete(customer: Customer, db: Db, Id(id): Id) -> ApiResult<Done> {
    let deleted = db
        .write(async |tx| -> ApiResult<u64> { Ok(tx.run(queries::DELETE).bind(id).bind(customer.id).execute().await?) })
        .await?;
    if deleted == 0 { Err(ApiError::not_found()) } else { Ok(Done::new()) }
}
