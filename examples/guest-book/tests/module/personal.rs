//! What becomes of what is kept about a person.

use stoa_core::customers::anonymize_customer;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::shelf::{builder, give_entry, texts};

both_databases!(entries_go_with_their_customer_and_are_told_before);
async fn entries_go_with_their_customer_and_are_told_before(backend: Backend) {
    let shop = builder(backend).open().await;
    let (ada, eve) = (shop.customer().await, shop.customer().await);
    for customer in [&ada, &eve] {
        give_entry(&shop, customer.id).await;
    }
    assert_eq!(texts(&shop, ada.id).await, ["A lovely shop."]);
    anonymize_customer(&shop.parts.db, ada.id).await.expect("it is done");
    assert_eq!((texts(&shop, ada.id).await.len(), texts(&shop, eve.id).await.len()), (0, 1));
}
