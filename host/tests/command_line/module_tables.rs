//! Tables of modules on 80 columns: a shop in which one thing of each kind is sold, and all names are long.

use serde_json::{Value, json};
use stoa as _; // this line links all modules of the stock program
use stoa_core::db::Backend;
use stoa_core::payments::{Payments, record_payment};
use stoa_core::testing::{TestShop, both_databases};

use super::tables::assert_told;

const CONFIG: &str = "
[modules.digital_secrets]
enabled = true
[modules.downloads]
enabled = true
[modules.event_tickets]
enabled = true
[modules.services]
enabled = true
[modules.subscriptions]
enabled = true
";

const SONGS: &str = "songs-that-are-sung-between-midnight-and-the-first-light-of-dawn";
const FILE: &str = "songs-that-are-sung-between-midnight-and-the-first-light-of-dawn.zip";
const LICENSE: &str = "license-for-the-typeface-of-shop-signs-menus-and-price-tags";
const CONCERT: &str = "concert-under-the-lights-of-the-courtyard-with-two-voices";
const HOSTING: &str = "home-for-one-website-with-certificates-and-nightly-backups";
const TEA: &str = "tea-of-another-small-garden-at-your-door-every-single-month";

/// The event's name in commands, as it is made of its name.
const EVENT: &str = "rebetiko-night-in-the-courtyard-of-the-painted-porch-1";

/// Each list, and the members whose values are told whole.
const LISTS: [(&[&str], &[&str]); 13] = [
    (&["digital-secrets", "list"], &["id", "status"]),
    (&["digital-secrets", "pools"], &["name"]),
    (&["digital-secrets", "values", LICENSE], &["id", "state"]),
    (&["downloads", "list"], &["product", "filename"]),
    (&["downloads", "grants"], &["id", "product"]),
    (&["event-tickets", "event", "list"], &["slug"]),
    (&["event-tickets", "type", "list"], &["id", "event", "product"]),
    (&["event-tickets", "quota", "list"], &["event"]),
    (&["event-tickets", "list"], &["number", "event_slug"]),
    (&["event-tickets", "door-list", EVENT], &["number"]),
    (&["event-tickets", "keys"], &["key_id", "public_key"]),
    (&["services", "list"], &["number", "status", "provider"]),
    (&["subscriptions", "list"], &["number", "status"]),
];

fn product(slug: &str, capability: &str, settings: &Value) -> Value {
    json!({"type": "product", "slug": slug, "name": slug.replace('-', " "), "price_amount": 123_456,
           "capabilities": [capability], "modules": settings})
}

/// A shop with one thing of each kind, all of which somebody has bought.
async fn sold_out(backend: Backend) -> TestShop {
    let shop = TestShop::builder(backend).all_modules().config(CONFIG).open().await;
    let concert = json!({"event": "Rebetiko night in the courtyard of the painted porch",
                         "venue": "The courtyard behind the painted porch, on the north side of the market",
                         "starts_at": "2031-05-01T19:00:00+02:00", "capacity": 100_000,
                         "ticket_type": "A place to stand, under the lights",
                         "shared_capacity": {"name": "The whole courtyard and its gallery", "capacity": 123_456}});
    let products = [
        product(SONGS, "digital", &json!({})),
        product(LICENSE, "digital_secret", &json!({})),
        product(CONCERT, "event_ticket", &json!({"event_tickets": concert})),
        product(HOSTING, "provisionable", &json!({"services": {"provider": "manual"}})),
        product(TEA, "subscribable", &json!({"subscriptions": {"interval": "month"}})),
    ];
    shop.stock(&products).await;
    for (name, content) in [(FILE, "all the songs"), ("keys.txt", "KEY-0001-0007\nKEY-0002-0014\n")] {
        std::fs::write(shop.folder().join(name), content).expect("the folder can be written");
    }
    shop.command(&["downloads", "attach", SONGS, FILE]).await.expect_success();
    shop.command(&["digital-secrets", "add", LICENSE, "keys.txt"]).await.expect_success();

    let customer = shop.customer().await;
    let ada = shop.client().token(&customer, &["*"]).await;
    for slug in [SONGS, LICENSE, CONCERT, HOSTING, TEA] {
        let product = ada.get(&format!("/products/{slug}")).await.expect_status(200).json();
        let line = json!({"product_id": product["data"]["id"], "quantity": 1});
        ada.post("/cart", &line).await.expect_status(200);
    }
    let billing = json!({"name": "Augusta Ada King, Countess of Lovelace", "line1": "Keizersgracht 1",
                         "city": "Amsterdam", "postal_code": "1015 AA", "country": "NL"});
    let checkout = json!({"billing": billing, "payment_method": "manual"});
    let order = ada.post("/checkout", &checkout).await.expect_status(201).json();
    let order = order["data"]["id"].as_i64().expect("an id");
    record_payment(&shop.uses::<Payments>(), order).await.expect("it is paid");
    shop.run_jobs().await;
    shop
}

both_databases!(no_table_of_a_module_is_wider_than_80_columns_and_none_breaks_what_commands_take);
async fn no_table_of_a_module_is_wider_than_80_columns_and_none_breaks_what_commands_take(backend: Backend) {
    let shop = sold_out(backend).await;
    for (command, members) in LISTS {
        let text = shop.command(command).await.expect_success();
        let listed = shop.command(&[command, &["--json"]].concat()).await.json();
        let records = listed["data"].as_array().expect("a list");
        assert!(!records.is_empty(), "{command:?} is filled");
        assert_told(&text, records, members);
    }
}
