//! What the mail about a payment says of files.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;
use stoa_core::testing::smtp_fake::{Received, SmtpFake};
use stoa_downloads::Downloads;

use crate::kit::{attach, buy, bytes, customer, digital};

/// What somebody is told who has bought songs, in a shop with these settings.
async fn told(backend: Backend, settings: &str) -> Received {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).config(settings).module::<Downloads>().open().await;
    shop.stock(&[digital("songs", &json!({}))]).await;
    attach(&shop, "songs", "songs.zip", &bytes(100), &["--label", "All the songs"]).await;
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    let paid = smtp.collect().into_iter().find(|mail| mail.text().contains("received your payment"));
    paid.expect("the payment is told")
}

both_databases!(the_mail_about_the_payment_leads_to_the_files);
async fn the_mail_about_the_payment_leads_to_the_files(backend: Backend) {
    let page = "https://www.example.com/order/O-000001?key=";
    let mail = told(backend, "[shop]\norder_url = \"https://www.example.com/order/{number}?key={key}\"").await;
    let text = mail.text();
    let (_, part) = text.split_once("The songs\n").expect("it tells of the product");
    assert!(part.starts_with(&format!("All the songs\nDownload:\n{page}")), "{text}");
    let html = mail.html();
    let button = html.split("<a ").find(|link| link.contains(">Download<")).unwrap_or_else(|| panic!("{html}"));
    assert!(button.contains(page), "{button}");
}

both_databases!(without_a_page_for_orders_the_mail_says_to_log_in);
async fn without_a_page_for_orders_the_mail_says_to_log_in(backend: Backend) {
    let text = told(backend, "").await.text();
    assert!(text.contains("The songs\nLog in to download your files:\nAll the songs"), "{text}");
}
