//! `GET /products` and `GET /products/{slug}` (S2.1, S4.2 rules 1 to 4).

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{category, column, product};

/// Sixty products, three pages of 24.
fn sixty() -> Vec<Value> {
    (1..=60).map(|n| product(&format!("item-{n:02}"), &json!({"name": format!("Item {n:02}")}))).collect()
}

both_databases!(a_product_shows_every_field_of_the_specification);
async fn a_product_shows_every_field_of_the_specification(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let lines = [
        category("lamps", &json!({"name": "Lamps"})),
        product(
            "desk-lamp",
            &json!({
                "name": "Desk lamp", "subtitle": "Warm", "sku": "L-1", "description": "Two\nlines", "price_amount": 4900,
                "category": "lamps", "images": ["https://img.example/a.jpg", "demo/b c.svg"], "capabilities": ["shippable"],
                "options": [
                    {"key": "color", "label": "Color", "type": "select", "required": true, "choices": [
                        {"value": "red", "label": "Red", "price_adjustment_amount": 100},
                        {"value": "old", "label": "Old", "active": false}]},
                    {"key": "note", "label": "Note", "type": "text"},
                    {"key": "gone", "label": "Gone", "type": "toggle", "active": false}],
            }),
        ),
    ];
    shop.stock(&lines).await;
    let body = shop.client().get("/products/desk-lamp").await.expect_status(200).json();
    let category_id = body["data"]["category"]["id"].as_i64().expect("a category has an id");
    let id = body["data"]["id"].as_i64().expect("a product has an id");
    assert_eq!(
        body["data"],
        json!({
            "id": id, "name": "Desk lamp", "slug": "desk-lamp", "subtitle": "Warm", "sku": "L-1",
            "description": "Two\nlines",
            "price": {"amount": 4900, "currency": "EUR", "formatted": "€49.00"},
            "compare_at_amount": null, "lowest_recent_amount": null, "unit_price": null, "brand": null, "gtin": null,
            "weight_grams": null, "safety": null,
            "category": {"id": category_id, "name": "Lamps", "slug": "lamps"},
            "images": ["https://img.example/a.jpg", "http://shop.test/media/demo/b%20c.svg"],
            "capabilities": ["shippable"],
            "options": [
                {"key": "color", "label": "Color", "type": "select", "required": true,
                 "choices": [{"value": "red", "label": "Red", "price_adjustment_amount": 100,
                              "price_adjustment_formatted": "€1.00"}]},
                {"key": "note", "label": "Note", "type": "text", "required": false, "choices": []}],
            "availability": null, "details": {},
        })
    );
}

both_databases!(what_is_not_configured_is_null_or_empty);
async fn what_is_not_configured_is_null_or_empty(backend: Backend) {
    let shop = TestShop::new(backend).await;
    shop.stock(&[product("plain", &json!({"price_amount": 0}))]).await;
    let data = shop.client().get("/products/plain").await.expect_status(200).json()["data"].clone();
    for member in ["subtitle", "sku", "description", "category"] {
        assert_eq!(data[member], Value::Null, "{member}");
    }
    for member in ["images", "capabilities", "options"] {
        assert_eq!(data[member], json!([]), "{member}");
    }
    assert_eq!(data["price"]["amount"], 0);
}

both_databases!(all_six_option_types_are_shown);
async fn all_six_option_types_are_shown(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let types = ["select", "radio", "checkbox", "toggle", "text", "number"];
    let options = types.map(|kind| {
        let choices = if ["select", "radio", "checkbox"].contains(&kind) {
            json!([{"value": "a", "label": "A"}])
        } else {
            json!([])
        };
        json!({"key": kind, "label": kind, "type": kind, "choices": choices})
    });
    shop.stock(&[product("all", &json!({"options": options}))]).await;
    let data = shop.client().get("/products/all").await.json()["data"].clone();
    let shown = data["options"].as_array().expect("options").iter().map(|option| option["type"].clone());
    assert_eq!(shown.collect::<Vec<_>>(), types.map(Value::from));
}

both_databases!(products_are_sorted_by_folded_name_then_id);
async fn products_are_sorted_by_folded_name_then_id(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let named = |slug: &str, name: &str| product(slug, &json!({"name": name}));
    let lines = [
        named("second-twin", "twin"),
        named("zebra", "Zebra"),
        named("apple", "apple"),
        named("first-of-others", "TWIN"),
        named("umlaut", "Äpfel"),
    ];
    shop.stock(&lines).await;
    let body = shop.client().get("/products").await.json();
    assert_eq!(column(&body, "slug"), ["apple", "second-twin", "first-of-others", "zebra", "umlaut"]);
}

both_databases!(pages_have_24_products_and_all_pagination_members);
async fn pages_have_24_products_and_all_pagination_members(backend: Backend) {
    let shop = TestShop::new(backend).await;
    shop.stock(&sixty()).await;
    let body = shop.client().get("/products?q=Item&page=2").await.expect_status(200).json();
    assert_eq!(column(&body, "name").first().map(String::as_str), Some("Item 25"));
    assert_eq!(column(&body, "name").len(), 24);
    let base = "http://shop.test/api/v1/products?q=Item&page=";
    assert_eq!(
        body["links"],
        json!({"first": format!("{base}1"), "last": format!("{base}3"), "prev": format!("{base}1"),
               "next": format!("{base}3")})
    );
    let meta = &body["meta"];
    for (member, value) in
        [("current_page", 2), ("from", 25), ("to", 48), ("last_page", 3), ("per_page", 24), ("total", 60)]
    {
        assert_eq!(meta[member], value, "{member}");
    }
    assert_eq!(meta["path"], "http://shop.test/api/v1/products");
}

both_databases!(no_page_number_makes_the_list_fail);
async fn no_page_number_makes_the_list_fail(backend: Backend) {
    let shop = TestShop::new(backend).await;
    shop.stock(&sixty()).await;
    for page in ["0", "-1", "abc", "", "%00", "1.5", "+1", "%2B2"] {
        let body = shop.client().get(&format!("/products?page={page}")).await.expect_status(200).json();
        assert_eq!(body["meta"]["current_page"], 1, "{page}");
        assert_eq!(column(&body, "slug").len(), 24, "{page}");
    }
    for page in ["4", "1000", "9223372036854775807", "99999999999999999999"] {
        let body = shop.client().get(&format!("/products?page={page}")).await.expect_status(200).json();
        assert_eq!(body["data"], json!([]), "{page}");
        assert_eq!((&body["meta"]["from"], &body["meta"]["to"]), (&Value::Null, &Value::Null), "{page}");
        assert_eq!(body["meta"]["total"], 60, "{page}");
    }
}

both_databases!(an_empty_shop_has_one_empty_page);
async fn an_empty_shop_has_one_empty_page(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let body = shop.client().get("/products").await.expect_status(200).json();
    assert_eq!((body["meta"]["last_page"].as_i64(), body["meta"]["total"].as_i64()), (Some(1), Some(0)));
    assert_eq!((&body["links"]["prev"], &body["links"]["next"]), (&Value::Null, &Value::Null));
}

both_databases!(a_category_filter_takes_a_slug_or_an_id);
async fn a_category_filter_takes_a_slug_or_an_id(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let lines = [
        category("tools", &json!({})),
        category("hammers", &json!({"parent": "tools"})),
        product("rake", &json!({"category": "tools"})),
        product("spade", &json!({"category": "tools"})),
        product("maul", &json!({"category": "hammers"})),
        product("elsewhere", &json!({})),
    ];
    shop.stock(&lines).await;
    let client = shop.client();
    let id = client.get("/categories/tools").await.json()["data"]["category"]["id"].as_i64().expect("an id");
    for filter in ["tools", &id.to_string()] {
        let body = client.get(&format!("/products?category={filter}")).await.json();
        assert_eq!(column(&body, "slug"), ["rake", "spade"], "{filter}");
    }
    for unknown in ["none", "999999", "-1", "0", "1%20OR%201=1", "99999999999999999999", "1.0"] {
        let body = client.get(&format!("/products?category={unknown}")).await.expect_status(200).json();
        assert_eq!(body["data"], json!([]), "{unknown}");
    }
    let body = client.get("/products?category=tools&q=rak").await.json();
    assert_eq!(column(&body, "slug"), ["rake"]);
}

both_databases!(a_missing_product_is_404_whatever_its_name_looks_like);
async fn a_missing_product_is_404_whatever_its_name_looks_like(backend: Backend) {
    let shop = TestShop::new(backend).await;
    shop.stock(&[product("lamp", &json!({}))]).await;
    let id = shop.client().get("/products/lamp").await.json()["data"]["id"].clone();
    let long = "a".repeat(5000);
    for slug in ["none", "LAMP", "%00", "..%2f..%2fetc", "%ff%fe", "lamp%20", long.as_str(), &id.to_string()] {
        shop.client().get(&format!("/products/{slug}")).await.expect_error(404, "not_found");
    }
}

both_databases!(odd_query_strings_are_harmless);
async fn odd_query_strings_are_harmless(backend: Backend) {
    let shop = TestShop::new(backend).await;
    shop.stock(&sixty()).await;
    for query in
        ["q[]=Item", "q[a]=b", "page[]=2", "q=%ff%fe", "q=Item&q=zzz", "=x", "&&&", "q", "per_page=5", "sort=-name"]
    {
        shop.client().get(&format!("/products?{query}")).await.expect_status(200);
    }
    let plain = shop.client().get("/products").await.json();
    assert_eq!(shop.client().get("/products?limit=5").await.json()["data"], plain["data"]);
}

both_databases!(prices_are_written_as_the_currency_and_locale_want_it);
async fn prices_are_written_as_the_currency_and_locale_want_it(backend: Backend) {
    for (currency, locale, expected) in [
        ("JPY", "en", "¥1,234"),
        ("KWD", "en", "KWD\u{a0}1.234"),
        ("EUR", "de", "12,34\u{a0}€"),
        ("EUR", "nl", "€\u{a0}12,34"),
    ] {
        let config = format!("[shop]\ncurrency = \"{currency}\"\nlocale = \"{locale}\"");
        let shop = TestShop::builder(backend).config(&config).open().await;
        shop.stock(&[product("thing", &json!({"price_amount": 1234}))]).await;
        let price = shop.client().get("/products/thing").await.json()["data"]["price"].clone();
        assert_eq!(price, json!({"amount": 1234, "currency": currency, "formatted": expected}));
    }
}

both_databases!(a_price_that_is_none_is_refused_with_one_that_is);
async fn a_price_that_is_none_is_refused_with_one_that_is(backend: Backend) {
    for (currency, example) in [("EUR", "“19.90”"), ("JPY", "“1990”")] {
        let config = format!("[shop]\ncurrency = \"{currency}\"");
        let shop = TestShop::builder(backend).config(&config).open().await;
        for name in ["min", "max"] {
            for written in ["cheap", "-1", "1.000,00", "19.905"] {
                let answer = shop.client().get(&format!("/browse?{name}={written}")).await;
                let told = answer.expect_error(422, "validation_error").json()["errors"][name][0].clone();
                let told = told.as_str().expect("it is told of the field");
                assert!(told.contains(&format!("“{name}”")) && told.contains(example), "{written}: {told}");
            }
            shop.client().get(&format!("/browse?{name}={}", example.trim_matches(['“', '”']))).await.expect_status(200);
        }
    }
}

both_databases!(an_image_elsewhere_is_shown_as_it_is_however_its_scheme_is_written);
async fn an_image_elsewhere_is_shown_as_it_is_however_its_scheme_is_written(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let images = json!(["HTTP://img.example/a.jpg", "Https://img.example/b.jpg", "http.svg"]);
    shop.stock(&[
        category("lamps", &json!({"image": "HTTPS://img.example/c.jpg"})),
        product("lamp", &json!({"images": images, "category": "lamps"})),
    ])
    .await;
    let shown = shop.client().get("/products/lamp").await.expect_status(200).json()["data"]["images"].clone();
    assert_eq!(shown, json!([images[0], images[1], "http://shop.test/media/http.svg"]));
    let category = shop.client().get("/categories").await.json()["data"][0]["image"].clone();
    assert_eq!(category, "HTTPS://img.example/c.jpg");
}
