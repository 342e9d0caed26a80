//! The shop's currency, which its database keeps.

use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::sql;
use stoa_core::testing::both_databases;

use super::order::Sold;
use super::place::{ShopFolder, found};
use super::stock::{serve, stop};

const DOLLARS: (&str, &str) = ("STOA_SHOP__CURRENCY", "USD");

const LAMP: &str = r#"{"type": "product", "slug": "lamp", "name": "Lamp", "price_amount": 2000}"#;

/// What the last release has left behind: a database that nothing was noted in.
const FORGET: Sql = sql!("DELETE FROM installation WHERE name = 'currency'");

async fn forget(place: &ShopFolder) {
    let db = place.db().await;
    let forgotten = db.write(async |tx| -> Result<u64, DbError> { tx.run(FORGET).execute().await }).await;
    assert_eq!(forgotten.expect("it is written"), 1, "no currency was noted");
    db.close().await;
}

async fn refused_everywhere(place: &ShopFolder, amounts: &str) {
    for command in
        [&["serve"][..], &["worker"], &["migrate"], &["import", "c.jsonl"], &["import", "c.jsonl", "--dry-run"]]
    {
        place.run(command).await.refused(2, &["`shop.currency` is USD", "EUR", amounts, "shop.currency = \"EUR\""]);
    }
    let findings = place.run(["check", "--json"]).await;
    assert_eq!(findings.code, 1);
    assert!(found(&findings.data(), "currency", "failure"), "{findings:?}");
    place.run(["check"]).await.refused(1, &["currency", amounts]);
    assert!(found(&place.run(["doctor", "--json"]).await.data(), "currency", "failure"));
}

both_databases!(another_currency_stops_a_shop_that_has_prices);
async fn another_currency_stops_a_shop_that_has_prices(backend: Backend) {
    let place = ShopFolder::migrated(backend).await;
    place.write("c.jsonl", LAMP);
    place.run(["import", "c.jsonl"]).await.succeeded();
    place.run(["discount", "create", "FIVE", "--amount", "500"]).await.succeeded();
    let place = place.variable(DOLLARS.0, DOLLARS.1);
    refused_everywhere(&place, "1 product with a price, 1 discount code with an amount").await;
    for command in
        [&["product", "set", "lamp", "--price", "100"][..], &["discount", "create", "SIX", "--amount", "600"]]
    {
        place.run(command).await.refused(2, &["`shop.currency` is USD"]);
    }
    let shown = place.run(["product", "show", "lamp"]).await.succeeded().out;
    assert!(shown.contains("€20.00") && !shown.contains('$'), "{shown}");
    let listed = place.run(["discount", "list"]).await.succeeded().out;
    assert!(listed.contains("5.00 EUR") && !listed.contains("USD"), "{listed}");
    let place = place.variable(DOLLARS.0, "EUR");
    let (shop, _) = serve(&place).await;
    stop(shop).await;
}

both_databases!(another_currency_stops_a_shop_that_has_orders_and_each_amount_is_shown_in_its_own);
async fn another_currency_stops_a_shop_that_has_orders_and_each_amount_is_shown_in_its_own(backend: Backend) {
    let sold = Sold::on(backend).await;
    let order = sold.order(&[("lamp", 2)]).await;
    sold.pay(&order).await;
    let id = order["id"].to_string();
    sold.place.run(["order", "refund", &id, "--amount", "500", "--reason", "Late"]).await.succeeded();
    // As in a database of the last release: the orders say it.
    forget(&sold.place).await;
    let place = sold.place.variable(DOLLARS.0, DOLLARS.1);
    place.write("c.jsonl", LAMP);
    refused_everywhere(&place, "1 order, 3 products with prices").await;
    for command in [
        &["order", "list"][..],
        &["order", "show", &id],
        &["payment", "list"],
        &["payment", "show", "1"],
        &["invoice", "list"],
        &["invoice", "show", "1"],
        &["credit-note", "list"],
        &["credit-note", "show", "1"],
    ] {
        let shown = place.run(command).await.succeeded().out;
        assert!(shown.contains('€') && !shown.contains('$'), "{command:?}: {shown}");
    }
    let shown = place.run(["order", "show", &id, "--json"]).await.succeeded().json();
    assert_eq!(shown["total_formatted"], "€40.00");
    let told = place.run(["order", "refund", &id, "--line", "1:1", "--reason", "Broken"]).await.succeeded().out;
    assert!(told.contains('€') && !told.contains('$'), "{told}");
}

both_databases!(an_empty_shop_may_change_its_currency);
async fn an_empty_shop_may_change_its_currency(backend: Backend) {
    let place = ShopFolder::migrated(backend).await.variable(DOLLARS.0, DOLLARS.1);
    place.run(["check"]).await.succeeded();
    let (shop, _) = serve(&place).await;
    stop(shop).await;
    place.write("c.jsonl", LAMP);
    place.run(["import", "c.jsonl"]).await.succeeded();
    let place = place.variable(DOLLARS.0, "EUR");
    place.run(["serve"]).await.refused(2, &["`shop.currency` is EUR", "USD", "1 product with a price"]);
}

both_databases!(a_shop_of_the_last_release_without_orders_keeps_what_is_configured);
async fn a_shop_of_the_last_release_without_orders_keeps_what_is_configured(backend: Backend) {
    let place = ShopFolder::migrated(backend).await;
    place.write("c.jsonl", LAMP);
    place.run(["import", "c.jsonl"]).await.succeeded();
    forget(&place).await;
    let (shop, _) = serve(&place).await;
    stop(shop).await;
    let place = place.variable(DOLLARS.0, DOLLARS.1);
    place.run(["serve"]).await.refused(2, &["EUR"]);
}
