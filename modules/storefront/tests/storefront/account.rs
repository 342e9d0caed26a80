//! Customers and what is theirs.

use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::kit::{browser, leads_to, shop};

both_databases!(a_customer_logs_in_and_out_and_comes_back_to_where_it_was);
async fn a_customer_logs_in_and_out_and_comes_back_to_where_it_was(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let mut ada = browser(&shop);
    assert_eq!(leads_to(&ada.get("/account/addresses").await), "/login?next=%2Faccount%2Faddresses");
    let wrong = [("email", customer.email.as_str()), ("password", "wrong"), ("next", "/account/addresses")];
    let page = ada.submit("/login", &wrong).await.expect_status(422).text();
    assert!(page.contains(&customer.email) && !page.contains("value=\"wrong\""), "{page}");
    let right = [("email", customer.email.as_str()), ("password", TestShop::PASSWORD), ("next", "/account/addresses")];
    assert_eq!(leads_to(&ada.submit("/login", &right).await), "/account/addresses");
    ada.get("/account/addresses").await.expect_status(200);
    for page in ["/account", "/account/orders", "/account/purchases", "/account/security", "/account/support"] {
        ada.get(page).await.expect_status(200);
    }
    ada.submit("/logout", &[]).await.expect_status(303);
    ada.get("/account").await.expect_status(303);
}

both_databases!(an_account_is_made_and_an_address_kept);
async fn an_account_is_made_and_an_address_kept(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = browser(&shop);
    let new = [("name", "Ada"), ("email", "ada@example.com"), ("password", "a quite long sentence")];
    assert_eq!(leads_to(&ada.submit("/register", &new).await), "/account");
    let address = [("name", "Ada"), ("line1", "Weg 1"), ("city", "Gent"), ("postal_code", ""), ("country", "BE")];
    let page = ada.submit("/account/addresses", &address).await.expect_status(422).text();
    assert!(page.contains("id=\"postal_code-wrong\"") && page.contains("value=\"Gent\""), "{page}");
    let address = [("name", "Ada"), ("line1", "Weg 1"), ("city", "Gent"), ("postal_code", "9000"), ("country", "BE")];
    ada.submit("/account/addresses", &address).await.expect_status(303);
    assert!(ada.get("/account/addresses").await.text().contains("9000 Gent"));
}

both_databases!(the_login_leads_to_no_other_site);
async fn the_login_leads_to_no_other_site(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let fields = [("email", customer.email.as_str()), ("password", TestShop::PASSWORD), ("next", "//evil.example")];
    assert_eq!(leads_to(&browser(&shop).submit("/login", &fields).await), "/account");
}
