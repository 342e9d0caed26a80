//! A shop without a mail server.

use serde_json::json;
use stoa_core::db::{Backend, Sql};
use stoa_core::sql;
use stoa_core::testing::smtp_fake::SmtpFake;
use stoa_core::testing::{TestShop, both_databases};

use crate::registration::{register, verify};
use crate::reset::forgot;

const COUNT_ROWS: Sql = sql!(
    "SELECT (SELECT COUNT(*) FROM mail_messages) + (SELECT COUNT(*) FROM email_tokens)
          + (SELECT COUNT(*) FROM tasks WHERE lane = 'events')"
);

both_databases!(without_a_mail_server_nothing_is_written_and_answers_stay_the_same);
async fn without_a_mail_server_nothing_is_written_and_answers_stay_the_same(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let mut browser = register(&shop, "ada@example.com").await;
    for email in ["ada@example.com", "nobody@example.com"] {
        assert_eq!(forgot(&shop, email).await.expect_status(200).json(), json!({"ok": true}));
    }
    shop.run_jobs().await;
    assert_eq!(shop.parts.db.read(COUNT_ROWS).scalar::<i64>().await.expect("rows can be counted"), 0);
    browser.post("/session/email/resend", &json!({})).await.expect_error(404, "not_found");
}

both_databases!(a_link_still_works_after_the_mail_server_was_taken_away);
async fn a_link_still_works_after_the_mail_server_was_taken_away(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = smtp.shop(backend).open().await;
    register(&shop, "ada@example.com").await;
    shop.run_jobs().await;
    let token = json!(smtp.only().token());
    let without = TestShop::builder(backend).on(shop.database()).clock(&shop.clock).seed(2).open().await;
    verify(&without, &token).await.expect_status(200);
}
