//! Every mail as text and HTML: each kind in each language, with the operator's own templates, and what older versions have written.

use std::path::Path;

use serde_json::{Value, json};
use stoa_core::customers::CustomerRecord;
use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::from_shop::FromShop;
use stoa_core::mail::SendMail;
use stoa_core::orders::{CancelReason, Carriage, OrderNumber, cancel_order, ship_order_with};
use stoa_core::payments::{Payments, record_payment};
use stoa_core::refunds::{NewRefund, RefundScope, refund_order};
use stoa_core::sql;
use stoa_core::support_tickets::{
    NewTicket, TicketAuthor, TicketNumber, TicketPriority, create_ticket, reply_to_ticket,
};
use stoa_core::testing::smtp_fake::{Received, SmtpFake};
use stoa_core::testing::{TestShop, TestShopBuilder, both_databases};
use stoa_core::withdrawals::{WithdrawalNumber, refuse_withdrawal};

const SHOP: &str = "[shop]\nname = 'Lamps & Co'\nconsumer_rights = 'eu'\norder_url = 'https://lamps.example/orders/{number}?key={key}'\n\
                    [seller]\naddress = ['Lampenweg 5', '10115 Berlin']\n\
                    [payments.manual]\ninstructions = 'Transfer {amount} & name {order}.'\n\
                    [[shipping.carriers]]\nid = 'post'\nlabel = 'The Post'\ntracking_url = 'https://post.example/?n={number}&l=1'\n";

/// What an older version has written: a text alone.
const MAKE_OLD: Sql = sql!("UPDATE mail_messages SET html = NULL, kind = NULL, customer_id = NULL");

fn lamp() -> Value {
    json!({"type": "product", "slug": "lamp", "name": "Lamp <b>\"1\"</b>", "price_amount": 2000, "capabilities": ["shippable"]})
}

async fn opened(builder: TestShopBuilder) -> TestShop {
    opened_in(builder, "en").await
}

/// A shop whose own language is this.
async fn opened_in(builder: TestShopBuilder, language: &str) -> TestShop {
    let config = SHOP.replacen("[shop]\n", &format!("[shop]\nlocale = '{language}'\n"), 1);
    let shop = builder.config(&config).open().await;
    shop.stock(&[lamp()]).await;
    shop
}

async fn place(shop: &TestShop, customer: &CustomerRecord, language: &'static str) -> Value {
    let client = shop.client().token(customer, &["*"]).await.with_header("accept-language", language);
    client.post("/cart", &json!({"product_id": 1, "quantity": 2})).await.expect_status(200);
    let address = json!({"name": "Ada <Buyer>", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA",
                         "country": "NL"});
    let body = json!({"payment_method": "manual", "shipping_method_id": "standard", "billing": address, "shipping": address,
                      "note": "Ring \"twice\" & wait"});
    client.post("/checkout", &body).await.expect_status(201).json()["data"].clone()
}

fn id(order: &Value) -> i64 {
    order["id"].as_i64().expect("an id")
}

/// The one mail whose subject holds these words.
fn about<'a>(mails: &'a [Received], to: &str, text: &str) -> &'a Received {
    let found = mails.iter().filter(|mail| mail.to == [to] && mail.text().contains(text)).collect::<Vec<_>>();
    let texts =
        || mails.iter().map(|mail| format!("{:?}\n{}", mail.to, mail.text())).collect::<Vec<_>>().join("\n---\n");
    assert_eq!(found.len(), 1, "{text}\n{}", texts());
    found[0]
}

/// What people read of HTML.
fn read(html: &str) -> String {
    let body = html.split_once("<body").expect("a body").1;
    let (_, mut rest) = body.split_once('>').expect("it begins");
    let mut read = String::new();
    while let Some((text, tail)) = rest.split_once('<') {
        read.push_str(text);
        rest = tail.split_once('>').expect("a tag ends").1;
    }
    let entities = [("&lt;", "<"), ("&gt;", ">"), ("&quot;", "\""), ("&#39;", "'"), ("&nbsp;", " "), ("&amp;", "&")];
    entities.iter().fold(read, |read, (entity, letter)| read.replace(entity, letter))
}

/// Both say the same, the HTML is a document in this language, and nothing that somebody typed is markup.
fn assert_both_say_the_same(mail: &Received, language: &str) {
    let (text, html) = (mail.text(), mail.html());
    assert!(html.starts_with(&format!("<!doctype html>\n<html lang=\"{language}\">")), "{html}");
    assert_eq!(mail.header("Content-Language").as_deref(), Some(language));
    assert!(html.contains("prefers-color-scheme: dark") && html.contains("Lampenweg 5<br>\n10115 Berlin"), "{html}");
    assert!(!html.contains('{') || !html.contains("{order_url}"), "{html}");
    assert!(!html.contains("<b>") && !html.contains("<Buyer>"), "{html}");
    let said = read(&html);
    for part in text.lines().flat_map(|line| line.split(": ")).map(str::trim) {
        let part = part.trim_end_matches(':');
        // The address of a page stands behind its button.
        let is_there =
            if part.starts_with("https://") { html.contains(&part.replace('&', "&amp;")) } else { said.contains(part) };
        assert!(is_there, "{part}\n{said}\n{html}");
    }
}

both_databases!(each_mail_is_text_and_html_in_each_language);
async fn each_mail_is_text_and_html_in_each_language(backend: Backend) {
    let smtp = SmtpFake::open().await;
    for (language, words) in [
        (
            "en",
            [
                "thank you for your order",
                "received your payment",
                "have sent goods",
                "is cancelled",
                "have refunded",
                "have answered",
            ],
        ),
        ("de", ["vielen Dank für Ihre", "Ihre Zahlung", "verschickt", "storniert", "erstattet", "beantwortet"]),
        ("nl", ["hartelijk dank voor", "uw betaling", "verzonden", "geannuleerd", "terugbetaald", "beantwoord"]),
    ] {
        let config = smtp.config().replace("[mail]", "[mail]\nnotify = ['owner@lamps.example']");
        let shop = opened_in(TestShop::builder(backend).config(&config), language).await;
        let customer = shop.customer().await;
        let order = place(&shop, &customer, language).await;
        shop.run_jobs().await;
        let mails = smtp.collect();
        let placed = about(&mails, &customer.email, words[0]);
        let owner = about(&mails, "owner@lamps.example", "Ring \"twice\" & wait");
        for known in [&customer.email, "Ada <Buyer>", "Lamp <b>\"1\"</b>", "1015 AA Amsterdam", "40"] {
            assert!(owner.text().contains(known), "{known}\n{}", owner.text());
        }
        record_payment(&Payments::from_shop(&shop.parts), id(&order)).await.expect("it is recorded");
        shop.run_jobs().await;
        let paid = smtp.only();
        assert!(paid.text().contains(words[1]), "{}", paid.text());
        assert_eq!(paid.files().iter().map(|(name, ..)| name.as_str()).collect::<Vec<_>>(), ["INV-2026-000001.pdf"]);
        let carriage = Carriage { tracking: Some("3S \"1\""), carrier: Some("post") };
        ship_order_with(&shop.parts.db, OrderNumber::of(id(&order)), &[], carriage).await.expect("it is sent");
        shop.run_jobs().await;
        let shipped = smtp.only();
        for known in [words[2], "The Post", "3S \"1\"", "2 × Lamp", "https://post.example/?n=3S%20%221%22&l=1"] {
            assert!(shipped.text().contains(known), "{known}\n{}", shipped.text());
        }
        let new = NewRefund { order_id: id(&order), scope: RefundScope::Amount(500), reason: String::from("<Sorry>") };
        refund_order(&shop.uses(), &new).await.expect("it goes back");
        shop.run_jobs().await;
        let refunded = smtp.only();
        assert!(refunded.text().contains(words[4]) && refunded.text().contains("<Sorry>"), "{}", refunded.text());
        let other = place(&shop, &customer, language).await;
        shop.run_jobs().await;
        smtp.collect();
        let payments = Payments::from_shop(&shop.parts);
        cancel_order(&payments, id(&other), CancelReason::Expired).await.expect("it is cancelled");
        shop.run_jobs().await;
        let cancelled = smtp.only();
        assert!(cancelled.text().contains(words[3]), "{}", cancelled.text());
        let new = NewTicket {
            customer_id: customer.id,
            subject: String::from("It <hums>"),
            body: String::from("Since\n\nyesterday & today"),
            priority: TicketPriority::Normal,
            language: None,
        };
        let ticket = create_ticket(&shop.parts.db, &new).await.expect("it is opened").ticket;
        let answer = "We send\nanother <one>.";
        reply_to_ticket(&shop.parts.db, TicketNumber::of(ticket.id), TicketAuthor::Staff, answer)
            .await
            .expect("it is said");
        shop.run_jobs().await;
        let mails = smtp.collect();
        let replied = about(&mails, &customer.email, words[5]);
        assert!(replied.text().contains(answer) && replied.text().contains(&ticket.number), "{}", replied.text());
        let asked = about(&mails, "owner@lamps.example", "yesterday & today");
        assert!(asked.text().contains("It <hums>") && asked.text().contains(&customer.email), "{}", asked.text());
        for mail in [placed, owner, &paid, &shipped, &refunded, &cancelled, replied, asked] {
            assert_both_say_the_same(mail, language);
        }
    }
}

both_databases!(mails_about_a_withdrawal_are_text_and_html_in_each_language);
async fn mails_about_a_withdrawal_are_text_and_html_in_each_language(backend: Backend) {
    let smtp = SmtpFake::open().await;
    for (language, words) in [
        ("en", ["we confirm that you have withdrawn", "has withdrawn from the contract", "cannot accept"]),
        ("de", ["wir bestätigen, dass Sie", "hat den Vertrag", "nicht annehmen"]),
        ("nl", ["wij bevestigen dat u", "heeft de overeenkomst", "niet aanvaarden"]),
    ] {
        let config = smtp.config().replace("[mail]", "[mail]\nnotify = ['owner@lamps.example']");
        let shop = opened_in(TestShop::builder(backend).config(&config), language).await;
        let customer = shop.customer().await;
        let order = place(&shop, &customer, language).await;
        record_payment(&Payments::from_shop(&shop.parts), id(&order)).await.expect("it is recorded");
        shop.run_jobs().await;
        smtp.collect();
        let client = shop.client().token(&customer, &["*"]).await;
        let declared = json!({"order_id": order["id"], "statement": "Too <bright>\n& loud."});
        let withdrawal = client.post("/withdrawals", &declared).await.expect_status(201).json()["data"].clone();
        let number = withdrawal["number"].as_str().expect("a number");
        shop.run_jobs().await;
        let mails = smtp.collect();
        assert_eq!(mails.len(), 2, "{mails:?}");
        let receipt = about(&mails, &customer.email, words[0]);
        let owner = about(&mails, "owner@lamps.example", words[1]);
        assert!(owner.text().contains(&customer.email), "{}", owner.text());
        assert!(receipt.text().contains(number), "{}", receipt.text());
        for mail in [receipt, owner] {
            for known in ["2 × Lamp <b>\"1\"</b>", "Too <bright>\n& loud."] {
                assert!(mail.text().contains(known), "{known}\n{}", mail.text());
            }
            assert_both_say_the_same(mail, language);
        }
        let reason = Some("The <lamp> is\nbroken & wet.");
        let refused =
            refuse_withdrawal(&shop.parts.db, &shop.uses(), WithdrawalNumber::of(id(&withdrawal)), reason).await;
        refused.expect("it is refused");
        shop.run_jobs().await;
        let mail = smtp.only();
        for known in [words[2], "The <lamp> is\nbroken & wet.", number] {
            assert!(mail.text().contains(known), "{known}\n{}", mail.text());
        }
        assert_both_say_the_same(&mail, language);
    }
}

both_databases!(words_above_the_link_of_an_order_are_its_button);
async fn words_above_the_link_of_an_order_are_its_button(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = opened(smtp.shop(backend)).await;
    place(&shop, &shop.customer().await, "en").await;
    shop.run_jobs().await;
    let html = smtp.only().html();
    let (_, button) = html.split_once("<a class=\"button\" href=\"https://lamps.example/orders/").expect("a button");
    assert!(button.split_once("</a>").expect("it ends").0.ends_with(">Your order, without logging in"), "{html}");
    assert!(
        html.contains("<div style=\"display:none;max-height:0;overflow:hidden;\">thank you for your order"),
        "{html}"
    );
}

fn with_templates(backend: Backend, smtp: &SmtpFake, folder: &Path) -> TestShopBuilder {
    let own = format!("[mail]\ntemplates = '{}'", folder.display());
    TestShop::builder(backend).config(&smtp.config().replace("[mail]", &own))
}

both_databases!(html_of_the_shops_own_is_sent_and_else_follows_from_the_text);
async fn html_of_the_shops_own_is_sent_and_else_follows_from_the_text(backend: Backend) {
    let (folder, smtp) = (tempfile::tempdir().expect("a folder"), SmtpFake::open().await);
    let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("it is written");
    put("order_placed.en.txt", "Subject: Got {order_number}\n\nDear {name},\n\nfine.\n\nLook:\n{order_url}\n");
    put(
        "order_placed.de.html",
        "<p class=\"own\" title=\"{name}\">{name}</p>\n\n{items}\n\n<p>{payment_instructions}</p>\n\n<p>never {shop_name}</p>",
    );
    put("order_placed.nl.html", "<!DOCTYPE html>\n<html><body>{order_number} {{x}}</body></html>");
    put("layout.html", "<html><body id=\"mine\">\n\n{content}\n\n</body></html>");
    let shop = opened(with_templates(backend, &smtp, folder.path())).await;
    let customer = shop.customer().await;
    let mut sent = Vec::new();
    for language in ["en", "de", "nl"] {
        place(&shop, &customer, language).await;
        shop.run_jobs().await;
        sent.push(smtp.only());
    }
    let html = sent[0].html();
    assert!(html.starts_with("<html><body id=\"mine\">") && html.contains(">Look</a>"), "{html}");
    assert!(html.contains("Dear Ada &lt;Buyer&gt;,</p>"), "{html}");
    let html = sent[1].html();
    assert!(html.contains("<p class=\"own\" title=\"Ada &lt;Buyer&gt;\">Ada &lt;Buyer&gt;</p>"), "{html}");
    assert!(html.contains("<table role=\"presentation\"") && html.contains("<p>Transfer €40.00 &amp; name"), "{html}");
    assert!(sent[1].text().contains("vielen Dank"), "the text stays as it was");
    assert!(sent[2].html().contains("<html><body>O-") && !sent[2].html().contains("mine"), "{}", sent[2].html());
    assert!(sent[2].html().contains(" {x}</body>"), "{}", sent[2].html());
}

#[test]
fn mistakes_in_html_refuse_the_start_and_say_where() {
    let folder = tempfile::tempdir().expect("a folder");
    let put = |name: &str, text: &str| std::fs::write(folder.path().join(name), text).expect("it is written");
    put("order_placed.en.html", "<p>\n{nmae}</p>");
    put("order_paid.de.html", "<style>p { color: red }</style>");
    put("order_payed.nl.html", "<p></p>");
    put("layout.html", "<html>{subject}</html>");
    let config = format!("[mail]\ntemplates = '{}'", folder.path().display());
    let refused = TestShop::builder(Backend::Sqlite).config(&config).freeze().err().expect("it is refused").to_string();
    for words in [
        "order_placed.en.html:2:1: there is no placeholder `{nmae}` here",
        "order_paid.de.html:1:10: there is no placeholder `{ color: red }`",
        "order_payed.nl.html: this is the HTML of no mail; there are",
        "layout.html:1:1: a layout must name {content}",
    ] {
        assert!(refused.contains(words), "{words}\n{refused}");
    }
}

both_databases!(what_an_older_version_has_written_is_sent_as_text);
async fn what_an_older_version_has_written_is_sent_as_text(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = opened(smtp.shop(backend)).await;
    smtp.script([stoa_core::testing::smtp_fake::Reply::Busy]);
    place(&shop, &shop.customer().await, "en").await;
    shop.run_jobs().await;
    assert_eq!(smtp.collect().len(), 0);
    let old = shop.parts.db.write(async |tx| -> Result<u64, DbError> {
        tx.enqueue_anew(&SendMail { mail_message_id: 1 }).await?;
        tx.run(MAKE_OLD).execute().await
    });
    assert_eq!(old.await.expect("it is changed"), 1);
    shop.run_jobs().await;
    let mail = smtp.only();
    assert_eq!(mail.header("Content-Type").as_deref(), Some("text/plain; charset=utf-8"));
    assert!(mail.text().contains("thank you for your order"), "{}", mail.text());
}
