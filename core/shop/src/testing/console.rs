//! Staff in a browser, for tests of pages of the console. The shop is one that brings the pages along:
//! `TestShop::builder(backend).console(Arc::new(stoa_console::register))`.

use stoa_staff::{NewStaff, StaffMember, create_staff};

use super::browser::TestBrowser;
use super::client::TestResponse;
use super::shop::TestShop;

/// The password of all staff in tests.
pub const STAFF_PASSWORD: &str = "correct horse battery staple";

/// Somebody who works there, named after the role.
pub async fn staff(shop: &TestShop, role: &str) -> StaffMember {
    let hash = shop.passwords.hash(STAFF_PASSWORD.to_owned()).await.expect("a password is hashed");
    let new = NewStaff {
        email: format!("{role}@shop.example"),
        name: format!("Some {role}"),
        role: role.to_owned(),
        password_hash: Some(hash),
    };
    create_staff(&shop.parts.db, &shop.parts.console, new).await.expect("somebody is added")
}

/// A browser in which somebody of this role is logged in.
pub async fn staff_browser(shop: &TestShop, role: &str) -> TestBrowser {
    let member = staff(shop, role).await;
    let mut browser = shop.browser();
    try_staff_login(&mut browser, &member.email, STAFF_PASSWORD).await.expect_status(303);
    browser
}

/// Tries to log in, from the page to do so.
pub async fn try_staff_login(browser: &mut TestBrowser, email: &str, password: &str) -> TestResponse {
    submit_from(browser, "/console/login", "/console/login", &[("email", email), ("password", password)]).await
}

/// Sends a form as the page of the console does that shows it: with the token of the page.
pub async fn submit_from(browser: &mut TestBrowser, page: &str, path: &str, fields: &[(&str, &str)]) -> TestResponse {
    let shown = browser.get(page).await.expect_status(200).text();
    let csrf = csrf_of(&shown);
    let fields = [&[("csrf", csrf.as_str())], fields].concat();
    browser.submit(path, &fields).await
}

/// The token that the first form of a page of the console sends back.
pub fn csrf_of(page: &str) -> String {
    let (_, rest) = page.split_once("name=\"csrf\" value=\"").expect("a page with a form");
    rest.split('"').next().expect("it ends").to_owned()
}
