//! Questions to the shop.

use stoa_core::db::Backend;
use stoa_core::support_tickets::{TicketAuthor, TicketNumber, reply_to_ticket};
use stoa_core::testing::smtp_fake::SmtpFake;
use stoa_core::testing::{TestBrowser, TestShop, both_databases};

use crate::kit::{browser, builder, buy_a_book, goods, leads_to, shop};

const PAGE: &str = "/account/support";

async fn customer(shop: &TestShop) -> TestBrowser {
    let mut ada = browser(shop);
    ada.log_in(&shop.customer().await).await;
    ada
}

both_databases!(a_customer_asks_and_reads_the_answer_and_replies);
async fn a_customer_asks_and_reads_the_answer_and_replies(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let mail = smtp.config().replace("[mail]", "[mail]\nnotify = ['owner@example.com']");
    let shop = builder(backend).config(&mail).open().await;
    let mut ada = customer(&shop).await;
    let question = [("subject", "The <lamp> hums"), ("body", "Since yesterday.\nWhat can I do?")];
    assert_eq!(leads_to(&ada.submit(PAGE, &question).await), PAGE);
    let page = ada.get(PAGE).await.expect_status(200).text();
    assert!(page.contains("The &lt;lamp&gt; hums") && page.contains("What can I do?"), "{page}");
    assert!(page.contains("We have received your question."), "{page}");
    shop.run_jobs().await;
    assert!(smtp.only().text().contains("What can I do?"));
    reply_to_ticket(&shop.parts.db, TicketNumber::of(1), TicketAuthor::Staff, "Try another bulb.").await.expect("sent");
    assert!(ada.get(PAGE).await.text().contains("Try another bulb."));
    assert_eq!(leads_to(&ada.submit("/account/support/1", &[("body", "That helps.")]).await), PAGE);
    let page = ada.get(PAGE).await.expect_status(200).text();
    assert!(page.contains("That helps.") && page.contains("Waiting for the shop"), "{page}");
}

both_databases!(the_answer_comes_in_the_language_of_the_question);
async fn the_answer_comes_in_the_language_of_the_question(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = builder(backend).config(&smtp.config()).open().await;
    for (ticket, language, words) in
        [(1, "nl", "beantwoord"), (2, "de", "wir haben Ihre Anfrage"), (3, "en", "answered")]
    {
        let mut ada = browser(&shop).with_header("accept-language", language);
        ada.log_in(&shop.customer().await).await;
        ada.submit(PAGE, &[("subject", "The lamp hums"), ("body", "Since yesterday.")]).await.expect_status(303);
        let number = TicketNumber::of(ticket);
        reply_to_ticket(&shop.parts.db, number, TicketAuthor::Staff, "Try another bulb.").await.expect("sent");
        shop.run_jobs().await;
        let mail = smtp.only();
        assert!(mail.text().contains(words), "{}", mail.text());
        assert_eq!(mail.header("Content-Language").as_deref(), Some(language));
    }
}

both_databases!(what_is_missing_of_a_question_is_told_and_nothing_is_lost);
async fn what_is_missing_of_a_question_is_told_and_nothing_is_lost(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = customer(&shop).await;
    let page = ada.submit(PAGE, &[("subject", ""), ("body", "A long story")]).await.expect_status(422).text();
    assert!(page.contains("id=\"subject-wrong\"") && page.contains(">A long story</textarea>"), "{page}");
    ada.submit(PAGE, &[("subject", "A"), ("body", "B")]).await.expect_status(303);
    let page = ada.submit("/account/support/1", &[("body", " ")]).await.expect_status(422).text();
    assert!(page.contains("id=\"body-1-wrong\"") && page.contains("<details open>"), "{page}");
}

both_databases!(a_ticket_is_there_for_its_customer_alone);
async fn a_ticket_is_there_for_its_customer_alone(backend: Backend) {
    let shop = shop(backend).await;
    customer(&shop).await.submit(PAGE, &[("subject", "Secret"), ("body", "B")]).await.expect_status(303);
    let mut eve = customer(&shop).await;
    assert!(!eve.get(PAGE).await.expect_status(200).text().contains("Secret"));
    eve.submit("/account/support/1", &[("body", "Me too")]).await.expect_status(404);
    let mut guest = browser(&shop);
    shop.stock(&goods()).await;
    buy_a_book(&mut guest).await;
    guest.submit(PAGE, &[("subject", "A"), ("body", "B")]).await.expect_status(403);
}

both_databases!(nobody_fills_the_inbox_of_the_shop);
async fn nobody_fills_the_inbox_of_the_shop(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = customer(&shop).await;
    for _ in 0..20 {
        ada.submit(PAGE, &[("subject", "A"), ("body", "B")]).await.expect_status(303);
    }
    let page = ada.submit(PAGE, &[("subject", "A"), ("body", "Once more")]).await.expect_status(409).text();
    assert!(page.contains("role=\"alert\"") && page.contains("Once more"), "{page}");
}
