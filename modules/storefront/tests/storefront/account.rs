//! Customers and what is theirs.

use stoa_core::chrono::TimeDelta;
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::kit::{browser, builder, buy_a_book, goods, guest, leads_to, shop, value_of};

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

both_databases!(what_was_typed_after_the_session_has_ended_is_there_again_after_the_login);
async fn what_was_typed_after_the_session_has_ended_is_there_again_after_the_login(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let login = |kept: &[(&'static str, &'static str)], next| {
        let own = [("email", customer.email.clone()), ("password", TestShop::PASSWORD.to_owned())];
        let next = [("next".to_owned(), String::from(next))];
        let kept = kept.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned()));
        own.map(|(name, value)| (name.to_owned(), value)).into_iter().chain(next).chain(kept).collect::<Vec<_>>()
    };
    for (path, page, sent, kept) in [
        ("/account/support", "/account/support", ("body", "A long story"), ("kept.body", "A long story")),
        ("/account/addresses", "/account/addresses", ("line1", "Weg <1>"), ("kept.line1", "Weg <1>")),
    ] {
        let mut ada = browser(&shop);
        let asked = ada.submit(path, &[sent]).await.expect_status(200).text();
        assert!(
            asked.contains("You have been logged out.") && asked.contains(&format!("name=\"{}\"", kept.0)),
            "{asked}"
        );
        let fields = login(&[kept], page);
        let fields = fields.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect::<Vec<_>>();
        let shown = ada.submit("/login", &fields).await.expect_status(200).text();
        let typed = sent.1.replace('<', "&lt;").replace('>', "&gt;");
        assert!(shown.contains(&typed) && shown.contains("Log out"), "{shown}");
    }
}

both_databases!(a_shop_without_registration_offers_none);
async fn a_shop_without_registration_offers_none(backend: Backend) {
    let shop = builder(backend).config("[accounts]\nregistration = false").open().await;
    let mut visitor = browser(&shop);
    let page = visitor.get("/login").await.expect_status(200).text();
    assert!(!page.contains("Create account"), "{page}");
    visitor.get("/register").await.expect_status(404);
}

both_databases!(a_shop_without_guests_has_them_log_in_at_the_checkout);
async fn a_shop_without_guests_has_them_log_in_at_the_checkout(backend: Backend) {
    let shop = builder(backend).config("[accounts]\nguests = false").open().await;
    shop.stock(&goods()).await;
    let mut visitor = browser(&shop);
    visitor.submit("/cart", &[("slug", "reading-book"), ("quantity", "1")]).await;
    let page = visitor.get("/checkout").await.expect_status(200).text();
    assert!(page.contains("href=\"/login?next=/checkout\"") && page.contains("Create account"), "{page}");
    assert!(!page.contains("name=\"email\"") && page.contains("1 × Reading book"), "{page}");
    assert_eq!(leads_to(&visitor.submit("/checkout", &[("order", "1")]).await), "/checkout");
}

both_databases!(a_guest_who_registers_or_logs_in_keeps_the_cart);
async fn a_guest_who_registers_or_logs_in_keeps_the_cart(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let known = [("email", customer.email.as_str()), ("password", TestShop::PASSWORD)];
    // The customer has a book already.
    let mut before = browser(&shop);
    before.submit("/login", &known).await.expect_status(303);
    before.submit("/cart", &[("slug", "reading-book"), ("quantity", "1")]).await.expect_status(303);
    let new = [("name", "Ada"), ("email", "ada.new@example.com"), ("password", "a quite long sentence")];
    for (path, fields, expected) in [("/register", &new[..], "2"), ("/login", &known[..], "3")] {
        let mut ada = browser(&shop);
        // The session of the guest begins with an order, and what is put into the cart next is the guest's own.
        buy_a_book(&mut ada).await;
        ada.submit("/cart", &[("slug", "reading-book"), ("quantity", "2")]).await.expect_status(303);
        ada.submit(path, fields).await.expect_status(303);
        let page = ada.get("/cart").await.expect_status(200).text();
        assert!(
            page.contains(&format!(
                "name=\"quantity\" type=\"number\" min=\"0\" max=\"99\" inputmode=\"numeric\" value=\"{expected}\""
            )),
            "{path}: {page}"
        );
        // What was bought stays the guest's until the address is confirmed.
        assert!(!ada.get("/account/orders").await.text().contains("O-00000"), "{path}");
    }
}

both_databases!(a_cart_that_went_with_its_session_is_not_gone_without_a_word);
async fn a_cart_that_went_with_its_session_is_not_gone_without_a_word(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = browser(&shop);
    buy_a_book(&mut ada).await;
    ada.submit("/cart", &[("slug", "reading-book"), ("quantity", "2")]).await.expect_status(303);
    let page = ada.get("/cart").await.expect_status(200).text();
    assert!(page.contains("Reading book") && !page.contains("You have been logged out."), "{page}");
    shop.advance(TimeDelta::days(1));
    let page = ada.get("/cart").await.expect_status(200).text();
    assert!(page.contains("You have been logged out.") && page.contains("href=\"/login?next=/cart\""), "{page}");
    let page = browser(&shop).get("/cart").await.expect_status(200).text();
    assert!(!page.contains("You have been logged out."), "{page}");
}

both_databases!(what_was_typed_at_the_checkout_is_there_again_after_the_login);
async fn what_was_typed_at_the_checkout_is_there_again_after_the_login(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let mut ada = browser(&shop);
    ada.submit("/cart", &[("slug", "reading-book"), ("quantity", "1")]).await.expect_status(303);
    let typed =
        [("log_in", "1"), ("expected_total_amount", "1500"), ("email", "ada@example.com"), ("note", "Ring <twice>")];
    let asked = ada.submit("/checkout", &typed).await.expect_status(200).text();
    assert!(asked.contains("value=\"ada@example.com\"") && !asked.contains("You have been logged out."), "{asked}");
    assert_eq!(value_of(&asked, "kept.note"), "Ring &lt;twice&gt;");
    assert_eq!(value_of(&asked, "kept.expected_total_amount"), "");
    let fields = [
        ("email", customer.email.as_str()),
        ("password", TestShop::PASSWORD),
        ("next", "/checkout"),
        ("action", "/checkout"),
        ("kept.note", "Ring <twice>"),
        ("kept.expected_total_amount", ""),
    ];
    let page = ada.submit("/login", &fields).await.expect_status(200).text();
    assert!(page.contains("1 × Reading book") && page.contains("value=\"Ring &lt;twice&gt;\""), "{page}");
    // The cart may be a fuller one now: its total is shown before it is charged.
    assert_eq!(value_of(&page, "expected_total_amount"), "");
}

both_databases!(a_session_that_ended_at_the_checkout_takes_nothing_along_that_was_typed);
async fn a_session_that_ended_at_the_checkout_takes_nothing_along_that_was_typed(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = browser(&shop);
    buy_a_book(&mut ada).await;
    ada.submit("/cart", &[("slug", "reading-book"), ("quantity", "1")]).await.expect_status(303);
    let key = value_of(&ada.get("/checkout").await.expect_status(200).text(), "idempotency_key");
    shop.advance(TimeDelta::days(1));
    let page = ada.submit("/checkout", &guest(&key, "1500")).await.expect_status(200).text();
    assert!(page.contains("You have been logged out."), "{page}");
    assert_eq!(value_of(&page, "kept.billing.city"), "Amsterdam");
    assert_eq!(
        (value_of(&page, "next"), value_of(&page, "action")),
        ("&#x2f;checkout".into(), "&#x2f;checkout".into())
    );
}

both_databases!(every_form_of_an_account_keeps_what_was_typed_through_the_login);
async fn every_form_of_an_account_keeps_what_was_typed_through_the_login(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let mut ada = browser(&shop);
    ada.log_in(&customer).await;
    ada.submit("/account/support", &[("subject", "The lamp"), ("body", "It hums.")]).await.expect_status(303);
    for (path, field, typed) in
        [("/account/security", "name", "Ada Lovelace"), ("/account/support/1", "body", "It still <hums>.")]
    {
        let mut ended = browser(&shop);
        let asked = ended.submit(path, &[(field, typed)]).await.expect_status(200).text();
        let kept = format!("kept.{field}");
        let (action, next) = (value_of(&asked, "action"), value_of(&asked, "next"));
        let (action, next) = (action.replace("&#x2f;", "/"), next.replace("&#x2f;", "/"));
        assert_eq!(action, path);
        let fields = [
            ("email", customer.email.as_str()),
            ("password", TestShop::PASSWORD),
            ("next", &next),
            ("action", &action),
            (&kept, typed),
        ];
        let page = ended.submit("/login", &fields).await.expect_status(200).text();
        let shown = typed.replace('<', "&lt;").replace('>', "&gt;");
        let (_, form) = page.split_once("data-kept=").unwrap_or_else(|| panic!("no form is filled: {page}"));
        let (form, _) = form.split_once("</form>").expect("it ends");
        assert!(form.contains(&shown), "{path}: {page}");
    }
}
