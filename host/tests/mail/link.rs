//! Where links lead to.

use stoa_core::db::Backend;
use stoa_core::testing::both_databases;
use stoa_core::testing::smtp_fake::SmtpFake;

use crate::registration::register;
use crate::reset::forgotten;

both_databases!(links_can_lead_to_another_website);
async fn links_can_lead_to_another_website(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let config = "[accounts]\nverify_email_url = 'https://www.example.com/#/confirm/{token}'\n\
                  reset_password_url = 'https://www.example.com/reset?from=mail&token={token}'\n";
    let shop = smtp.shop(backend).config(config).open().await;
    register(&shop, "ada@example.com").await;
    shop.run_jobs().await;
    let mail = smtp.only();
    assert_eq!(mail.link(), format!("https://www.example.com/#/confirm/{}", mail.token()));
    let mail = forgotten(&shop, &smtp, "ada@example.com").await;
    assert_eq!(mail.link(), format!("https://www.example.com/reset?from=mail&token={}", mail.token()));
}

both_databases!(links_lead_to_the_public_address);
async fn links_lead_to_the_public_address(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let config = "[server]\nbase_url = 'https://shop.example'\n";
    let shop = smtp.shop(backend).config(config).open().await;
    let customer = shop.customer().await;
    let mail = forgotten(&shop, &smtp, &customer.email).await;
    assert_eq!(mail.link(), format!("https://shop.example/account/reset-password?token={}", mail.token()));
    // A header that a visitor can choose has no part in it.
    let client = shop.client().with_header("host", "evil.example").with_header("x-forwarded-host", "evil.example");
    let page = client
        .send(client.site_request(http::Method::GET, &format!("/account/reset-password?token={}", mail.token()), ""))
        .await;
    assert!(page.text().contains("action=\"/account/reset-password\""), "{}", page.text());
    assert!(!page.text().contains("evil"));
}
