//! What staff see and do in the console.

use std::sync::Arc;

use stoa_core::db::{Backend, Sql};
use stoa_core::serde_json::Value;
use stoa_core::sql;
use stoa_core::testing::{TestShop, both_databases, staff_browser, submit_from};

use crate::shelf::{builder, give_entry, texts};

const PAGE: &str = "/console/m/guest_book/entries";
const FORM: &str = "/console/m/guest_book/entries/delete";

const AUDITED: Sql = sql!(
    "SELECT actor, subject FROM audit_log
     WHERE act = 'guest_book.delete'"
);

/// A shop with a console.
async fn shop(backend: Backend) -> TestShop {
    builder(backend).console(Arc::new(stoa_console::register)).open().await
}

both_databases!(staff_delete_an_entry_and_it_is_written_down_who_did);
async fn staff_delete_an_entry_and_it_is_written_down_who_did(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let mut owner = staff_browser(&shop, "owner").await;
    assert!(owner.get(PAGE).await.expect_status(200).text().contains("There are no entries yet."));
    give_entry(&shop, customer.id).await;
    let page = owner.get(PAGE).await.expect_status(200).text();
    assert!(page.contains("A lovely shop."), "{page}");
    submit_from(&mut owner, PAGE, FORM, &[("entry", "1")]).await.expect_status(303);
    assert_eq!(texts(&shop, customer.id).await, [Value::Null; 0]);
    let audited = shop.parts.db.read(AUDITED).one::<(String, String)>().await.expect("it is written down");
    let expected = ("staff:owner@shop.example", "guest-book-entry:1");
    assert_eq!((audited.0.as_str(), audited.1.as_str()), expected);
    let gone = submit_from(&mut owner, PAGE, FORM, &[("entry", "1")]).await.expect_status(409).text();
    assert!(gone.contains("t is gone already"), "{gone}");
}

both_databases!(whoever_may_only_look_deletes_nothing);
async fn whoever_may_only_look_deletes_nothing(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    give_entry(&shop, customer.id).await;
    let mut viewer = staff_browser(&shop, "viewer").await;
    let page = viewer.get(PAGE).await.expect_status(200).text();
    assert!(page.contains("A lovely shop.") && !page.contains(FORM), "{page}");
    submit_from(&mut viewer, PAGE, FORM, &[("entry", "1")]).await.expect_status(403);
    assert_eq!(texts(&shop, customer.id).await.len(), 1);
}
