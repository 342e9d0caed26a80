//! Pages and boxes that modules bring to the console.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{audit, browser, builder, submit};

const STOCK: &str = "/console/m/inventory/stock";

async fn stocked(backend: Backend) -> TestShop {
    let shop = builder(backend).config("[modules.inventory]\nenabled = true").open().await;
    let lamp = |sku: &str, quantity: i64| {
        json!({"type": "product", "slug": sku.to_lowercase(), "name": sku, "sku": sku, "price_amount": 2000,
               "capabilities": ["inventory"], "inventory": {"quantity": quantity}})
    };
    shop.stock(&[lamp("LAMP", 12), lamp("MUG", 2), lamp("VASE", 0)]).await;
    shop
}

both_databases!(stock_is_listed_counted_and_adjusted_by_forms_made_from_rule_tables);
async fn stock_is_listed_counted_and_adjusted_by_forms_made_from_rule_tables(backend: Backend) {
    let shop = stocked(backend).await;
    let mut warehouse = browser(&shop, "warehouse").await;
    let page = warehouse.get(STOCK).await.expect_status(200).text();
    assert!(page.contains("1–3 of 3") && page.contains("aria-current=\"page\">Stock<"), "{page}");
    let low = warehouse.get(&format!("{STOCK}?state=out")).await.expect_status(200).text();
    assert!(low.contains("VASE") && !low.contains("MUG"), "{low}");

    let adjust = format!("{STOCK}/adjust");
    let form = warehouse.get(&format!("{adjust}?sku=MUG")).await.expect_status(200).text();
    assert!(
        form.contains("name=\"sku\" value=\"MUG\"") && form.contains(">SKU<") && form.contains("<h1>Adjust</h1>"),
        "{form}"
    );
    let wrong = submit(&mut warehouse, &adjust, &adjust, &[("sku", "MUG"), ("change", "lots"), ("reason", "")]).await;
    let wrong = wrong.expect_status(422).text();
    assert!(wrong.contains("value=\"lots\"") && wrong.contains("must be a whole number"), "{wrong}");
    assert!(wrong.contains("role=\"alert\"") && wrong.contains("aria-invalid=\"true\""), "{wrong}");
    let unknown = [("sku", "NUG"), ("change", "1"), ("reason", "found")];
    let unknown = submit(&mut warehouse, &adjust, &adjust, &unknown).await.expect_status(422).text();
    assert!(unknown.contains("did you mean `MUG`"), "{unknown}");

    let change = [("sku", "MUG"), ("change", "3"), ("reason", "found three")];
    let done = submit(&mut warehouse, &adjust, &adjust, &change).await.expect_status(303);
    assert_eq!(done.header("location"), Some(STOCK));
    let told = warehouse.get(STOCK).await.expect_status(200).text();
    assert!(told.contains("MUG: 5 on hand, 0 reserved, 5 available."), "{told}");
    let again = warehouse.get(STOCK).await.expect_status(200).text();
    assert!(!again.contains("5 available."), "it is told once: {again}");
    let row = audit(&shop).await.into_iter().find(|row| row.act == "inventory.change").expect("a row");
    assert_eq!((row.actor.as_str(), row.subject.as_str()), ("staff:warehouse@shop.example", "sku:MUG"));
    assert!(row.before.is_some_and(|before| before.contains("\"on_hand\":2")), "what was before");
}

both_databases!(who_may_only_look_finds_no_acts_and_who_may_not_finds_no_entry);
async fn who_may_only_look_finds_no_acts_and_who_may_not_finds_no_entry(backend: Backend) {
    let shop = stocked(backend).await;
    let mut viewer = browser(&shop, "viewer").await;
    let page = viewer.get(STOCK).await.expect_status(200).text();
    assert!(page.contains("LAMP") && !page.contains("/adjust"), "{page}");
    viewer.get(&format!("{STOCK}/adjust")).await.expect_status(403);
    let mut accountant = browser(&shop, "accountant").await;
    let home = accountant.get("/console").await.expect_status(200).text();
    assert!(!home.contains(STOCK), "{home}");
    accountant.get(STOCK).await.expect_status(403);
    let answer = shop.browser().get(STOCK).await.expect_status(303);
    assert_eq!(answer.header("location"), Some("/console/login?next=%2Fconsole%2Fm%2Finventory%2Fstock"));
}

both_databases!(a_module_that_is_off_has_no_page_and_no_entry);
async fn a_module_that_is_off_has_no_page_and_no_entry(backend: Backend) {
    let shop = builder(backend).open().await;
    let mut owner = browser(&shop, "owner").await;
    owner.get(STOCK).await.expect_status(404);
    let home = owner.get("/console").await.expect_status(200).text();
    assert!(!home.contains("/m/inventory"), "{home}");
}

both_databases!(no_link_puts_words_into_a_page_and_the_console_begins_without_a_slash);
async fn no_link_puts_words_into_a_page_and_the_console_begins_without_a_slash(backend: Backend) {
    let shop = builder(backend).open().await;
    let mut owner = browser(&shop, "owner").await;
    let page = owner.get("/console/orders?done=Everything+is+lost").await.expect_status(200).text();
    assert!(!page.contains("Everything is lost"), "{page}");
    assert_eq!(owner.get("/console/").await.expect_status(303).header("location"), Some("/console"));
}
