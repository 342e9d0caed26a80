//! The mail about what was paid: what to do with each thing that was bought.

use stoa_core::chrono::TimeDelta;
use stoa_core::db::Backend;
use stoa_core::orders::OrderNumber;
use stoa_core::testing::both_databases;
use stoa_core::testing::smtp_fake::SmtpFake;

use crate::kit::{SLUGS, browser, buy, stocked};

both_databases!(one_mail_hands_over_everything_that_was_bought);
async fn one_mail_hands_over_everything_that_was_bought(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = stocked(smtp.shop(backend)).await;
    let order = buy(&shop, &mut browser(&shop), &SLUGS).await;
    // The mail may have been written before the tickets were issued, and then looks for them again.
    shop.advance(TimeDelta::seconds(3));
    shop.run_jobs().await;
    let mails = smtp.collect();
    let paid = mails.iter().filter(|mail| mail.text().contains("received your payment")).collect::<Vec<_>>();
    let [paid] = paid[..] else { panic!("it is one mail: {mails:?}") };
    assert_eq!(paid.to, ["ada@example.com"]);
    let page = format!("/order/{}?key=", OrderNumber::of(order));
    for text in [paid.text(), paid.html()] {
        for said in [
            "Songs",
            "Download",
            "1 × License",
            "Show what you have bought",
            "1 × Concert",
            "Your tickets are attached as PDF",
            "1 × Hosting",
            "We are setting this up for you.",
            "1 × Tea",
            "Your subscription is billed again every month.",
            &page,
        ] {
            assert!(text.contains(said), "{said}\n{text}");
        }
        assert!(!text.contains("KEY-"), "a value is shown: {text}");
    }
    let mut files = paid.files().into_iter().map(|(name, ..)| name).collect::<Vec<_>>();
    files.sort();
    assert_eq!(files.len(), 2, "{files:?}");
    assert!(files[0] == "ET-000001.pdf" && files[1].starts_with("INV-"), "{files:?}");
}
