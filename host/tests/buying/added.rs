//! Prices that a module sets, and lines that it adds: the same in the catalog, the cart, the price before the order and the order.

use chrono::TimeDelta;
use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::discounts::{DiscountCode, NewDiscount, create_discount};
use stoa_core::invoices::{DocumentReference, find_invoice};
use stoa_core::prelude::*;
use stoa_core::pricing::DiscountRule;
use stoa_core::refunds::{NewRefund, RefundLine, RefundScope, refund_order};
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{Buyer, address, builder, buyer, fill, id, id_of, pay_with, product, unlimited};
use crate::tariffs::Tariffs;

const REMEMBER: Sql = sql!("INSERT INTO installation (name, value) VALUES ($1, '')");
const NOTED: Sql = sql!("SELECT value FROM installation WHERE name = $1");

const TAX: &str = r#"
    [tax]
    prices_include_tax = false
    rates = { NL = 2100, DE = 1900 }
    [tax.classes]
    reduced = { NL = 900, DE = 700 }
    [[shipping.methods]]
    id = "standard"
    label = "Standard"
    amount = 500
"#;

async fn shop(backend: Backend) -> TestShop {
    let shop = builder(backend).module::<Tariffs>().config(TAX).open().await;
    fill(&shop).await;
    let tomorrow = shop.now() + TimeDelta::days(1);
    let tariff = json!({"member_amount": 80, "from_ten_amount": 90, "tomorrow_amount": 70, "tomorrow": tomorrow});
    shop.stock(&[product("tea", "Tea", 100, &json!({"modules": {"tariffs": tariff}}))]).await;
    shop
}

async fn noted(shop: &TestShop, name: String) -> Value {
    let text = shop.parts.db.read(NOTED).bind(name).scalar::<String>().await.expect("it is noted");
    serde_json::from_str(&text).expect("JSON")
}

async fn totals(ada: &Buyer, query: &str) -> Value {
    let path = format!("/checkout/requirements?{query}");
    ada.client.get(&path).await.expect_status(200).json()["data"]["totals"].clone()
}

/// What a unit of tea costs in the catalog, alone and in lists.
async fn in_the_catalog(shop: &TestShop) -> [Value; 3] {
    let client = shop.client();
    let of = |product: &Value| product["price"]["amount"].clone();
    let alone = client.get("/products/tea").await.expect_status(200).json()["data"].clone();
    let listed = client.get("/products?q=tea").await.expect_status(200).json()["data"][0].clone();
    let found = client.get("/search?q=tea").await.expect_status(200).json()["data"][0].clone();
    [of(&alone), of(&listed), of(&found)]
}

/// What costs at most 0.80, and the second of what costs at most 1.00, the cheapest first.
async fn found_by_price(shop: &TestShop) -> [Value; 2] {
    let slugs = async |query: &str| {
        let found = shop.client().get(&format!("/browse?{query}")).await.expect_status(200).json();
        found["data"].as_array().expect("a list").iter().map(|product| product["slug"].clone()).collect::<Vec<_>>()
    };
    let (cheap, sorted) = (slugs("max=0.80").await, slugs("max=1&sort=price").await);
    [json!(cheap), sorted[1].clone()]
}

/// Puts so much tea into the cart, and checks that cart, preview and order charge this for one.
async fn pays(shop: &TestShop, ada: &Buyer, quantity: i64, unit_amount: i64) {
    let line = json!({"product_id": id_of(shop, "tea").await, "quantity": quantity});
    let cart = ada.client.post("/cart", &line).await.expect_status(200).json();
    assert_eq!(cart["data"]["lines"][0]["unit_amount"], unit_amount);
    assert_eq!(ada.client.get("/cart").await.json()["data"]["lines"][0]["unit_amount"], unit_amount);
    let shown = totals(ada, "country=NL").await;
    assert_eq!(shown["subtotal_amount"], unit_amount * quantity);
    let agreed = json!({"expected_total_amount": shown["total_amount"]});
    let order = ada.check_out(&agreed).await.expect_status(201).json()["data"].clone();
    assert_eq!(order["items"][0]["unit_amount"], unit_amount);
}

both_databases!(a_price_of_a_module_is_the_same_in_catalog_cart_and_order);
async fn a_price_of_a_module_is_the_same_in_catalog_cart_and_order(backend: Backend) {
    let shop = shop(backend).await;
    let (ada, member) = (buyer(&shop).await, buyer(&shop).await);
    let name = format!("member-{}", member.customer.id);
    shop.parts.db.write(async |tx| tx.run(REMEMBER).bind(name).execute().await).await.expect("it is noted");
    assert_eq!(in_the_catalog(&shop).await, [json!(100), json!(100), json!(100)]);
    pays(&shop, &ada, 1, 100).await;
    pays(&shop, &ada, 10, 90).await;
    pays(&shop, &member, 1, 80).await;
    assert_eq!(found_by_price(&shop).await, [json!(["sample"]), json!("broken")]);
    // Nothing of the catalog has changed but the time.
    shop.clock.advance(TimeDelta::days(1));
    assert_eq!(in_the_catalog(&shop).await, [json!(70), json!(70), json!(70)]);
    assert_eq!(found_by_price(&shop).await, [json!(["sample", "tea"]), json!("tea")]);
    pays(&shop, &ada, 1, 70).await;
    pays(&shop, &member, 1, 70).await;
}

both_databases!(what_a_module_adds_is_charged_as_it_was_shown_with_its_tax);
async fn what_a_module_adds_is_charged_as_it_was_shown_with_its_tax(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let new = unlimited("TEN", DiscountRule::Percent(stoa_core::config::BasisPoints::new(1000).expect("a rate")));
    shop.parts.db.write(async |tx| create_discount(tx, &new).await).await.expect("the code is free");
    ada.fill(&shop, &[("book", 3), ("lamp", 1)]).await;
    let query = "country=DE&shipping_method_id=standard&payment_method=development&discount_code=TEN";
    let shown = totals(&ada, query).await;
    let added = json!([
        {"module": "tariffs", "label": "Fee for cash", "amount": 300},
        {"module": "tariffs", "label": "Import from DE", "amount": 1000},
        {"module": "tariffs", "label": "Bundle", "amount": -500},
    ]);
    assert_eq!(shown["added_lines"], added);
    // 4500 and 2000 less 650 and 500, spread 796 to 354; the code takes nothing off the fees.
    assert_eq!((&shown["subtotal_amount"], &shown["discount_amount"]), (&json!(7800), &json!(1150)));
    let (reduced, standard) = (4500 - 796 + 300, 2000 - 354 + 1000 + 500);
    let bases = shown["taxes"].as_array().expect("a list").iter().map(|row| row["base_amount"].clone());
    assert_eq!(bases.collect::<Vec<_>>(), [json!(standard), json!(reduced)]);
    let members = json!({"billing": address("DE"), "payment_method": "development", "discount_code": "TEN",
                         "expected_total_amount": shown["total_amount"]});
    let order = ada.check_out(&members).await.expect_status(201).json()["data"].clone();
    for name in ["added_lines", "subtotal_amount", "discount_amount", "tax_amount", "total_amount", "taxes"] {
        assert_eq!(order[name], shown[name], "{name}");
    }
    assert_eq!(ada.read(&order).await["added_lines"], added);
    let items = order["items"].as_array().expect("a list");
    let fee = |item: &Value| (item["product_id"].clone(), item["label"].clone(), item["line_total_amount"].clone());
    assert_eq!(
        items.iter().skip(2).map(fee).collect::<Vec<_>>(),
        [(Value::Null, json!("Fee for cash"), json!(300)), (Value::Null, json!("Import from DE"), json!(1000)),]
    );
    let told = noted(&shop, format!("added-{}", id(&order))).await;
    let placed = json!([["cash", 300, items[2]["id"]], ["import", 1000, items[3]["id"]], ["bundle", -500, null]]);
    assert_eq!(told["added"], placed);
    let number = DocumentReference::Id(id(&order["invoice"]));
    let invoice =
        find_invoice(&shop.parts.db, &shop.parts.money, &number).await.expect("it is read").expect("it is there");
    assert_eq!(invoice.invoice.items.len(), 4);
    assert_eq!(shop.breaches().await, [""; 0]);
}

both_databases!(what_a_module_adds_is_without_tax_for_whoever_owes_it);
async fn what_a_module_adds_is_without_tax_for_whoever_owes_it(backend: Backend) {
    let config = TAX.replace("prices_include_tax = false", "prices_include_tax = true");
    let builder = builder(backend).module::<Tariffs>().config("[seller]\ntax_id = 'NL004495445B01'");
    let shop = builder.config(&config).open().await;
    fill(&shop).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("book", 3), ("lamp", 1)]).await;
    let query = "country=DE&shipping_method_id=standard&payment_method=development&vat_id=DE136695976";
    let shown = totals(&ada, query).await;
    assert_eq!((&shown["complete"], &shown["reverse_charge"]), (&json!(true), &json!(true)));
    // 300 / 1.07 = 280.4 and 1000 / 1.19 = 840.3; of the 500, 346 take 324 off the 4206 of the books and 154 take 130 off the
    // 1681 of the lamp.
    let amounts = shown["added_lines"].as_array().expect("a list").iter().map(|line| line["amount"].clone());
    assert_eq!(amounts.collect::<Vec<_>>(), [json!(280), json!(840), json!(-454)]);
    let whole = ["subtotal_amount", "discount_amount", "shipping_amount", "tax_amount", "total_amount"];
    let subtotal = 4206 + 1681 + 280 + 840;
    assert_eq!(
        whole.map(|name| shown[name].clone()),
        [subtotal, 454, 420, 0, subtotal - 454 + 420].map(|it| json!(it))
    );
    let members = json!({"billing": address("DE"), "payment_method": "development", "vat_id": "DE136695976",
                         "expected_total_amount": shown["total_amount"]});
    let order = ada.check_out(&members).await.expect_status(201).json()["data"].clone();
    assert_eq!(whole.map(|name| order[name].clone()), whole.map(|name| shown[name].clone()));
    assert_eq!((&order["added_lines"], &order["taxes"]), (&shown["added_lines"], &shown["taxes"]));
    assert_eq!(ada.read(&order).await["added_lines"], shown["added_lines"]);
    assert_eq!(shop.breaches().await, [""; 0]);
}

both_databases!(a_fee_goes_back_like_a_product_and_takes_no_goods_with_it);
async fn a_fee_goes_back_like_a_product_and_takes_no_goods_with_it(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    let members = json!({"billing": address("DE"), "payment_method": "development"});
    let order = ada.place_with(&shop, &[("book", 3)], &members).await;
    if order["status"] == "pending" {
        ada.pay(&order, &pay_with("development")).await;
    }
    let fee = id(&order["items"][1]);
    let scope = RefundScope::Lines { lines: vec![RefundLine::any(fee, 1)], shipping: false };
    let new = NewRefund { order_id: id(&order), scope, reason: String::from("Goodwill") };
    let back = refund_order(&shop.uses(), &new).await.expect("it goes back");
    assert_eq!(back.refund.amount, 300 + 21);
    let rest = order["total_amount"].as_i64().expect("an amount") - 321;
    let new = NewRefund { order_id: id(&order), scope: RefundScope::Amount(rest), reason: String::from("All") };
    refund_order(&shop.uses(), &new).await.expect("it goes back");
    assert_eq!(ada.read(&order).await["payment"]["net_amount"], 0);
    let notes = ada.client.get("/credit-notes").await.expect_status(200).json();
    let labels = notes["data"].as_array().expect("a list").iter().map(|note| note["items"][0]["label"].clone());
    assert!(labels.collect::<Vec<_>>().contains(&json!("Fee for cash")), "{notes}");
    assert_eq!(shop.breaches().await, [""; 0]);
}

both_databases!(a_preflight_listener_knows_what_the_customer_has_chosen_and_answered);
async fn a_preflight_listener_knows_what_the_customer_has_chosen_and_answered(backend: Backend) {
    let shop = shop(backend).await;
    let ada = buyer(&shop).await;
    ada.fill(&shop, &[("present", 1), ("lamp", 1)]).await;
    let unknown = json!({"answers": {"greeting_card": "Happy birthday!", "horoscope": 1}});
    let refused = ada.check_out(&unknown).await.expect_error(422, "validation_error").json();
    assert_eq!(
        refused["errors"].as_object().map(|errors| errors.keys().collect::<Vec<_>>()),
        Some(vec![&String::from("answers.horoscope")])
    );
    let members = json!({"billing": address("DE"), "shipping": address("NL"), "payment_method": "development",
                         "answers": {"greeting_card": {"text": "Happy birthday!"}}});
    let order = ada.check_out(&members).await.expect_status(201).json()["data"].clone();
    let answers = json!({"greeting_card": {"text": "Happy birthday!"}});
    assert_eq!(
        noted(&shop, format!("known-{}", ada.customer.id)).await,
        json!({
            "country": "NL", "shipping_method_id": "standard", "payment_method": "development", "discount_code": null,
            "answers": answers,
        })
    );
    assert_eq!(noted(&shop, format!("added-{}", id(&order))).await["answers"], answers);
}

both_databases!(a_code_for_one_customer_is_unknown_to_all_others);
async fn a_code_for_one_customer_is_unknown_to_all_others(backend: Backend) {
    let shop = shop(backend).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    let new = |customer_id| NewDiscount {
        code: DiscountCode::parse("SORRY").expect("a code"),
        rule: DiscountRule::Amount(100),
        minimum_amount: None,
        max_uses: Some(1),
        max_uses_per_customer: None,
        valid_from: None,
        valid_until: None,
        customer_id: Some(customer_id),
    };
    let create = async |customer_id| shop.parts.db.write(async |tx| create_discount(tx, &new(customer_id)).await).await;
    let nobody = create(4711).await.map(drop).map_err(|error| error.to_string());
    assert_eq!(nobody, Err(String::from("there is no such customer")));
    create(ada.customer.id).await.expect("the code is free");
    let taken = create(ada.customer.id).await.map(drop).map_err(|error| error.to_string());
    assert_eq!(taken, Err(String::from("there is a discount with this code already")));
    for someone in [&ada, &bob] {
        someone.fill(&shop, &[("book", 1)]).await;
    }
    let asked = "country=NL&discount_code=SORRY";
    assert_eq!(totals(&ada, asked).await["discount_amount"], 100);
    let problem = totals(&bob, asked).await["discount_problem"].clone();
    assert_eq!(problem, totals(&bob, "country=NL&discount_code=NOSUCH").await["discount_problem"]);
    bob.check_out(&json!({"discount_code": "SORRY"})).await.expect_error(422, "validation_error");
    ada.check_out(&json!({"discount_code": "SORRY"})).await.expect_status(201);
}
