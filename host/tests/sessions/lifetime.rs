//! When a session begins and ends.

use chrono::TimeDelta;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestBrowser, TestShop, both_databases};

const SESSIONS: Sql = sql!("SELECT COUNT(*) FROM sessions");
const IDLE: TimeDelta = TimeDelta::minutes(120);

async fn sessions(shop: &TestShop) -> i64 {
    shop.parts.db.read(SESSIONS).scalar().await.expect("a count")
}

async fn is_logged_in(browser: &mut TestBrowser) -> bool {
    browser.get("/api/v1/me").await.status == 200
}

/// A request, and what the instance does a moment later.
async fn visit(shop: &TestShop, browser: &mut TestBrowser) -> bool {
    let logged_in = is_logged_in(browser).await;
    shop.write_usage().await;
    logged_in
}

both_databases!(the_id_changes_at_login_and_the_old_one_is_dead);
async fn the_id_changes_at_login_and_the_old_one_is_dead(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let customer = shop.customer().await;
    let mut browser = shop.browser();
    browser.log_in(&customer).await;
    let mut old = browser.clone();
    browser.log_in(&customer).await;
    assert_ne!(browser.session_cookie(), old.session_cookie());
    assert!(is_logged_in(&mut browser).await);
    assert!(!is_logged_in(&mut old).await);
    assert_eq!(sessions(&shop).await, 1);
}

both_databases!(a_planted_id_is_not_taken_over);
async fn a_planted_id_is_not_taken_over(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let mut browser = shop.browser();
    let planted = "a".repeat(48);
    browser.set_cookie("stoa_session", &planted);
    browser.log_in(&shop.customer().await).await;
    assert_ne!(browser.cookie("stoa_session"), Some(planted.as_str()));
    let mut attacker = shop.browser();
    attacker.set_cookie("stoa_session", &planted);
    assert!(!is_logged_in(&mut attacker).await);
}

both_databases!(logging_out_ends_this_session_alone);
async fn logging_out_ends_this_session_alone(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let customer = shop.customer().await;
    let (mut here, mut there) = (shop.browser(), shop.browser());
    here.log_in(&customer).await;
    there.log_in(&customer).await;
    let mut thief = here.clone();
    assert_eq!(here.delete("/session").await.expect_status(200).json(), json!({"ok": true}));
    assert_eq!(here.session_cookie(), None, "the browser forgets the cookie");
    assert!(!is_logged_in(&mut thief).await, "who has copied the cookie is out too");
    assert!(is_logged_in(&mut there).await);
    // Again, and in again, without asking for another CSRF token.
    here.delete("/session").await.expect_status(200);
    here.post("/session", &json!({"email": customer.email, "password": TestShop::PASSWORD})).await.expect_status(200);
}

both_databases!(an_idle_session_ends_and_a_used_one_goes_on);
async fn an_idle_session_ends_and_a_used_one_goes_on(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let customer = shop.customer().await;
    let (mut used, mut idle) = (shop.browser(), shop.browser());
    used.log_in(&customer).await;
    idle.log_in(&customer).await;
    shop.advance(IDLE - TimeDelta::minutes(1));
    assert!(visit(&shop, &mut used).await);
    shop.advance(TimeDelta::minutes(1));
    assert!(!is_logged_in(&mut idle).await);
    shop.advance(IDLE - TimeDelta::minutes(2));
    assert!(is_logged_in(&mut used).await);
}

both_databases!(a_session_that_began_while_the_clock_was_years_ahead_does_not_last_for_years);
async fn a_session_that_began_while_the_clock_was_years_ahead_does_not_last_for_years(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let customer = shop.customer().await;
    let (mut ahead, mut slightly) = (shop.browser(), shop.browser());
    shop.advance(TimeDelta::days(3 * 365));
    ahead.log_in(&customer).await;
    shop.advance(TimeDelta::days(-3 * 365) + TimeDelta::hours(1));
    slightly.log_in(&customer).await;
    shop.advance(TimeDelta::hours(-1));
    assert!(!is_logged_in(&mut ahead).await);
    // A small correction logs nobody out, and what it makes of the last use is put right with the next.
    assert!(visit(&shop, &mut slightly).await);
    shop.advance(IDLE);
    assert!(!is_logged_in(&mut slightly).await);
}

both_databases!(no_session_outlives_its_absolute_end);
async fn no_session_outlives_its_absolute_end(backend: Backend) {
    let config = "[accounts.sessions]\nidle_minutes = 60\nabsolute_minutes = 180";
    let shop = TestShop::builder(backend).config(config).open().await;
    let mut browser = shop.browser();
    browser.log_in(&shop.customer().await).await;
    for _ in 0..5 {
        shop.advance(TimeDelta::minutes(30));
        assert!(visit(&shop, &mut browser).await);
    }
    shop.advance(TimeDelta::minutes(30));
    assert!(!is_logged_in(&mut browser).await);
}

both_databases!(a_session_of_one_minute_survives_a_request_each_half_minute);
async fn a_session_of_one_minute_survives_a_request_each_half_minute(backend: Backend) {
    let config = "[accounts.sessions]\nidle_minutes = 1\nabsolute_minutes = 60";
    let shop = TestShop::builder(backend).config(config).open().await;
    let mut browser = shop.browser();
    browser.log_in(&shop.customer().await).await;
    for _ in 0..6 {
        shop.advance(TimeDelta::seconds(30));
        assert!(visit(&shop, &mut browser).await);
    }
    shop.advance(TimeDelta::minutes(1));
    assert!(!is_logged_in(&mut browser).await);
}

both_databases!(a_session_holds_on_every_instance_and_ends_on_all_at_once);
async fn a_session_holds_on_every_instance_and_ends_on_all_at_once(backend: Backend) {
    let one = TestShop::new(backend).await;
    let two = TestShop::builder(backend).on(one.database()).clock(&one.clock).seed(2).open().await;
    let customer = one.customer().await;
    let mut browser = one.browser();
    browser.log_in(&customer).await;
    let (name, secret) = browser.session_cookie().expect("there is a session");
    let other = two.client().with_header("cookie", &format!("{name}={secret}"));
    other.get("/me").await.expect_status(200);
    browser.delete("/session").await.expect_status(200);
    other.get("/me").await.expect_error(401, "unauthenticated");
}
