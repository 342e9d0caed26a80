//! Every page of the console, as everybody: nobody, a customer, and each role.

use http::Method;
use stoa_core::db::Backend;
use stoa_core::testing::{TestBrowser, TestShop, TestShopBuilder, both_databases};
use stoa_kernel::http::table::Access;

use crate::shelf::{MODULES, browser, builder, csrf_of, filled, number, paid_order};

/// A shop with all modules on, since theirs are pages of the console too.
fn whole(backend: Backend) -> TestShopBuilder {
    builder(backend).all_modules().enabled(&MODULES)
}

async fn shop(backend: Backend) -> TestShop {
    filled(whole(backend)).await
}

/// What the table says of one page.
struct Page {
    method: Method,
    path: String,
    ability: Option<&'static str>,
    is_door: bool,
}

/// All pages, with something for what stands in braces.
fn pages() -> Vec<Page> {
    let program = whole(Backend::Sqlite).freeze().unwrap_or_else(|problems| panic!("{problems}"));
    let pages = program.registry.routes.entries.iter().filter_map(|owned| {
        let (ability, is_door) = match owned.route.access {
            Access::Console(ability) => (ability, false),
            Access::ConsoleDoor => (None, true),
            _ => return None,
        };
        let path = owned.route.full_path().replace("{number}", "O-000001").replace(['{', '}'], "");
        Some(Page { method: owned.route.method.clone(), path, ability, is_door })
    });
    let pages = pages.collect::<Vec<_>>();
    assert!(pages.len() >= 150, "the walk has lost its pages");
    pages
}

async fn ask(browser: &mut TestBrowser, page: &Page, fields: &[(&str, &str)]) -> stoa_core::testing::TestResponse {
    if page.method == Method::GET { browser.get(&page.path).await } else { browser.submit(&page.path, fields).await }
}

both_databases!(nobody_and_no_customer_gets_behind_the_door);
async fn nobody_and_no_customer_gets_behind_the_door(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let mut known = shop.browser();
    known.log_in(&customer).await;
    let (_, session) =
        known.session_cookie().map(|(name, value)| (name.to_owned(), value.to_owned())).expect("a session");
    // A customer's session is none of the console's, whatever it is called.
    let mut disguised = shop.browser();
    disguised.set_cookie("stoa_staff", &session);
    for page in pages().iter().filter(|page| !page.is_door) {
        for browser in [&mut shop.browser(), &mut known, &mut disguised] {
            let answer = ask(browser, page, &[("csrf", "x")]).await.expect_status(303);
            let location = answer.header("location").unwrap_or_default();
            assert!(location.starts_with("/console/login"), "{} {}: {location}", page.method, page.path);
        }
        let token = shop.client().token(&customer, &["*"]).await;
        let request = token.site_request(page.method.clone(), &page.path, "");
        token.send(request).await.expect_status(303);
    }
}

both_databases!(each_role_opens_what_it_may_and_nothing_else);
async fn each_role_opens_what_it_may_and_nothing_else(backend: Backend) {
    let shop = shop(backend).await;
    assert_eq!(number(&paid_order(&shop, 2).await), "O-000001");
    for role in ["owner", "manager", "support", "warehouse", "accountant", "viewer"] {
        let mut browser = browser(&shop, role).await;
        let today = browser.get("/console").await.expect_status(200).text();
        let csrf = csrf_of(&today);
        for page in pages().iter().filter(|page| !page.is_door && !page.path.ends_with("/logout")) {
            let may = page.ability.is_none_or(|ability| shop.parts.console.allows(role, ability));
            // A token without the form's fields: whoever may is told so, and nothing happens.
            let answer = ask(&mut browser, page, &[("csrf", &csrf)]).await;
            let place = format!("{role}: {} {} is {}", page.method, page.path, answer.status);
            assert_eq!(answer.status != 403, may, "{place}");
            assert!(!answer.status.is_server_error(), "{place}");
            // Such as `/console/orders`, and nothing below.
            let is_entry = page.method == Method::GET && page.path.matches('/').count() == 2;
            if is_entry && page.ability.is_some() {
                assert_eq!(
                    today.contains(&format!("href=\"{}\"", page.path)),
                    may,
                    "the menu shows what opens: {place}"
                );
            }
        }
    }
}

both_databases!(no_write_is_taken_without_its_token_and_from_another_site);
async fn no_write_is_taken_without_its_token_and_from_another_site(backend: Backend) {
    let shop = shop(backend).await;
    paid_order(&shop, 2).await;
    let mut owner = browser(&shop, "owner").await;
    let csrf = csrf_of(&owner.get("/console").await.text());
    let mut stranger = shop.browser();
    let foreign = csrf_of(&stranger.get("/console/login").await.text());
    for page in pages().iter().filter(|page| page.method != Method::GET) {
        if page.is_door {
            ask(&mut shop.browser(), page, &[("email", "x@y.example")]).await.expect_status(403);
            continue;
        }
        for token in ["", "x", foreign.as_str()] {
            ask(&mut owner, page, &[("csrf", token)]).await.expect_status(403);
        }
        for (name, value) in [("origin", "https://evil.example"), ("sec-fetch-site", "cross-site"), ("origin", "null")]
        {
            let mut elsewhere = owner.with_header(name, value);
            ask(&mut elsewhere, page, &[("csrf", &csrf)]).await.expect_status(403);
        }
    }
    // All of that has done nothing.
    owner.get("/console").await.expect_status(200);
}

both_databases!(an_origin_that_the_shop_trusts_is_no_page_of_the_console);
async fn an_origin_that_the_shop_trusts_is_no_page_of_the_console(backend: Backend) {
    let config = "[server]\nallowed_origins = [\"https://www.shop.example\"]";
    let shop: TestShop = filled(builder(backend).config(config)).await;
    let mut owner = browser(&shop, "owner").await;
    let csrf = csrf_of(&owner.get("/console").await.text());
    let mut frontend = owner.with_header("origin", "https://www.shop.example");
    frontend.submit("/console/logout", &[("csrf", &csrf)]).await.expect_status(403);
    let mut own = owner.with_header("origin", "http://shop.test");
    own.submit("/console/logout", &[("csrf", &csrf)]).await.expect_status(303);
}
