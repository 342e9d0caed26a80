//! Reports come to what invoices say, less credit notes (C10.4).

use serde_json::{Value, json};
use stoa_core::chrono::{NaiveDate, TimeDelta};
use stoa_core::config::CountryCode;
use stoa_core::credit_notes::{CreditNoteFilter, list_credit_notes};
use stoa_core::db::Backend;
use stoa_core::invoices::{InvoiceFilter, InvoiceStatus, list_invoices};
use stoa_core::orders::{CancelReason, cancel_order};
use stoa_core::refunds::RefundScope;
use stoa_core::reports::{
    Period, Quarter, SalesBy, SoldKind, oss_report, product_sales_report, sales_report, tax_report,
};
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{Buyer, builder, buyer, id, lines, refund, stocked};

const CONFIG: &str = "[seller]\ntax_id = 'NL004495445B01'\n\
                      [tax]\nrates = { NL = 2100, DE = 1900, FR = 2000 }\nclasses.reduced = { NL = 900, DE = 700 }\n\
                      [[shipping.methods]]\nid = 'standard'\nlabel = 'Courier'\namount = 495";

async fn place(shop: &TestShop, ada: &Buyer, country: &str, more: Value) -> Value {
    let mut members = json!({"billing": {"name": "Ada Buyer", "line1": "Street 1", "city": "City", "postal_code": "10115",
                                         "country": country}});
    for (member, value) in more.as_object().into_iter().flatten() {
        members[member] = value.clone();
    }
    let lines = [("lamp", 3), ("book", 1)];
    ada.try_to_place(shop, &lines, &members).await.expect_status(201).json()["data"].clone()
}

async fn paid(shop: &TestShop, ada: &Buyer, country: &str, more: Value) -> Value {
    let order = place(shop, ada, country, more).await;
    ada.pay(&order).await;
    ada.read("orders", &order).await
}

/// Net and tax of all invoices that hold, less those of all credit notes.
async fn ledger(shop: &TestShop) -> (i64, i64) {
    let (db, money) = (&shop.parts.db, &shop.parts.money);
    let invoices = list_invoices(db, money, &InvoiceFilter::default()).await.expect("they are read");
    let invoices = invoices.into_iter().map(|record| record.invoice);
    let invoices = invoices.filter(|invoice| invoice.status != InvoiceStatus::Void);
    let notes = list_credit_notes(db, money, &CreditNoteFilter::default()).await.expect("they are read");
    let sold = invoices.fold((0, 0), |sum, own| (sum.0 + own.total_amount - own.tax_amount, sum.1 + own.tax_amount));
    notes
        .into_iter()
        .map(|record| record.credit_note)
        .fold(sold, |sum, own| (sum.0 - (own.total_amount - own.tax_amount), sum.1 - own.tax_amount))
}

fn day(text: &str) -> NaiveDate {
    text.parse().expect("a day")
}

fn ever() -> Period {
    Period::new(day("2000-01-01"), day("2999-12-31")).expect("it has days")
}

fn sum<R>(rows: &[R], amounts: impl Fn(&R) -> (i64, i64)) -> (i64, i64) {
    rows.iter().map(amounts).fold((0, 0), |sum, own| (sum.0 + own.0, sum.1 + own.1))
}

both_databases!(every_report_comes_to_the_documents);
async fn every_report_comes_to_the_documents(backend: Backend) {
    for prices in ["", "\n[tax]\nprices_include_tax = false"] {
        let config = if prices.is_empty() { CONFIG.to_owned() } else { CONFIG.replace("[tax]", &prices[1..]) };
        let shop = stocked(builder(backend).config(&config)).await;
        let ada = buyer(&shop).await;
        let here = paid(&shop, &ada, "NL", json!({})).await;
        let abroad = paid(&shop, &ada, "DE", json!({})).await;
        let company = paid(&shop, &ada, "DE", json!({"vat_id": "DE136695976"})).await;
        assert_eq!(company["reverse_charge"], true);
        let open = place(&shop, &ada, "FR", json!({})).await;
        let cancelled = place(&shop, &ada, "FR", json!({})).await;
        let done = cancel_order(&shop.uses(), id(&cancelled), CancelReason::Operator).await;
        done.expect("it is cancelled");
        refund(&shop, &abroad, lines(&abroad, &[("lamp", 1)])).await;
        refund(&shop, &company, lines(&company, &[("lamp", 2), ("book", 1)])).await;
        refund(&shop, &here, RefundScope::Amount(333)).await;
        assert_eq!(open["status"], "pending");

        let db = &shop.parts.db;
        let ledger = ledger(&shop).await;
        let taxes = tax_report(db, ever()).await.expect("it is read");
        assert_eq!(sum(&taxes, |row| (row.base_amount, row.tax_amount)), ledger);
        let found = taxes.iter().map(|row| (row.country.as_str(), row.rate_basis_points, row.reverse_charge));
        let expected = [
            ("DE", 1900, false),
            ("DE", 700, false),
            ("DE", 0, true),
            ("FR", 2000, false),
            ("NL", 2100, false),
            ("NL", 900, false),
        ];
        assert_eq!(found.collect::<Vec<_>>(), expected);
        for by in [SalesBy::Day, SalesBy::Month, SalesBy::Year, SalesBy::Country] {
            let rows = sales_report(db, ever(), by).await.expect("it is read");
            assert_eq!(sum(&rows, |row| (row.base_amount, row.tax_amount)), ledger, "{by:?}");
        }
        let products = product_sales_report(db, ever()).await.expect("it is read");
        assert_eq!(sum(&products, |row| (row.base_amount, row.tax_amount)), ledger);
        let lamps = products.iter().filter(|row| row.product.as_deref() == Some("lamp")).map(|row| row.units);
        assert_eq!(lamps.sum::<i64>(), 4 * 3 - 3);
        assert!(products.iter().any(|row| row.kind == SoldKind::Shipping));
        let own = CountryCode::parse("NL");
        let rows = oss_report(db, own, Quarter::of(shop.now().date_naive())).await.expect("it is read");
        let consumers = taxes.iter().filter(|row| row.country != "NL" && !row.reverse_charge);
        let consumers = consumers.map(|row| (row.base_amount, row.tax_amount)).collect::<Vec<_>>();
        assert_eq!(sum(&rows, |row| (row.base_amount, row.tax_amount)), sum(&consumers, |row| *row));
        assert!(rows.iter().all(|row| !row.correction && row.country != "NL"));
        assert_eq!(shop.breaches().await, Vec::<String>::new());
    }
}

both_databases!(what_is_taken_back_counts_on_its_own_day);
async fn what_is_taken_back_counts_on_its_own_day(backend: Backend) {
    let shop = stocked(builder(backend).config(CONFIG)).await;
    let ada = buyer(&shop).await;
    let abroad = paid(&shop, &ada, "DE", json!({})).await;
    let cancelled = place(&shop, &ada, "FR", json!({})).await;
    let (db, own) = (&shop.parts.db, CountryCode::parse("NL"));
    let first = Quarter::of(shop.now().date_naive());
    let before = oss_report(db, own, first).await.expect("it is read");
    shop.advance(TimeDelta::days(100));
    let second = Quarter::of(shop.now().date_naive());
    assert!(second > first);
    refund(&shop, &abroad, lines(&abroad, &[("lamp", 1)])).await;
    let done = cancel_order(&shop.uses(), id(&cancelled), CancelReason::Operator).await;
    done.expect("it is cancelled");
    assert_eq!(oss_report(db, own, first).await.expect("it is read"), before, "what was told stays as it was");
    let rows = oss_report(db, own, second).await.expect("it is read");
    assert!(rows.iter().all(|row| row.correction && row.period == first && row.tax_amount < 0), "{rows:?}");
    // 2000 x 19/119 = 319.3 of the lamp.
    let german = rows.iter().filter(|row| row.country == "DE").map(|row| (row.base_amount, row.tax_amount));
    assert_eq!(german.collect::<Vec<_>>(), [(-1681, -319)]);
    let french = |rows: &[stoa_core::reports::OssRow]| {
        rows.iter().filter(|row| row.country == "FR").map(|row| row.tax_amount).sum::<i64>()
    };
    assert_eq!(french(&rows), -french(&before));
    assert!(oss_report(db, None, first).await.is_err(), "nobody knows what is abroad");
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}

both_databases!(a_credit_note_says_who_owes_the_tax);
async fn a_credit_note_says_who_owes_the_tax(backend: Backend) {
    let shop = stocked(builder(backend).config(CONFIG)).await;
    let ada = buyer(&shop).await;
    let order = paid(&shop, &ada, "DE", json!({"vat_id": "DE136695976"})).await;
    refund(&shop, &order, lines(&order, &[("book", 1)])).await;
    let note = ada.list("credit-notes").await.remove(0);
    assert_eq!((&note["vat_id"], &note["reverse_charge"]), (&json!("DE136695976"), &json!(true)));
    // 1500 / 1.07 = 1401.9.
    assert_eq!((&note["tax_amount"], &note["total_amount"]), (&json!(0), &json!(1402)));
}
