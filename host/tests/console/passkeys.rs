//! Passkeys: added, shown in place of the password and after it, refused and removed.

use serde_json::{Value, json};
use stoa_core::chrono::TimeDelta;
use stoa_core::db::Backend;
use stoa_core::testing::{TestBrowser, TestResponse, both_databases};
use stoa_staff::{disable_staff, reset_staff};

use crate::authenticator::{MAY_BE_COPIED, Passkey, Statement, VERIFIED};
use crate::shelf::{PASSWORD, audit, browser, builder, csrf_of, filled, shop, staff, submit, told, try_to_log_in};

const SECURITY: &str = "/console/security";
const ADD: &str = "/console/security/passkey";
const REMOVE: &str = "/console/security/passkey/remove";
const LOG_IN: &str = "/console/login/passkey";
const SHOW: &str = "/console/login/code/passkey";
const OWNER: &str = "owner@shop.example";
const ORIGIN: &str = "http://shop.test";

/// What the script gets that asks for `create` or `get`.
fn asked(answer: &TestResponse, act: &str) -> Value {
    let options = answer.json()[act].clone();
    assert!(options["challenge"].is_string(), "{options}");
    options
}

async fn ask_to_add(somebody: &mut TestBrowser, name: &str) -> Value {
    let fields = [("name", name), ("current", PASSWORD), ("credential", "")];
    asked(&submit(somebody, SECURITY, ADD, &fields).await.expect_status(200), "create")
}

async fn send_new(somebody: &mut TestBrowser, name: &str, credential: &str) -> TestResponse {
    submit(somebody, SECURITY, ADD, &[("name", name), ("current", PASSWORD), ("credential", credential)]).await
}

/// Adds a passkey. Gives it with the page that comes then.
async fn add(somebody: &mut TestBrowser, name: &str) -> (Passkey, TestResponse) {
    let mut passkey = Passkey::at(ORIGIN);
    let options = ask_to_add(somebody, name).await;
    let answer = send_new(somebody, name, &passkey.create(&options)).await;
    (passkey, answer)
}

async fn ask_to_log_in(visitor: &mut TestBrowser) -> Value {
    asked(&submit(visitor, "/console/login", LOG_IN, &[]).await.expect_status(200), "get")
}

async fn send(visitor: &mut TestBrowser, credential: &str) -> TestResponse {
    submit(visitor, "/console/login", LOG_IN, &[("credential", credential), ("next", "/console/orders")]).await
}

async fn log_in(visitor: &mut TestBrowser, passkey: &mut Passkey) -> TestResponse {
    let options = ask_to_log_in(visitor).await;
    let credential = passkey.show(&options);
    send(visitor, &credential).await
}

/// Whether somebody is in.
async fn is_in(visitor: &mut TestBrowser) -> bool {
    visitor.get("/console/orders").await.status == 200
}

both_databases!(a_passkey_logs_somebody_in_without_a_password_and_without_a_code);
async fn a_passkey_logs_somebody_in_without_a_password_and_without_a_code(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let (mut passkey, answer) = add(&mut owner, "Phone").await;
    let page = answer.expect_status(200).text();
    assert!(page.contains("Keep these recovery codes") && page.contains("Phone"), "{page}");
    let row = &audit(&shop).await[0];
    assert_eq!((row.act.as_str(), row.actor.as_str()), ("staff.add-passkey", "staff:owner@shop.example"));

    let mut visitor = shop.browser();
    let answer = log_in(&mut visitor, &mut passkey).await.expect_status(303);
    assert_eq!(answer.header("location"), Some("/console/orders"));
    assert!(is_in(&mut visitor).await);
    let row = &audit(&shop).await[0];
    let after = row.after.as_deref().unwrap_or_default();
    assert!(row.act == "staff.log-in" && after.contains("\"by\":\"passkey\""), "{row:?}");
    // A second one comes without further codes.
    let (mut other, answer) = add(&mut owner, "Laptop").await;
    assert_eq!(told(&mut owner, answer).await, "The passkey is added.");
    log_in(&mut shop.browser(), &mut other).await.expect_status(303);
    let page = owner.get(SECURITY).await.text();
    assert!(page.contains("Laptop") && page.contains("2 passkeys") && !page.contains("not used yet"), "{page}");
}

both_databases!(after_the_password_a_passkey_is_the_second_factor_and_a_recovery_code_stands_in);
async fn after_the_password_a_passkey_is_the_second_factor_and_a_recovery_code_stands_in(backend: Backend) {
    let shop = shop(backend).await;
    let (mut passkey, answer) = add(&mut browser(&shop, "owner").await, "Phone").await;
    let page = answer.text();
    let code = page.split("class=\"code\">").nth(1).and_then(|rest| rest.split('<').next()).expect("a code");
    let (mut foreign, _) = add(&mut browser(&shop, "manager").await, "Tablet").await;

    let mut again = shop.browser();
    try_to_log_in(&mut again, OWNER, PASSWORD).await.expect_status(303);
    assert!(!is_in(&mut again).await);
    let page = again.get("/console/login/code").await.expect_status(200).text();
    assert!(page.contains("Use a passkey"), "{page}");
    let options = asked(&submit(&mut again, "/console/login/code", SHOW, &[]).await, "get");
    assert_eq!(options["allowCredentials"].as_array().map(Vec::len), Some(1));
    let somebody_elses = foreign.show(&options);
    submit(&mut again, "/console/login/code", SHOW, &[("credential", &somebody_elses)]).await.expect_status(422);
    assert!(!is_in(&mut again).await);
    let own = passkey.show(&options);
    submit(&mut again, "/console/login/code", SHOW, &[("credential", &own)]).await.expect_status(303);
    assert!(is_in(&mut again).await);
    assert_eq!(audit(&shop).await[0].act, "staff.show-factor");

    let mut lost = shop.browser();
    try_to_log_in(&mut lost, OWNER, PASSWORD).await.expect_status(303);
    submit(&mut lost, "/console/login/code", "/console/login/code", &[("code", code)]).await.expect_status(303);
    assert!(is_in(&mut lost).await);
}

both_databases!(what_was_shown_once_is_not_taken_again_nor_late_nor_from_another_browser);
async fn what_was_shown_once_is_not_taken_again_nor_late_nor_from_another_browser(backend: Backend) {
    let shop = shop(backend).await;
    let (mut passkey, _) = add(&mut browser(&shop, "owner").await, "Phone").await;
    let mut visitor = shop.browser();
    let options = ask_to_log_in(&mut visitor).await;
    let credential = passkey.show(&options);
    let mut thief = shop.browser();
    ask_to_log_in(&mut thief).await;
    send(&mut thief, &credential).await.expect_status(422);
    let mut replayed = visitor.clone();
    send(&mut visitor, &credential).await.expect_status(303);
    send(&mut replayed, &credential).await.expect_status(422);
    assert!(!is_in(&mut replayed).await && !is_in(&mut thief).await);

    let mut slow = shop.browser();
    let options = ask_to_log_in(&mut slow).await;
    shop.advance(TimeDelta::minutes(5));
    let late = passkey.show(&options);
    let page = send(&mut slow, &late).await.expect_status(422).text();
    assert!(page.contains("The passkey was not taken, or it took too long."), "{page}");
    // What was asked for one thing is no answer to another.
    let mut owner = shop.browser();
    log_in(&mut owner, &mut passkey).await.expect_status(303);
    let options = ask_to_add(&mut owner, "Second").await;
    let mut second = Passkey::at(ORIGIN);
    let made = second.create(&options);
    send_new(&mut owner, "Second", &made).await.expect_status(303);
    let mut third = Passkey::at(ORIGIN);
    send_new(&mut owner, "Third", &third.create(&options)).await.expect_status(422);
}

both_databases!(other_sites_other_keys_and_copies_are_refused);
async fn other_sites_other_keys_and_copies_are_refused(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let options = ask_to_add(&mut owner, "Phone").await;
    let planted = Passkey::at("https://evil.example").create(&options);
    send_new(&mut owner, "Phone", &planted).await.expect_status(422);
    let (mut passkey, answer) = add(&mut owner, "Phone").await;
    answer.expect_status(200);

    let mut visitor = shop.browser();
    let mut forged = Passkey::at(ORIGIN).disguised_as(&passkey);
    log_in(&mut visitor, &mut forged).await.expect_status(422);
    log_in(&mut visitor, &mut Passkey::at(ORIGIN)).await.expect_status(422);
    passkey.origin = String::from("https://evil.example");
    log_in(&mut visitor, &mut passkey).await.expect_status(422);
    passkey.origin = String::from(ORIGIN);
    let mut options = ask_to_log_in(&mut visitor).await;
    options["rpId"] = json!("evil.example");
    let foreign = passkey.show(&options);
    send(&mut visitor, &foreign).await.expect_status(422);
    passkey.flags ^= VERIFIED;
    log_in(&mut visitor, &mut passkey).await.expect_status(422);
    passkey.flags ^= VERIFIED | MAY_BE_COPIED;
    log_in(&mut visitor, &mut passkey).await.expect_status(422);
    passkey.flags ^= MAY_BE_COPIED;
    passkey.count = 7;
    log_in(&mut visitor, &mut passkey).await.expect_status(303);
    assert!(is_in(&mut visitor).await);
    passkey.count = 7;
    log_in(&mut shop.browser(), &mut passkey).await.expect_status(422);
    assert_eq!(audit(&shop).await[0].act, "staff.refuse-passkey");
}

both_databases!(a_new_passkey_that_signs_for_itself_is_taken_with_its_own_signature_alone);
async fn a_new_passkey_that_signs_for_itself_is_taken_with_its_own_signature_alone(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let mut passkey = Passkey::at(ORIGIN);
    for (statement, status) in [(Statement::Forged, 422), (Statement::Own, 200)] {
        passkey.statement = statement;
        let options = ask_to_add(&mut owner, "Phone").await;
        send_new(&mut owner, "Phone", &passkey.create(&options)).await.expect_status(status);
    }
    log_in(&mut shop.browser(), &mut passkey).await.expect_status(303);
}

both_databases!(a_passkey_that_somebody_has_is_not_taken_from_anybody_else);
async fn a_passkey_that_somebody_has_is_not_taken_from_anybody_else(backend: Backend) {
    let shop = shop(backend).await;
    let (mut passkey, _) = add(&mut browser(&shop, "owner").await, "Phone").await;
    let mut manager = browser(&shop, "manager").await;
    let options = ask_to_add(&mut manager, "Mine").await;
    let same = Passkey::at(ORIGIN).disguised_as(&passkey).create(&options);
    send_new(&mut manager, "Mine", &same).await.expect_status(422);
    log_in(&mut shop.browser(), &mut passkey).await.expect_status(303);
    assert!(audit(&shop).await[0].actor.contains(OWNER));
}

both_databases!(what_is_no_passkey_is_refused_and_says_so);
async fn what_is_no_passkey_is_refused_and_says_so(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let wrong = submit(&mut owner, SECURITY, ADD, &[("name", "Phone"), ("current", "not the password")]).await;
    assert_eq!(wrong.expect_status(422).json()["problem"], "The present password is not correct.");
    for credential in
        ["x", "{}", "[]", "{\"rawId\": 1}", "{\"rawId\": \"A\", \"response\": {\"clientDataJSON\": \"!\"}}"]
    {
        send_new(&mut owner, "Phone", credential).await.expect_status(422);
        let mut visitor = shop.browser();
        ask_to_log_in(&mut visitor).await;
        send(&mut visitor, credential).await.expect_status(422);
        shop.advance(TimeDelta::minutes(11));
        owner.get(SECURITY).await.expect_status(200);
    }
    for name in ["", &"x".repeat(101), "a\u{7}b"] {
        let mut passkey = Passkey::at(ORIGIN);
        let options = ask_to_add(&mut owner, name).await;
        let page = send_new(&mut owner, name, &passkey.create(&options)).await.expect_status(422).text();
        assert!(page.contains("The name of a passkey has 1 to 100 characters."), "{page}");
    }
    let page = owner.get(SECURITY).await.text();
    assert!(!page.contains(REMOVE), "none was added: {page}");
}

both_databases!(a_passkey_that_is_removed_or_reset_logs_nobody_in);
async fn a_passkey_that_is_removed_or_reset_logs_nobody_in(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let mut manager = browser(&shop, "manager").await;
    let (mut phone, _) = add(&mut owner, "Phone").await;
    let (mut tablet, _) = add(&mut manager, "Tablet").await;
    let id = "1";
    submit(&mut owner, SECURITY, REMOVE, &[("passkey", id), ("current", "wrong")]).await.expect_status(422);
    let answer = submit(&mut manager, SECURITY, REMOVE, &[("passkey", id), ("current", PASSWORD)]).await;
    assert_eq!(told(&mut manager, answer).await, "That passkey was removed already.");
    log_in(&mut shop.browser(), &mut phone).await.expect_status(303);
    let answer = submit(&mut owner, SECURITY, REMOVE, &[("passkey", id), ("current", PASSWORD)]).await;
    assert_eq!(told(&mut owner, answer).await, "The passkey Phone is removed.");
    assert_eq!(audit(&shop).await[0].act, "staff.remove-passkey");
    log_in(&mut shop.browser(), &mut phone).await.expect_status(422);
    // Without any, the password is enough again.
    let mut again = shop.browser();
    try_to_log_in(&mut again, OWNER, PASSWORD).await.expect_status(303);
    assert!(is_in(&mut again).await);

    log_in(&mut shop.browser(), &mut tablet).await.expect_status(303);
    let db = &shop.parts.db;
    disable_staff(db, "manager@shop.example").await.expect("they are disabled");
    log_in(&mut shop.browser(), &mut tablet).await.expect_status(422);
    stoa_staff::enable_staff(db, "manager@shop.example").await.expect("they are enabled");
    log_in(&mut shop.browser(), &mut tablet).await.expect_status(303);
    reset_staff(db, "manager@shop.example").await.expect("they are reset");
    log_in(&mut shop.browser(), &mut tablet).await.expect_status(422);
}

both_databases!(a_passkey_is_the_second_factor_that_everybody_needs);
async fn a_passkey_is_the_second_factor_that_everybody_needs(backend: Backend) {
    let shop = filled(builder(backend).config("require_second_factor = true")).await;
    let mut owner = browser(&shop, "owner").await;
    assert!(!is_in(&mut owner).await);
    add(&mut owner, "Phone").await.1.expect_status(200);
    assert!(is_in(&mut owner).await);
    let page = owner.get("/console/staff").await.expect_status(200).text();
    assert!(page.contains("<span class=\"badge good\">yes</span>"), "{page}");
}

both_databases!(ten_wrong_passkeys_close_the_door_for_where_they_come_from);
async fn ten_wrong_passkeys_close_the_door_for_where_they_come_from(backend: Backend) {
    let shop = shop(backend).await;
    let (mut passkey, _) = add(&mut browser(&shop, "owner").await, "Phone").await;
    for _ in 0..10 {
        log_in(&mut shop.browser(), &mut Passkey::at(ORIGIN)).await.expect_status(422);
    }
    let refused = log_in(&mut shop.browser(), &mut passkey).await.expect_status(429);
    assert!(refused.text().contains("too many attempts"));
    shop.advance(TimeDelta::minutes(11));
    log_in(&mut shop.browser(), &mut passkey).await.expect_status(303);
}

both_databases!(a_shop_whose_address_is_a_number_has_no_passkeys);
async fn a_shop_whose_address_is_a_number_has_no_passkeys(backend: Backend) {
    let shop = filled(builder(backend).config("[server]\nbase_url = \"https://192.0.2.1\"")).await;
    staff(&shop, "owner").await;
    let mut visitor = shop.browser();
    let page = visitor.get("/console/login").await.expect_status(200).text();
    assert!(!page.contains("passkey"), "{page}");
    let sent = visitor.submit(LOG_IN, &[("csrf", &csrf_of(&page))]).await.expect_status(422);
    assert_eq!(sent.json()["problem"], "Passkeys belong to a name, and the address of this shop is a number.");
}
