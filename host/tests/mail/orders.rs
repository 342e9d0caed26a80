//! What customers are told about their orders.

use chrono::TimeDelta;
use serde_json::{Value, json};
use stoa_core::customers::{CustomerRecord, anonymize_customer};
use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::from_shop::FromShop;
use stoa_core::i18n::Texts;
use stoa_core::invoices::invoice_document;
use stoa_core::payments::{Payments, record_payment};
use stoa_core::pdf::render;
use stoa_core::refunds::{NewRefund, RefundScope, refund_order};
use stoa_core::sql;
use stoa_core::testing::smtp_fake::{Received, Reply, SmtpFake};
use stoa_core::testing::{TestShop, TestShopBuilder, both_databases};

const INSTRUCTIONS: &str = "[payments.manual]\ninstructions = 'Transfer {amount} and name {order}.'\n";

const PRODUCT_ID: Sql = sql!("SELECT id FROM products WHERE slug = $1");

/// The same events once more, as after a crash between the work and its end.
const REPEAT: Sql = sql!(
    "INSERT INTO tasks (lane, kind, event, payload, state, attempts, due_at, written_at, created_at)
     SELECT lane, kind, event, payload, state, attempts, due_at, written_at, created_at FROM tasks
     WHERE kind LIKE 'order_mails.%'"
);

const COUNT_DELIVERIES: Sql = sql!("SELECT COUNT(*) FROM tasks WHERE kind LIKE 'order_mails.%'");
const COUNT_ROWS: Sql = sql!(
    "SELECT (SELECT COUNT(*) FROM mail_messages) + (SELECT COUNT(*) FROM mail_attachments)
          + (SELECT COUNT(*) FROM mail_keys)"
);
const COUNT_CONTENTS: Sql = sql!("SELECT COUNT(*) FROM mail_attachments WHERE content IS NOT NULL");

async fn opened(builder: TestShopBuilder) -> TestShop {
    let shop = builder.config(INSTRUCTIONS).open().await;
    let options = json!([{"key": "color", "label": "Colour", "type": "select",
                          "choices": [{"value": "green", "label": "Green"}]}]);
    let lamp = json!({"type": "product", "slug": "lamp", "name": "Lamp", "price_amount": 2000, "options": options});
    let free = json!({"type": "product", "slug": "sample", "name": "Sample", "price_amount": 0});
    shop.stock(&[lamp, free]).await;
    shop
}

/// Places an order of a product with units of it, in a language.
async fn place_in(shop: &TestShop, customer: &CustomerRecord, slug: &str, language: &'static str) -> Value {
    let client = shop.client().token(customer, &["*"]).await.with_header("accept-language", language);
    let id = shop.parts.db.read(PRODUCT_ID).bind(slug).scalar::<i64>().await.expect("it is there");
    let selections = if slug == "lamp" { json!({"color": "green"}) } else { json!({}) };
    let line = json!({"product_id": id, "quantity": 2, "selections": selections});
    client.post("/cart", &line).await.expect_status(200);
    let body = json!({"payment_method": "manual",
        "billing": {"name": "Ada Buyer", "line1": "Keizersgracht 1", "city": "Amsterdam",
                    "postal_code": "1015 AA", "country": "NL"}});
    client.post("/checkout", &body).await.expect_status(201).json()["data"].clone()
}

async fn place(shop: &TestShop, customer: &CustomerRecord) -> Value {
    place_in(shop, customer, "lamp", "en").await
}

fn id(thing: &Value) -> i64 {
    thing["id"].as_i64().expect("an id")
}

async fn pay(shop: &TestShop, order: &Value) {
    record_payment(&Payments::from_shop(&shop.parts), id(order)).await.expect("it is recorded");
}

async fn refund(shop: &TestShop, order: &Value, amount: i64) {
    let scope = RefundScope::Amount(amount);
    let new = NewRefund { order_id: id(order), scope, reason: String::from("It was scratched") };
    refund_order(&shop.uses(), &new).await.expect("it goes back");
}

async fn count(shop: &TestShop, sql: Sql) -> i64 {
    shop.parts.db.read(sql).scalar().await.expect("rows can be counted")
}

/// Subject, text and file of a message.
struct Parts {
    subject: String,
    text: String,
    file: Option<(String, Vec<u8>)>,
}

fn parts(mail: &Received) -> Parts {
    let subject = mail.header("Subject").expect("a subject");
    let kind = mail.header("Content-Type").expect("a type");
    let mut files = mail.files();
    let file = files.pop().map(|(name, media_type, content)| {
        assert_eq!(media_type, "application/pdf");
        (name, content)
    });
    assert!(files.is_empty(), "there is one file at most");
    let structure = if file.is_some() { "multipart/mixed" } else { "multipart/alternative" };
    assert!(kind.starts_with(structure), "{kind}");
    Parts { subject, text: mail.text().trim_end().to_owned(), file }
}

both_databases!(an_order_is_confirmed_with_what_was_ordered_and_how_to_pay);
async fn an_order_is_confirmed_with_what_was_ordered_and_how_to_pay(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = opened(smtp.shop(backend).config("[shop]\nname = 'Lamps'")).await;
    let customer = shop.customer().await;
    let order = place(&shop, &customer).await;
    assert_eq!(smtp.connections(), 0, "nothing is sent by the request itself");
    shop.run_jobs().await;
    let mail = smtp.only();
    assert_eq!(mail.to, [customer.email]);
    let Parts { subject, text, file } = parts(&mail);
    let number = order["number"].as_str().expect("a number");
    assert_eq!(subject, format!("Lamps: your order {number}"));
    let expected = format!(
        "Hello Ada Buyer,\n\nthank you for your order at Lamps.\n\nOrder {number} of 15 January 2026\n\n\
         2 × Lamp: €40.00\n    Colour: Green\n\nSubtotal: €40.00\nTotal: €40.00\n\n\
         How to pay:\nTransfer €40.00 and name {number}.\n\n\
         Billing address:\nAda Buyer\nKeizersgracht 1\n1015 AA Amsterdam\nNL\n\nLamps"
    );
    assert_eq!((text.as_str(), file), (expected.as_str(), None));
}

both_databases!(a_payment_is_confirmed_with_the_invoice);
async fn a_payment_is_confirmed_with_the_invoice(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = opened(smtp.shop(backend)).await;
    let order = place(&shop, &shop.customer().await).await;
    shop.run_jobs().await;
    smtp.only();
    pay(&shop, &order).await;
    shop.run_jobs().await;
    let Parts { subject, text, file } = parts(&smtp.only());
    assert!(subject.contains("payment received"), "{subject}");
    assert!(text.contains("your payment of €40.00") && text.contains("INV-2026-000001.pdf"), "{text}");
    let (name, content) = file.expect("the invoice");
    assert!(name == "INV-2026-000001.pdf", "{name}");
    let document = invoice_document(&shop.parts.db, id(&order["invoice"])).await.expect("it is read");
    assert_eq!(content, render(&document.expect("it is there"), &Texts::built_in()).expect("it is written"));
    assert_eq!(count(&shop, COUNT_CONTENTS).await, 0, "what is sent leaves nothing of its file");
}

both_databases!(each_refund_is_told_with_its_credit_note);
async fn each_refund_is_told_with_its_credit_note(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = opened(smtp.shop(backend)).await;
    let order = place(&shop, &shop.customer().await).await;
    pay(&shop, &order).await;
    shop.run_jobs().await;
    assert_eq!(smtp.collect().len(), 2);
    for (amount, shown, number) in [(1000, "€10.00", "CN-2026-000001"), (500, "€5.00", "CN-2026-000002")] {
        refund(&shop, &order, amount).await;
        shop.run_jobs().await;
        let Parts { text, file, .. } = parts(&smtp.only());
        assert!(text.contains(shown) && text.contains("Reason: It was scratched"), "{text}");
        let (name, content) = file.expect("the credit note");
        assert!(name.contains(number) && content.starts_with(b"%PDF"), "{name}");
    }
}

both_databases!(an_event_that_comes_twice_is_told_once_whoever_works);
async fn an_event_that_comes_twice_is_told_once_whoever_works(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = opened(smtp.shop(backend)).await;
    let other = smtp.shop(backend).on(shop.database()).clock(&shop.clock).seed(2).open().await;
    let order = place(&shop, &shop.customer().await).await;
    pay(&shop, &order).await;
    refund(&shop, &order, 1000).await;
    let repeated = shop.parts.db.write(async |tx| -> Result<u64, DbError> { tx.run(REPEAT).execute().await });
    assert_eq!(repeated.await.expect("rows are written"), 3);
    tokio::join!(shop.run_jobs(), other.run_jobs());
    shop.run_jobs().await;
    let mut subjects = smtp.collect().iter().map(|mail| parts(mail).subject).collect::<Vec<_>>();
    subjects.sort();
    assert_eq!(subjects.len(), 3, "{subjects:?}");
    subjects.dedup();
    assert_eq!(subjects.len(), 3, "{subjects:?}");
    assert_eq!(count(&shop, COUNT_DELIVERIES).await, 0);
}

both_databases!(mail_is_in_the_language_of_the_order);
async fn mail_is_in_the_language_of_the_order(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = opened(smtp.shop(backend)).await;
    let customer = shop.customer().await;
    for (language, words) in
        [("de-AT", "vielen Dank für Ihre Bestellung"), ("nl", "hartelijk dank"), ("fr", "thank you")]
    {
        place_in(&shop, &customer, "lamp", language).await;
        shop.run_jobs().await;
        let mail = smtp.only();
        assert!(parts(&mail).text.contains(words), "{}", parts(&mail).text);
        assert_eq!(
            mail.header("Content-Language").as_deref(),
            Some(if language == "fr" { "en" } else { &language[..2] })
        );
    }
}

both_databases!(what_costs_nothing_is_confirmed_and_not_paid);
async fn what_costs_nothing_is_confirmed_and_not_paid(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = opened(smtp.shop(backend)).await;
    place_in(&shop, &shop.customer().await, "sample", "en").await;
    shop.run_jobs().await;
    let Parts { subject, text, .. } = parts(&smtp.only());
    assert!(subject.contains("your order") && !text.contains("How to pay"), "{subject}\n{text}");
}

both_databases!(an_anonymized_customer_is_told_nothing);
async fn an_anonymized_customer_is_told_nothing(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = opened(smtp.shop(backend)).await;
    let customer = shop.customer().await;
    let order = place(&shop, &customer).await;
    pay(&shop, &order).await;
    anonymize_customer(&shop.parts.db, customer.id).await.expect("it is done");
    shop.run_jobs().await;
    assert_eq!((smtp.connections(), count(&shop, COUNT_ROWS).await), (0, 0));
    assert_eq!(count(&shop, COUNT_DELIVERIES).await, 0);
}

both_databases!(a_busy_mailbox_gets_mail_and_file_later);
async fn a_busy_mailbox_gets_mail_and_file_later(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = opened(smtp.shop(backend)).await;
    let order = place(&shop, &shop.customer().await).await;
    shop.run_jobs().await;
    smtp.only();
    smtp.script([Reply::Busy]);
    pay(&shop, &order).await;
    shop.run_jobs().await;
    assert_eq!(smtp.collect().len(), 0);
    shop.advance(TimeDelta::minutes(1));
    shop.run_jobs().await;
    assert!(parts(&smtp.only()).file.is_some());
}

both_databases!(without_a_mail_server_no_order_is_told_about);
async fn without_a_mail_server_no_order_is_told_about(backend: Backend) {
    let shop = opened(TestShop::builder(backend)).await;
    let order = place(&shop, &shop.customer().await).await;
    pay(&shop, &order).await;
    assert_eq!(count(&shop, COUNT_DELIVERIES).await, 0, "no event waits for a mail server");
    shop.run_jobs().await;
    assert_eq!(count(&shop, COUNT_ROWS).await, 0);
}

both_databases!(texts_of_the_shops_own_take_the_place_of_ours);
async fn texts_of_the_shops_own_take_the_place_of_ours(backend: Backend) {
    let folder = tempfile::tempdir().expect("a folder");
    let own = "Subject: Got {order_number} ({items})\n\nDear {name}, that makes {total}.\n";
    std::fs::write(folder.path().join("order_placed.en.txt"), own).expect("it is written");
    let smtp = SmtpFake::open().await;
    let config = smtp.config().replace("[mail]", &format!("[mail]\ntemplates = '{}'", folder.path().display()));
    let shop = opened(TestShop::builder(backend).config(&config)).await;
    let customer = shop.customer().await;
    let order = place(&shop, &customer).await;
    shop.run_jobs().await;
    let mail = smtp.only();
    assert_eq!(parts(&mail).text, "Dear Ada Buyer, that makes €40.00.");
    assert_eq!(mail.raw.matches("\r\nSubject: ").count(), 1);
    assert_eq!((mail.header("Colour"), mail.to.len()), (None, 1));
    place_in(&shop, &customer, "lamp", "de").await;
    shop.run_jobs().await;
    assert!(parts(&smtp.only()).text.contains("Guten Tag"), "what is not there stays as it was");
    assert!(order["number"].is_string());
}

#[test]
fn broken_texts_refuse_the_start_and_say_where() {
    let folder = tempfile::tempdir().expect("a folder");
    let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("it is written");
    put("order_placed.en.txt", "Subject: {order_number}\n\nHello {nmae}\n");
    put("order_paid.de.txt", "Guten Tag\n");
    put("order_payed.nl.txt", "Subject: x\ny\n");
    put("notes.md", "not a text of the shop");
    let config = format!("[mail]\ntemplates = '{}'", folder.path().display());
    let refused = TestShop::builder(Backend::Sqlite).config(&config).freeze().err().expect("it is refused").to_string();
    for words in [
        "order_placed.en.txt:3:7: there is no placeholder `{nmae}` here; there are {shop_name}, {name}",
        "order_paid.de.txt:1:1: the first line must be the subject",
        "order_payed.nl.txt: this is the text of no mail; there are ticket_replied.en.txt",
    ] {
        assert!(refused.contains(words), "{words}\n{refused}");
    }
    assert!(!refused.contains("notes.md"), "{refused}");
    let config = format!("[mail]\ntemplates = '{}'", folder.path().join("absent").display());
    let refused = TestShop::builder(Backend::Sqlite).config(&config).freeze().err().expect("it is refused").to_string();
    assert!(refused.contains("`mail.templates`: the folder of templates cannot be read"), "{refused}");
}
