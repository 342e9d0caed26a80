//! What customers are told by mail.

use stoa_core::db::Backend;
use stoa_core::serde_json::json;
use stoa_core::testing::both_databases;
use stoa_core::testing::smtp_fake::SmtpFake;

use stoa_guest_book::GuestBookModule as TheModule;

use crate::shelf::{buy_tea, somebody};

both_databases!(whoever_has_paid_is_thanked_once);
async fn whoever_has_paid_is_thanked_once(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).module::<TheModule>().open().await;
    buy_tea(&shop, &somebody(&shop).await, json!({})).await;
    for _ in 0..2 {
        shop.run_jobs().await;
    }
    let mails = smtp.collect().into_iter().filter(|mail| mail.text().contains("Thank you very much.")).count();
    assert_eq!(mails, 1);
}
