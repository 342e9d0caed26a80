//! `stoa inventory …`

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::orders::{OrderNumber, ShipmentLine, ship_order};
use stoa_core::payments::{Payments, record_payment};
use stoa_core::testing::both_databases;

use crate::kit::{assert_clean, counted, id, order, product, shop, stock};

both_databases!(stock_is_set_adjusted_and_shown);
async fn stock_is_set_adjusted_and_shown(backend: Backend) {
    let shop = shop(backend, &[product("mug", &json!({"sku": "MUG"})), product("bare", &json!({}))]).await;
    let set = shop.command(&["inventory", "set", "MUG", "5"]).await.expect_success();
    assert_eq!(set, "MUG: 5 on hand, 0 reserved, 5 available\n");
    shop.command(&["inventory", "set", "bare", "2", "--json"]).await.expect_success();
    order(&shop, "mug", 3).await;
    let shown = shop.command(&["inventory", "show", "MUG", "--json"]).await.json();
    assert_eq!(
        shown,
        json!({"sku": "MUG", "on_hand": 5, "reserved": 3, "available": 2, "backorder": false, "tracked": true,
               "availability": "low_stock", "products": ["mug"]})
    );
    shop.command(&["inventory", "adjust", "MUG", "-1", "--reason", "broken"]).await.expect_success();
    assert_eq!(stock(&shop, "MUG").await, (4, 3, 1));
    // Fewer are there than are promised: told, and kept.
    let set = shop.command(&["inventory", "set", "MUG", "1"]).await.expect_success();
    assert!(set.contains("orders hold 2 more than there are"), "{set}");
    assert_clean(&shop).await;
    let low = shop.command(&["inventory", "low", "--json"]).await.json();
    assert_eq!(low["data"].as_array().map(Vec::len), Some(2));
    assert_eq!((&low["data"][0]["sku"], &low["data"][0]["available"]), (&json!("MUG"), &json!(-2)));
    let low = shop.command(&["inventory", "low", "--threshold", "1"]).await.expect_success();
    assert!(low.contains("MUG") && !low.contains("bare"), "{low}");
    let list = shop.command(&["inventory", "list", "--json"]).await.json();
    assert_eq!(list["data"][1]["sku"], "bare");
    let on = shop.command(&["inventory", "backorder", "bare", "on", "--json"]).await.json();
    assert_eq!(on["backorder"], true);
    order(&shop, "bare", 7).await;
    assert_eq!(stock(&shop, "bare").await, (2, 7, -5));
    assert_clean(&shop).await;
}

// The events wait for a worker; whoever looks sees what is.
both_databases!(the_command_shows_what_was_sent_a_moment_ago);
async fn the_command_shows_what_was_sent_a_moment_ago(backend: Backend) {
    let unsent = json!({"capabilities": [], "modules": {"inventory": {"quantity": 4}}});
    let shop = shop(backend, &[counted("mug", 5), product("voucher", &unsent)]).await;
    for (slug, expected) in [("mug", (4, 1, 3)), ("voucher", (2, 0, 2))] {
        let placed = order(&shop, slug, 2).await;
        record_payment(&Payments::from_shop(&shop.parts), id(&placed)).await.expect("it is paid");
        if slug == "mug" {
            let item_id = placed["items"][0]["id"].as_i64().expect("an id");
            let lines = [ShipmentLine { item_id, quantity: 1 }];
            ship_order(&shop.parts.db, OrderNumber::of(id(&placed)), &lines, None).await.expect("it is sent");
        }
        shop.command(&["inventory", "show", slug]).await.expect_success();
        assert_eq!(stock(&shop, slug).await, expected);
        shop.run_jobs().await;
        assert_eq!(stock(&shop, slug).await, expected, "and the events change nothing more");
    }
    assert_clean(&shop).await;
}

both_databases!(what_cannot_be_is_refused);
async fn what_cannot_be_is_refused(backend: Backend) {
    let shop = shop(backend, &[counted("mug", 2), product("bare", &json!({"sku": "BARE"}))]).await;
    let told = shop.command(&["inventory", "set", "mgu", "5"]).await.expect_failure(1);
    assert!(told.contains("no product is sold by `mgu`; did you mean `mug`?"), "{told}");
    // It has a SKU, so its slug is none.
    shop.command(&["inventory", "set", "bare", "5"]).await.expect_failure(1);
    for unknown in [["inventory", "show", "none"], ["inventory", "history", "none"], ["inventory", "forget", "none"]] {
        shop.command(&unknown).await.expect_failure(1);
    }
    let told = shop.command(&["inventory", "adjust", "mug", "-3", "--reason", "gone"]).await.expect_failure(1);
    assert!(told.contains("mug has 2 on hand, which -3 would make -1"), "{told}");
    for usage in [
        ["inventory", "set", "mug", "-1"].as_slice(),
        &["inventory", "set", "mug", "many"],
        &["inventory", "set", "mug", "99999999999999999999"],
        &["inventory", "set", "mug"],
        &["inventory", "adjust", "mug", "1"],
        &["inventory", "adjust", "mug", "9223372036854775807", "--reason", "x"],
        &["inventory", "history", "mug", "--limit", "0"],
    ] {
        shop.command(usage).await.expect_failure(2);
    }
    shop.command(&["inventory", "adjust", "mug", "1000000000", "--reason", "x"]).await.expect_failure(1);
    assert_eq!(stock(&shop, "mug").await, (2, 0, 2));
    assert_clean(&shop).await;
}

both_databases!(a_file_of_counts_is_taken_over);
async fn a_file_of_counts_is_taken_over(backend: Backend) {
    let lines = [counted("mug", 2), counted("cup", 3), product("book", &json!({}))];
    let shop = shop(backend, &lines).await;
    let file = shop.folder().join("count.csv");
    std::fs::write(&file, "sku,quantity\nmug,7\nnone,1\ncup,x\nbook,4\nmug,9\ncup,-1\n").expect("it is written");
    let tried = shop.command(&["inventory", "import", "count.csv", "--dry-run"]).await;
    assert_eq!((tried.code, tried.output.as_str()), (1, "would be taken 2, refused 4\n"));
    assert_eq!(stock(&shop, "mug").await, (2, 0, 2));
    let taken = shop.command(&["inventory", "import", "count.csv"]).await;
    assert_eq!((taken.code, taken.output.as_str()), (1, "taken 2, refused 4\n"));
    for line in ["line 3: no product", "line 4: `x`", "line 6: `mug` stands in line 2", "line 7: -1"] {
        assert!(taken.error.contains(&format!("count.csv: {line}")), "{line}: {}", taken.error);
    }
    assert_eq!((stock(&shop, "mug").await.0, stock(&shop, "cup").await.0, stock(&shop, "book").await.0), (7, 3, 4));
    std::fs::write(&file, "quantity;sku\n+2;mug\n-3;cup\n").expect("it is written");
    let delta = ["inventory", "import", "count.csv", "--delta", "--reason", "delivery 17", "--json"];
    let summary = shop.command(&delta).await.json();
    assert_eq!(summary, json!({"taken": 2, "refused": 0, "rejections": []}));
    assert_eq!((stock(&shop, "mug").await.0, stock(&shop, "cup").await.0), (9, 0));
    let history = shop.command(&["inventory", "history", "cup", "--json"]).await.json();
    assert_eq!(
        history["data"].as_array().and_then(|all| all.last()).map(|last| &last["reason"]),
        Some(&json!("delivery 17"))
    );
    shop.command(&["inventory", "import", "missing.csv"]).await.expect_failure(1);
    std::fs::write(&file, "mug,7\n").expect("it is written");
    let told = shop.command(&["inventory", "import", "count.csv"]).await.expect_failure(1);
    assert!(told.contains("must name the columns `sku` and `quantity`"), "{told}");
    assert_clean(&shop).await;
}
