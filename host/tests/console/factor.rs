//! The second factor: set up, asked for, lost and taken away.

use stoa_core::chrono::TimeDelta;
use stoa_core::db::Backend;
use stoa_core::testing::{TestBrowser, TestResponse, TestShop, both_databases};
use totp_rs::{Builder, Secret};

use crate::shelf::{PASSWORD, audit, browser, builder, csrf_of, filled, shop, submit, try_to_log_in};

const SECURITY: &str = "/console/security";

/// What an app with this key shows now.
fn shown(shop: &TestShop, key: &str) -> String {
    let secret = Secret::try_from_base32(key).expect("the key is in base 32");
    let app = Builder::new().with_secret(secret).with_account_name("an app").build_noncompliant();
    let now = u64::try_from(shop.now().timestamp()).expect("after 1970");
    app.generate(now).to_string()
}

/// What stands in each element of the class `code`.
fn codes(page: &str) -> Vec<String> {
    let parts = page.split("class=\"code\">").skip(1);
    parts.map(|part| part.split('<').next().unwrap_or_default().to_owned()).collect()
}

/// Sets the second factor up, and gives the key and the recovery codes.
async fn set_up(shop: &TestShop, somebody: &mut TestBrowser) -> (String, Vec<String>) {
    let page = somebody.get(SECURITY).await.expect_status(200).text();
    let key = codes(&page).pop().expect("the key is shown");
    let fields = [("current", PASSWORD), ("code", &shown(shop, &key))];
    let page = submit(somebody, SECURITY, "/console/security/factor", &fields).await.expect_status(200).text();
    (key, codes(&page))
}

async fn show(somebody: &mut TestBrowser, code: &str) -> TestResponse {
    submit(somebody, "/console/login/code", "/console/login/code", &[("code", code)]).await
}

both_databases!(a_second_factor_is_asked_for_and_each_code_counts_once);
async fn a_second_factor_is_asked_for_and_each_code_counts_once(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let page = owner.get(SECURITY).await.expect_status(200).text();
    assert_eq!(codes(&page), codes(&owner.get(SECURITY).await.text()), "the key stays until it is confirmed");
    let wrong = submit(&mut owner, SECURITY, "/console/security/factor", &[("current", PASSWORD), ("code", "1")]).await;
    assert!(wrong.expect_status(422).text().contains("This code is not the one that your app shows now."));
    let (key, recovery) = set_up(&shop, &mut owner).await;
    assert_eq!(recovery.len(), 10);
    assert!(recovery.iter().all(|code| code.len() == 19), "{recovery:?}");
    assert_eq!(audit(&shop).await[0].act, "staff.set-up-factor");

    let mut again = shop.browser();
    try_to_log_in(&mut again, "owner@shop.example", PASSWORD).await.expect_status(303);
    again.get("/console/orders").await.expect_status(303);
    // The code that has set it up counts no more.
    show(&mut again, &shown(&shop, &key)).await.expect_status(422);
    shop.advance(TimeDelta::minutes(1));
    let code = shown(&shop, &key);
    show(&mut again, &code).await.expect_status(303);
    again.get("/console/orders").await.expect_status(200);
    let mut thief = shop.browser();
    try_to_log_in(&mut thief, "owner@shop.example", PASSWORD).await.expect_status(303);
    show(&mut thief, &code).await.expect_status(422);
    thief.get("/console/orders").await.expect_status(303);
}

both_databases!(a_recovery_code_stands_in_for_a_lost_app_once);
async fn a_recovery_code_stands_in_for_a_lost_app_once(backend: Backend) {
    let shop = shop(backend).await;
    let (_, recovery) = set_up(&shop, &mut browser(&shop, "owner").await).await;
    for expected in [303, 422] {
        let mut again = shop.browser();
        try_to_log_in(&mut again, "owner@shop.example", PASSWORD).await.expect_status(303);
        show(&mut again, &recovery[0].to_uppercase().replace('-', " ")).await.expect_status(expected);
    }
    let mut again = shop.browser();
    try_to_log_in(&mut again, "owner@shop.example", PASSWORD).await.expect_status(303);
    show(&mut again, &recovery[1]).await.expect_status(303);
    let remove = "/console/security/factor/remove";
    submit(&mut again, SECURITY, remove, &[("current", "not the password")]).await.expect_status(422);
    submit(&mut again, SECURITY, remove, &[("current", PASSWORD)]).await.expect_status(303);
    assert_eq!(audit(&shop).await[0].act, "staff.remove-factor");
    let mut without = shop.browser();
    try_to_log_in(&mut without, "owner@shop.example", PASSWORD).await.expect_status(303);
    without.get("/console/orders").await.expect_status(200);
}

both_databases!(where_everybody_needs_one_nothing_opens_before_it_is_set_up);
async fn where_everybody_needs_one_nothing_opens_before_it_is_set_up(backend: Backend) {
    let shop = filled(builder(backend).config("require_second_factor = true")).await;
    let mut owner = browser(&shop, "owner").await;
    let away = owner.get("/console/orders").await.expect_status(303);
    assert_eq!(away.header("location"), Some(SECURITY));
    let page = owner.get(SECURITY).await.expect_status(200).text();
    assert!(page.contains("Set up a second factor first."), "{page}");
    let csrf = csrf_of(&page);
    let disable = [("csrf", csrf.as_str()), ("email", "owner@shop.example")];
    let page = owner.submit("/console/staff/disable", &disable).await.expect_status(200).text();
    assert!(page.contains("This could not be saved yet."), "{page}");
    set_up(&shop, &mut owner).await;
    owner.get("/console/orders").await.expect_status(200);
}

both_databases!(nobody_gives_or_takes_what_they_have_not_and_the_last_owner_stays);
async fn nobody_gives_or_takes_what_they_have_not_and_the_last_owner_stays(backend: Backend) {
    let shop =
        filled(builder(backend).config("[console.roles.head]\nabilities = [\"staff.*\", \"orders.view\"]")).await;
    let mut owner = browser(&shop, "owner").await;
    let mut head = browser(&shop, "head").await;
    let new = |role| [("email", "ada@shop.example"), ("name", "Ada"), ("role", role)];
    submit(&mut head, "/console/staff", "/console/staff", &new("owner")).await.expect_status(403);
    let page = submit(&mut head, "/console/staff", "/console/staff", &new("head")).await.expect_status(200).text();
    assert!(page.contains("/console/login/link?token=") && page.contains("<strong>Ada was added.</strong>"), "{page}");
    assert_eq!(page.matches("<span class=\"quiet\">never</span>").count(), 1, "Ada alone has never come: {page}");
    let taken = submit(&mut head, "/console/staff", "/console/staff", &new("head")).await.expect_status(409).text();
    let is_filled = taken.contains("value=\"Ada\"") && taken.contains("<option selected=\"\">head</option>");
    assert!(is_filled, "what was typed: {taken}");
    let about = |email| [("email", email), ("role", "head")];
    submit(&mut head, "/console/staff", "/console/staff/disable", &about("owner@shop.example"))
        .await
        .expect_status(403);
    let role = "/console/staff/role";
    let last = submit(&mut owner, "/console/staff", role, &about("owner@shop.example")).await.expect_status(409);
    assert!(last.text().contains("is the last owner"), "{}", last.text());
    submit(&mut owner, "/console/staff", "/console/staff/disable", &about("ada@shop.example")).await.expect_status(303);
    let rows = audit(&shop).await.into_iter().filter(|row| row.subject == "staff:ada@shop.example");
    let rows = rows.map(|row| row.act).collect::<Vec<_>>();
    assert_eq!(rows, ["staff.disable", "staff.login-link", "staff.create"]);
}

const ADD: &str = "/console/customers/new";

/// What the forms of a page carry along.
fn kept(page: &str) -> String {
    let (_, rest) = page.split_once("name=\"kept\" value=\"").unwrap_or_else(|| panic!("nothing is kept: {page}"));
    rest.split('"').next().unwrap_or_default().to_owned()
}

both_databases!(what_was_typed_goes_along_while_a_second_factor_is_set_up);
async fn what_was_typed_goes_along_while_a_second_factor_is_set_up(backend: Backend) {
    let shop = filled(builder(backend).config("require_second_factor = true")).await;
    let mut owner = browser(&shop, "owner").await;
    let page = owner.submit(ADD, &[("name", "Ada Lovelace")]).await.expect_status(200).text();
    assert!(page.contains("Set up a second factor, and you come back to what you typed."), "{page}");
    let key = codes(&page).pop().expect("the key is shown");
    let code = shown(&shop, &key);
    let fields = [("csrf", &*csrf_of(&page)), ("kept", &kept(&page)), ("current", PASSWORD), ("code", &code)];
    let page = owner.submit("/console/security/factor", &fields).await.expect_status(200).text();
    assert!(page.contains("Keep these recovery codes"), "{page}");
    let fields = [("csrf", &*csrf_of(&page)), ("kept", &kept(&page))];
    let page = owner.submit("/console/security/go-on", &fields).await.expect_status(200).text();
    assert!(page.contains("value=\"Ada Lovelace\"") && page.contains("Nothing has been saved yet"), "{page}");
    // Where nothing was typed it leads to the first page.
    let on = submit(&mut owner, SECURITY, "/console/security/go-on", &[]).await.expect_status(303);
    assert_eq!(on.header("location"), Some("/console"));
}

both_databases!(what_was_typed_goes_along_through_the_second_factor);
async fn what_was_typed_goes_along_through_the_second_factor(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let (key, _) = set_up(&shop, &mut owner).await;
    shop.advance(TimeDelta::days(2));
    let page = owner.submit(ADD, &[("name", "Ada Lovelace")]).await.expect_status(200).text();
    let fields =
        [("csrf", &*csrf_of(&page)), ("kept", &kept(&page)), ("email", "owner@shop.example"), ("password", PASSWORD)];
    let page = owner.submit("/console/login", &fields).await.expect_status(200).text();
    let code = shown(&shop, &key);
    let fields = [("csrf", &*csrf_of(&page)), ("kept", &kept(&page)), ("code", &code)];
    let page = owner.submit("/console/login/code", &fields).await.expect_status(200).text();
    assert!(page.contains("value=\"Ada Lovelace\"") && page.contains("Nothing has been saved yet"), "{page}");
}
