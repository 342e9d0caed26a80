//! The page by which customers withdraw from a contract.

use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::kit::{browser, builder, buy_a_book, goods, shop};

both_databases!(an_order_is_withdrawn_from_in_two_steps);
async fn an_order_is_withdrawn_from_in_two_steps(backend: Backend) {
    let shop = builder(backend).config("[shop]\nconsumer_rights = \"eu\"").open().await;
    shop.stock(&goods()).await;
    let mut ada = browser(&shop);
    buy_a_book(&mut ada).await;
    let fields = [("order_number", "O-000001"), ("email", "ada@example.com")];
    let first = ada.submit("/withdrawal", &fields).await.expect_status(200).text();
    assert!(first.contains("Confirm withdrawal"), "{first}");
    let mut confirmed = fields.to_vec();
    confirmed.push(("confirm", "1"));
    let done = ada.submit("/withdrawal", &confirmed).await.expect_status(200).text();
    assert!(done.contains("We have received your withdrawal"), "{done}");
}

both_databases!(a_shop_without_that_right_has_no_such_page);
async fn a_shop_without_that_right_has_no_such_page(backend: Backend) {
    let shop = shop(backend).await;
    browser(&shop).get("/withdrawal").await.expect_status(404);
}
