//! The operator's command.

use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{builder, entry, give_entry};

/// The command that lists entries.
const LIST: [&str; 2] = ["guest-book", "list"];

both_databases!(the_operator_sees_entries);
async fn the_operator_sees_entries(backend: Backend) {
    let shop = builder(backend).open().await;
    give_entry(&shop, shop.customer().await.id).await;
    assert!(shop.command(&LIST).await.expect_success().contains("A lovely shop."));
    let listed = shop.command(&[LIST[0], LIST[1], "--json"]).await.json();
    assert_eq!(listed["data"][0]["text"], "A lovely shop.");
}

both_databases!(the_command_is_not_there_while_the_module_is_off);
async fn the_command_is_not_there_while_the_module_is_off(backend: Backend) {
    let shop = TestShop::builder(backend).linked_module(entry()).open().await;
    shop.command(&LIST).await.expect_failure(2);
}
