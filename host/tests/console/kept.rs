//! What was typed into a form is there again after the session has ended, or the page has become out of date.

use stoa_core::chrono::TimeDelta;
use stoa_core::db::Backend;
use stoa_core::testing::{TestBrowser, TestShop, both_databases};

use crate::shelf::{PASSWORD, browser, csrf_of, shop, staff};

const ADD: &str = "/console/customers/new";
const TYPED: [(&str, &str); 2] = [("name", "Ada \"Byron\" <Lovelace>"), ("email", "ada@example.com")];

/// The value of the field in which the login keeps what was typed.
fn kept_by(page: &str) -> String {
    let (_, rest) = page.split_once("name=\"kept\" value=\"").unwrap_or_else(|| panic!("nothing is kept: {page}"));
    rest.split('"').next().unwrap_or_default().to_owned()
}

/// Sends the login that a page shows.
async fn log_in(somebody: &mut TestBrowser, page: &str, email: &str, password: &str) -> (u16, String) {
    let (csrf, kept) = (csrf_of(page), kept_by(page));
    let fields = [("csrf", csrf.as_str()), ("kept", &kept), ("next", ADD), ("email", email), ("password", password)];
    let answer = somebody.submit("/console/login", &fields).await;
    (answer.status.as_u16(), answer.text())
}

fn is_filled(page: &str) -> bool {
    page.contains("value=\"Ada &quot;Byron&quot; &lt;Lovelace&gt;\"") && page.contains("value=\"ada@example.com\"")
}

/// A browser of the owner on the page of a new customer, whose session has ended meanwhile.
async fn left_alone(shop: &TestShop) -> TestBrowser {
    let mut owner = browser(shop, "owner").await.with_header("referer", &format!("http://shop.test{ADD}"));
    owner.get(ADD).await.expect_status(200);
    shop.advance(TimeDelta::days(2));
    owner
}

both_databases!(what_was_typed_while_the_session_ended_is_in_the_form_after_the_login);
async fn what_was_typed_while_the_session_ended_is_in_the_form_after_the_login(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = left_alone(&shop).await;
    let page = owner.submit(ADD, &TYPED).await.expect_status(200).text();
    assert!(page.contains("Your session has ended, and this could not be saved."), "{page}");
    assert!(!page.contains("Lovelace"), "what was typed is sealed: {page}");
    // A slip in the password loses nothing either.
    let (status, page) = log_in(&mut owner, &page, "owner@shop.example", "wrong").await;
    assert_eq!(status, 422, "{page}");
    let (status, page) = log_in(&mut owner, &page, "owner@shop.example", PASSWORD).await;
    assert!(status == 200 && is_filled(&page), "{page}");
    assert!(page.contains("You are logged in again. Nothing has been saved yet"), "{page}");
    // The form can be sent.
    let csrf = csrf_of(&page);
    let fields = [&[("csrf", csrf.as_str())][..], &TYPED].concat();
    owner.submit(ADD, &fields).await.expect_status(303);
}

both_databases!(what_somebody_has_typed_is_shown_to_nobody_else_who_logs_in);
async fn what_somebody_has_typed_is_shown_to_nobody_else_who_logs_in(backend: Backend) {
    let shop = shop(backend).await;
    staff(&shop, "manager").await;
    let mut owner = left_alone(&shop).await;
    let page = owner.submit(ADD, &TYPED).await.expect_status(200).text();
    let (status, page) = log_in(&mut owner, &page, "manager@shop.example", PASSWORD).await;
    assert!(status == 303 && !page.contains("Lovelace"), "{status}: {page}");
    let page = owner.get(ADD).await.expect_status(200).text();
    assert!(!page.contains("Lovelace"), "{page}");
}

both_databases!(passwords_and_what_this_shop_has_not_sealed_are_not_kept);
async fn passwords_and_what_this_shop_has_not_sealed_are_not_kept(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = left_alone(&shop).await;
    let typed = [&TYPED[..], &[("password", "a quite long sentence")]].concat();
    let page = owner.submit(ADD, &typed).await.expect_status(200).text();
    let forged = page.replace(&kept_by(&page), "eyJ0eXBlZCI6W119");
    let (status, _) = log_in(&mut owner.clone(), &forged, "owner@shop.example", PASSWORD).await;
    assert_eq!(status, 303);
    let (_, page) = log_in(&mut owner, &page, "owner@shop.example", PASSWORD).await;
    assert!(is_filled(&page) && !page.contains("a quite long sentence"), "{page}");
}

both_databases!(a_form_of_a_page_that_is_out_of_date_is_shown_again_with_what_was_typed);
async fn a_form_of_a_page_that_is_out_of_date_is_shown_again_with_what_was_typed(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let fields = [&[("csrf", "of an earlier session")][..], &TYPED].concat();
    let page = owner.submit(ADD, &fields).await.expect_status(200).text();
    assert!(is_filled(&page) && page.contains("This page was out of date, and nothing has been saved yet"), "{page}");
    assert!(!owner.get("/console/customers").await.text().contains("ada@example.com"));
    // A form that no page of the console has sent shows nothing.
    let mut lured = owner.with_header("origin", "https://evil.example");
    lured.submit(ADD, &fields).await.expect_status(403);
}

both_databases!(what_was_typed_into_a_form_that_is_gone_is_told);
async fn what_was_typed_into_a_form_that_is_gone_is_told(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let fields = [("csrf", "of an earlier session"), ("body", "Try another <bulb>.")];
    let page = owner.submit("/console/support/77/reply", &fields).await.expect_status(200).text();
    assert!(page.contains("The form is not here any more. This is what you typed:"), "{page}");
    assert!(page.contains("<dd>Try another &lt;bulb&gt;.</dd>"), "{page}");
}
