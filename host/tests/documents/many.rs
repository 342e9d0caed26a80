//! Many documents that nobody thought of: each holds to the norm's own rules, and all of them come to the reports (C10.4, C10.5).
//!
//! `STOA_DOCUMENTS` says how many for each kind of prices; without it they are few, as a document takes a whole order.

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use serde_json::{Value, json};
use stoa_core::chrono::NaiveDate;
use stoa_core::config::BasisPoints;
use stoa_core::db::Backend;
use stoa_core::discounts::{DiscountCode, NewDiscount, create_discount};
use stoa_core::electronic::{Syntax, electronic_invoice};
use stoa_core::invoices::invoice_document;
use stoa_core::pricing::DiscountRule;
use stoa_core::refunds::RefundScope;
use stoa_core::reports::{Period, tax_report};
use stoa_core::testing::{TestShop, both_databases};

use crate::electronic::{SELLER, received};
use crate::shelf::{Buyer, builder, buyer, id, lines, try_to_refund};

const SHIPPING: &str = "[[shipping.methods]]\nid = 'standard'\nlabel = 'Courier'\namount = 495";

const TAX: &str = "rates = { NL = 2100, DE = 1900, FR = 2000 }\n\
                   [tax.classes]\nreduced = { NL = 900, DE = 700, FR = 550 }\nzero = { NL = 0, DE = 0, FR = 0 }\n";

const PRODUCTS: [(&str, i64, Option<&str>); 6] = [
    ("lamp", 12_999, None),
    ("pin", 7, None),
    ("book", 1_295, Some("reduced")),
    ("card", 33, Some("reduced")),
    ("stamp", 101, Some("zero")),
    ("map", 899, Some("zero")),
];

async fn shop(backend: Backend, prices_include_tax: bool) -> TestShop {
    let tax = format!("[tax]\nprices_include_tax = {prices_include_tax}\n{TAX}");
    let shop = builder(backend).config(SELLER).config(SHIPPING).config(&tax).open().await;
    let products = PRODUCTS.map(|(slug, price, class)| {
        json!({"type": "product", "slug": slug, "name": format!("A {slug}"), "price_amount": price, "tax_class": class,
               "capabilities": if slug == "lamp" { json!(["shippable"]) } else { json!([]) }})
    });
    shop.stock(&products).await;
    for (code, rule) in [
        ("ODD", DiscountRule::Percent(BasisPoints::new(3333).expect("a share"))),
        ("FIVE", DiscountRule::Amount(500)),
        ("ALL", DiscountRule::Percent(BasisPoints::new(10_000).expect("a share"))),
    ] {
        let new = NewDiscount {
            code: DiscountCode::parse(code).expect("a code"),
            rule,
            minimum_amount: None,
            max_uses: None,
            max_uses_per_customer: None,
            valid_from: None,
            valid_until: None,
            customer_id: None,
        };
        shop.parts.db.write(async |tx| create_discount(tx, &new).await).await.expect("the code is free");
    }
    shop
}

/// An order of some of the products, for one of three countries, sometimes with a code or as a company.
async fn some_order(shop: &TestShop, ada: &Buyer, dice: &mut Xoshiro256PlusPlus) -> Value {
    let mut units = PRODUCTS.iter().filter(|_| dice.random_bool(0.5)).map(|product| product.0).collect::<Vec<_>>();
    if units.is_empty() {
        units.push("lamp");
    }
    let units = units.into_iter().map(|slug| (slug, dice.random_range(1..=9))).collect::<Vec<_>>();
    let country = ["NL", "DE", "FR"][dice.random_range(0..3)];
    let mut more = json!({"billing": {"name": "Ada Buyer", "line1": "Street 1", "city": "City", "postal_code": "10115",
                                      "country": country}});
    match dice.random_range(0..8) {
        0 | 1 => more["discount_code"] = json!("ODD"),
        2 | 3 => more["discount_code"] = json!("FIVE"),
        4 => more["discount_code"] = json!("ALL"),
        5 if country == "DE" => more["vat_id"] = json!("DE136695976"),
        _ => {}
    }
    let order = ada.try_to_place(shop, &units, &more).await.expect_status(201).json()["data"].clone();
    if order["status"] == "pending" {
        ada.pay(&order).await;
    }
    ada.read("orders", &order).await
}

/// Sends something of some orders back, in one of three ways, and says which credit notes there are now.
async fn some_refunds(shop: &TestShop, order: &Value, dice: &mut Xoshiro256PlusPlus) -> Vec<i64> {
    let total = order["total_amount"].as_i64().expect("an amount");
    let mut notes = Vec::new();
    for _ in 0..dice.random_range(0..=2) {
        let first = &order["items"][0];
        let scope = if dice.random_bool(0.5) && total > 0 {
            RefundScope::Amount(dice.random_range(1..=total))
        } else {
            let quantity = dice.random_range(1..=first["quantity"].as_i64().expect("a number"));
            lines(order, &[(first["slug"].as_str().expect("a slug"), quantity)])
        };
        // More than is left is refused, as it should be.
        if let Ok(record) = try_to_refund(shop, order, scope, "Broken").await {
            notes.extend(record.credit_note.map(|note| note.credit_note.id));
        }
    }
    notes
}

/// What a document comes to without tax, and its tax, in minor units, as who gets it reads.
async fn read(ada: &Buyer, path: &str) -> (i64, i64) {
    let answer = ada.client.with_header("accept", "application/xml").get(path).await.expect_status(200);
    let totals = received(&answer.body).totals;
    let tax = totals.vat_total.map_or(0, en16931::InvoiceAmount::to_minor_units);
    (totals.taxable_total.to_minor_units(), tax)
}

#[expect(clippy::disallowed_methods, reason = "how many belongs to the test run, not to a shop")]
fn wanted() -> usize {
    std::env::var("STOA_DOCUMENTS").ok().map_or(25, |number| number.parse().expect("a number"))
}

both_databases!(random_documents_hold_to_the_norm_and_come_to_the_report);
async fn random_documents_hold_to_the_norm_and_come_to_the_report(backend: Backend) {
    let mut dice = Xoshiro256PlusPlus::seed_from_u64(105);
    for prices_include_tax in [true, false] {
        let shop = shop(backend, prices_include_tax).await;
        let ada = buyer(&shop).await;
        let (mut documents, mut sum) = (0, (0, 0));
        while documents < wanted() {
            let order = some_order(&shop, &ada, &mut dice).await;
            let notes = some_refunds(&shop, &order, &mut dice).await;
            let invoice_id = id(&order["invoice"]);
            let (net, tax) = read(&ada, &format!("/invoices/{invoice_id}")).await;
            assert_eq!((net + tax, tax), (amount(&order, "total_amount"), amount(&order, "tax_amount")), "{order}");
            let document =
                invoice_document(&shop.parts.db, invoice_id).await.expect("it is read").expect("it is there");
            let texts = stoa_core::i18n::Texts::built_in();
            received(electronic_invoice(&document, &texts, Syntax::Cii).expect("it has a form").as_bytes());
            sum = (sum.0 + net, sum.1 + tax);
            for note in &notes {
                let (net, tax) = read(&ada, &format!("/credit-notes/{note}")).await;
                sum = (sum.0 - net, sum.1 - tax);
            }
            documents += 1 + notes.len();
        }
        let day = |text: &str| text.parse::<NaiveDate>().expect("a day");
        let ever = Period::new(day("2000-01-01"), day("2999-12-31")).expect("it has days");
        let rows = tax_report(&shop.parts.db, ever).await.expect("it is read");
        let reported = rows.iter().fold((0, 0), |sum, row| (sum.0 + row.base_amount, sum.1 + row.tax_amount));
        assert_eq!(reported, sum, "{documents} documents");
        assert_eq!(shop.breaches().await, Vec::<String>::new());
    }
}

fn amount(of: &Value, name: &str) -> i64 {
    of[name].as_i64().expect("an amount")
}
