//! The module's page of the operator's console: the entries of all customers.

use stoa_core::prelude::*;
use stoa_core::serde_json::Value;

use crate::model::Entry;
use crate::queries;

const MAY_VIEW: &str = "guest_book.view";
const MAY_DELETE: &str = "guest_book.delete";

/// Where the form of the page is sent to.
const TO_DELETE: &str = "/m/guest_book/entries/delete";

/// Registers the page with its form.
pub(crate) fn register(cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
    cx.console_ability(MAY_VIEW, "see entries of customers");
    cx.console_ability(MAY_DELETE, "delete entries of customers");
    let delete = form(MAY_DELETE, "Delete", MAY_DELETE, |chosen: Chosen, db: Db| async move {
        if delete(&db, chosen.entry).await? {
            return Ok("The entry is deleted.".into());
        }
        Err(Refused::because(&"it is gone already"))
    });
    let page = page("guest_book.entries", "Entries", MAY_VIEW, list);
    cx.console_page((), page.near(Menu::Customers).form(delete.hides(&["entry"])))
}

async fn list(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let counted = db.read(queries::COUNT_SOME).bind(MOST_COUNTED + 1).scalar().await?;
    let list = List::new("Entries", |entry: &Entry| entry.id)
        .empty("There are no entries yet. They appear here as soon as a customer writes one.")
        .column("Entry", |entry| Cell::from(&entry.text))
        .column("Written", |entry| entry.created_at)
        .act(MAY_DELETE, |entry| Some(RowAct::send("Delete", TO_DELETE, [("entry", entry.id.to_string())])));
    list.show(query, RowCount::of(counted), move |after, limit| {
        let db = db.clone();
        async move { db.read(queries::LIST_BELOW).bind(limit).bind(after).all().await }
    })
    .await
}

/// Which entry is deleted.
#[derive(Debug, Deserialize)]
struct Chosen {
    entry: i64,
}

impl Input for Chosen {
    const NAME: &'static str = "GuestBookEntryChosen";

    fn rules() -> Rules {
        Rules::new([field("entry").integer(1, i64::MAX).required()])
    }
}

/// Deletes an entry, and writes down who did; false where there is none.
async fn delete(db: &Db, id: i64) -> Result<bool, DbError> {
    db.write(async |tx| {
        let is_deleted = tx.run(queries::DELETE_ANYBODYS).bind(id).execute().await? > 0;
        if is_deleted {
            let entry = Subject::new("guest-book-entry", id);
            tx.audit_operator(MAY_DELETE, entry, Value::Null, Value::Null).await?;
        }
        Ok(is_deleted)
    })
    .await
}
