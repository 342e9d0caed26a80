//! The page of an order: what is to be paid and where, and what went back.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::orders::{Carriage, OrderNumber, ShipmentLine, ship_order, ship_order_with};
use stoa_core::payments::{Payments, record_payment};
use stoa_core::refunds::{NewRefund, RefundScope, refund_order};
use stoa_core::testing::{TestShop, both_databases};

use crate::kit::{browser, builder, buy_a_book, goods, guest, leads_to, shop, value_of};

async fn refund(shop: &TestShop, amount: i64) {
    let new = NewRefund { order_id: 1, scope: RefundScope::Amount(amount), reason: String::from("A page was torn") };
    refund_order(&shop.uses(), &new).await.expect("it is refunded");
}

both_databases!(whoever_pays_by_transfer_is_told_where_to);
async fn whoever_pays_by_transfer_is_told_where_to(backend: Backend) {
    let seller = "[seller]\nname = \"Lumina\"\niban = \"DE89370400440532013000\"\nbic = \"COBADEFFXXX\"";
    let shop = builder(backend).config(seller).open().await;
    shop.stock(&goods()).await;
    let mut ada = browser(&shop);
    let place = buy_a_book(&mut ada).await;
    let page = ada.get(&place).await.expect_status(200).text();
    for told in ["To pay: €15.00", "IBAN DE89", "BIC COBADEFFXXX", "O-000001 · €15.00"] {
        assert!(page.contains(told), "{told}: {page}");
    }
}

both_databases!(whoever_never_came_back_from_the_provider_pays_on_the_page_of_the_order);
async fn whoever_never_came_back_from_the_provider_pays_on_the_page_of_the_order(backend: Backend) {
    let shop = builder(backend).config("[payments.simulated]\nenabled = true").open().await;
    shop.stock(&goods()).await;
    let root = shop.parts.base_url.to_string();
    let mut ada = browser(&shop);
    ada.submit("/cart", &[("slug", "reading-book"), ("quantity", "1")]).await;
    let key = value_of(&ada.get("/checkout").await.expect_status(200).text(), "idempotency_key");
    let mut fields = guest(&key, "1500");
    for field in fields.iter_mut().filter(|(name, _)| *name == "payment_method") {
        field.1 = "simulated";
    }
    let provider = leads_to(&ada.submit("/checkout", &fields).await).to_owned();
    let page = ada.get("/order/O-000001").await.expect_status(200).text();
    assert!(page.contains("To pay: €15.00") && page.contains("<button>Pay now</button>"), "{page}");
    // Nothing is begun anew while the first page can still be gone on with.
    assert_eq!(leads_to(&ada.submit("/order/O-000001", &[]).await), provider);
    for (outcome, said) in
        [("fail", "role=\"alert\""), ("cancel", "To pay: €15.00"), ("pay", "Thank you for your order!")]
    {
        let provider = leads_to(&ada.submit("/order/O-000001", &[]).await).to_owned();
        let provider = provider.strip_prefix(&root).expect("the simulated one is the shop's own");
        let back = leads_to(&ada.submit(provider, &[("outcome", outcome)]).await).to_owned();
        let back = back.strip_prefix(&root).expect("it is a page of the shop");
        assert_eq!(leads_to(&ada.get(back).await), "/order/O-000001", "{outcome}");
        let page = ada.get("/order/O-000001").await.expect_status(200).text();
        assert!(page.contains(said) && page.contains("Pay now") == (outcome != "pay"), "{outcome}: {page}");
    }
    ada.get("/order/O-000002").await.expect_status(404);
}

both_databases!(an_order_that_was_refunded_is_not_to_be_paid_again);
async fn an_order_that_was_refunded_is_not_to_be_paid_again(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = browser(&shop);
    let place = buy_a_book(&mut ada).await;
    let page = ada.get(&place).await.expect_status(200).text();
    assert!(page.contains("To pay: €15.00") && page.contains("Waiting for payment"), "{page}");
    record_payment(&Payments::from_shop(&shop.parts), 1).await.expect("it is recorded");
    for (amount, back, status) in [(500, "€5.00", "Partly refunded"), (1000, "€15.00", "Refunded")] {
        refund(&shop, amount).await;
        let page = ada.get(&place).await.expect_status(200).text();
        assert!(!page.contains("To pay"), "{page}");
        assert!(page.contains(&format!("Your money is on its way back: {back}")) && page.contains(status), "{page}");
    }
}

both_databases!(the_page_of_an_order_says_by_whom_its_parcels_are_carried_and_where_to_follow_them);
async fn the_page_of_an_order_says_by_whom_its_parcels_are_carried_and_where_to_follow_them(backend: Backend) {
    let sending = "[[shipping.methods]]\nid = \"standard\"\nlabel = \"Standard\"\namount = 0\n\
                   [[shipping.carriers]]\nid = \"post\"\nlabel = \"The Post\"\n\
                   tracking_url = \"https://post.example/track?number={number}\"";
    let shop = builder(backend).config(sending).open().await;
    let lamp = json!({"type": "product", "slug": "lamp", "name": "Lamp", "price_amount": 2000, "active": true,
                      "capabilities": ["shippable"]});
    shop.stock(&[lamp]).await;
    let customer = shop.customer().await;
    let client = shop.client().token(&customer, &["*"]).await;
    client.post("/cart", &json!({"product_id": 1, "quantity": 2})).await.expect_status(200);
    let order = json!({"payment_method": "manual", "shipping_method_id": "standard",
                       "billing": {"name": "Ada Buyer", "line1": "Keizersgracht 1", "city": "Amsterdam",
                                   "postal_code": "1015 AA", "country": "NL"}});
    client.post("/checkout", &order).await.expect_status(201);
    record_payment(&Payments::from_shop(&shop.parts), 1).await.expect("it is recorded");
    let (db, number) = (&shop.parts.db, OrderNumber::of(1));
    let one = [ShipmentLine { item_id: 1, quantity: 1 }];
    let posted = Carriage { tracking: Some("3S&1"), carrier: Some("post") };
    ship_order_with(db, number, &one, posted).await.expect("it is sent");
    ship_order(db, number, &[], Some("3SABC123")).await.expect("it is sent");
    let mut ada = browser(&shop);
    ada.log_in(&customer).await;
    let page = ada.get("/account/orders/O-000001").await.expect_status(200).text();
    let page = page.replace("&#x2f;", "/");
    let follow =
        " · The Post · <a href=\"https://post.example/track?number=3S%261\">Tracking number: 3S&amp;1</a></li>";
    assert!(page.contains(follow), "{page}");
    // What nobody was named for has its number alone.
    assert!(page.contains(" · Tracking number: 3SABC123</li>"), "{page}");
}

both_databases!(a_confirmation_is_promised_only_where_mails_are_sent);
async fn a_confirmation_is_promised_only_where_mails_are_sent(backend: Backend) {
    for (config, is_promised) in [("", false), ("[mail]\nfrom = \"shop@example.com\"\nsmtp.host = \"127.0.0.1\"", true)]
    {
        let shop = builder(backend).config(config).open().await;
        shop.stock(&goods()).await;
        let mut ada = browser(&shop);
        let place = buy_a_book(&mut ada).await;
        let page = ada.get(&place).await.expect_status(200).text();
        assert!(page.contains("Thank you for your order!"), "{page}");
        assert_eq!(page.contains("You get a confirmation by e-mail."), is_promised, "{page}");
    }
}

both_databases!(prices_say_whether_tax_and_shipping_are_in_them);
async fn prices_say_whether_tax_and_shipping_are_in_them(backend: Backend) {
    let rates = "[tax.rates]\nNL = 2100";
    for (config, said, on_every_page) in [
        (String::from("[tax]\nprices_include_tax = true\n\n") + rates, Some("incl. VAT"), "Prices include VAT"),
        (String::from("[tax]\nprices_include_tax = false\n\n") + rates, Some("plus VAT"), "Prices are without VAT"),
        (String::new(), None, ""),
    ] {
        let shop = builder(backend).config(&config).open().await;
        shop.stock(&goods()).await;
        let mut ada = browser(&shop);
        let page = ada.get("/p/reading-book").await.expect_status(200).text();
        assert_eq!(said.is_some(), page.contains("VAT"), "{page}");
        assert!(page.contains(said.unwrap_or_default()) && page.contains(on_every_page), "{page}");
        assert!(!page.contains("plus shipping"), "a book that is not sent");
        ada.submit("/cart", &[("slug", "reading-book"), ("quantity", "1")]).await;
        let checkout = ada.get("/checkout").await.expect_status(200).text();
        assert_eq!(said.is_some(), checkout.contains("VAT"), "{checkout}");
    }
}
