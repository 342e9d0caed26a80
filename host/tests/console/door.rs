//! Logging in and out, and everything that must not let anybody in.

use chrono::TimeDelta;
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};
use stoa_staff::{NewStaff, create_staff, disable_staff, make_login_link, set_staff_role};

use crate::shelf::{PASSWORD, audit, browser, builder, csrf_of, filled, shop, staff, submit, try_to_log_in};

both_databases!(staff_log_in_see_the_first_page_and_log_out);
async fn staff_log_in_see_the_first_page_and_log_out(backend: Backend) {
    let shop = shop(backend).await;
    let owner = staff(&shop, "owner").await;
    let mut browser = shop.browser();
    let sent_on = browser.get("/console/orders?status=paid").await.expect_status(303);
    assert_eq!(sent_on.header("location"), Some("/console/login?next=%2Fconsole%2Forders%3Fstatus%3Dpaid"));
    let page = browser.get(sent_on.header("location").expect("a page")).await.expect_status(200).text();
    assert!(page.contains("name=\"next\" value=\"/console/orders?status=paid\""), "{page}");
    let csrf = csrf_of(&page);
    let fields = [
        ("csrf", csrf.as_str()),
        ("next", "/console/orders?status=paid"),
        ("email", " OWNER@shop.example "),
        ("password", PASSWORD),
    ];
    let logged_in = browser.submit("/console/login", &fields).await.expect_status(303);
    assert_eq!(logged_in.header("location"), Some("/console/orders?status=paid"));
    let cookie = logged_in.header("set-cookie").expect("a cookie");
    for attribute in ["stoa_staff=", "HttpOnly", "SameSite=Strict", "Path=/"] {
        assert!(cookie.contains(attribute), "{cookie}");
    }
    let today = browser.get("/console").await.expect_status(200);
    assert!(today.header("content-security-policy").is_some_and(|policy| policy.starts_with("default-src 'none'")));
    assert_eq!(today.header("cache-control"), Some("private, no-store"));
    let today = today.text();
    assert!(today.contains("<h1>Today</h1>") && today.contains("Some owner"), "{today}");
    let kept = browser.clone();
    let out = submit(&mut browser, "/console", "/console/logout", &[]).await.expect_status(303);
    assert_eq!(out.header("location"), Some("/console/login"));
    browser.clone().get("/console").await.expect_status(303);
    // The cookie that somebody has copied is worth nothing any more.
    kept.clone().get("/console").await.expect_status(303);
    let rows = audit(&shop).await;
    let acts = rows.iter().map(|row| (row.act.as_str(), row.actor.as_str())).collect::<Vec<_>>();
    let me = format!("staff:{}", owner.email);
    assert_eq!(acts[..2], [("staff.log-out", me.as_str()), ("staff.log-in", me.as_str())]);
    assert!(rows[0].address.is_some());
}

both_databases!(a_wrong_password_says_no_more_than_an_unknown_address);
async fn a_wrong_password_says_no_more_than_an_unknown_address(backend: Backend) {
    let shop = shop(backend).await;
    let owner = staff(&shop, "owner").await;
    let mut answers = Vec::new();
    for (email, password) in [(owner.email.as_str(), "wrong"), ("nobody@shop.example", PASSWORD)] {
        let answer = try_to_log_in(&mut shop.browser(), email, password).await.expect_status(422);
        let text = answer.text();
        assert!(answer.header("set-cookie").is_none() && !text.contains(password));
        let csrf = csrf_of(&text);
        answers.push(text.replace(email, "EMAIL").replace(&csrf, "CSRF"));
    }
    assert_eq!(answers[0], answers[1]);
    assert!(answers[0].contains("role=\"alert\""));
}

both_databases!(ten_failures_close_the_door_for_an_address_and_not_for_the_customer_with_the_same);
async fn ten_failures_close_the_door_for_an_address_and_not_for_the_customer_with_the_same(backend: Backend) {
    let shop = shop(backend).await;
    let owner = staff(&shop, "owner").await;
    for _ in 0..10 {
        try_to_log_in(&mut shop.browser(), &owner.email, "wrong").await.expect_status(422);
    }
    let refused = try_to_log_in(&mut shop.browser(), &owner.email, PASSWORD).await.expect_status(429);
    assert!(refused.text().contains("too many attempts"));
    shop.advance(TimeDelta::minutes(11));
    try_to_log_in(&mut shop.browser(), &owner.email, PASSWORD).await.expect_status(303);
}

both_databases!(what_is_taken_from_somebody_is_gone_at_once);
async fn what_is_taken_from_somebody_is_gone_at_once(backend: Backend) {
    let shop = shop(backend).await;
    staff(&shop, "owner").await;
    let mut manager = browser(&shop, "manager").await;
    manager.get("/console/orders").await.expect_status(200);
    let (db, console) = (&shop.parts.db, &shop.parts.console);
    set_staff_role(db, console, "manager@shop.example", "nothing").await.expect_err("there is no such role");
    disable_staff(db, "manager@shop.example").await.expect("it is taken");
    manager.get("/console/orders").await.expect_status(303);
    try_to_log_in(&mut shop.browser(), "manager@shop.example", PASSWORD).await.expect_status(422);
    disable_staff(db, "owner@shop.example").await.expect_err("the last owner stays");
}

both_databases!(a_form_that_was_open_when_its_ability_was_taken_does_nothing);
async fn a_form_that_was_open_when_its_ability_was_taken_does_nothing(backend: Backend) {
    let shop = shop(backend).await;
    let mut manager = browser(&shop, "manager").await;
    let new = "/console/discounts/new";
    let csrf = csrf_of(&manager.get(new).await.expect_status(200).text());
    let (db, console) = (&shop.parts.db, &shop.parts.console);
    set_staff_role(db, console, "manager@shop.example", "viewer").await.expect("there is such a role");
    let fields = [("csrf", csrf.as_str()), ("code", "TEN"), ("kind", "percent"), ("value", "10")];
    manager.submit(new, &fields).await.expect_status(403);
    let list = manager.get("/console/discounts").await.expect_status(200).text();
    assert!(!list.contains("TEN") && !list.contains("Create discount"), "{list}");
    assert!(audit(&shop).await.iter().all(|row| row.act != "discounts.create"), "nothing was done");
}

both_databases!(a_session_ends_when_it_is_not_used_and_in_any_case);
async fn a_session_ends_when_it_is_not_used_and_in_any_case(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    for _ in 0..14 {
        shop.advance(TimeDelta::minutes(50));
        owner.get("/console").await.expect_status(200);
    }
    shop.advance(TimeDelta::minutes(50));
    owner.get("/console").await.expect_status(303);
    try_to_log_in(&mut owner, "owner@shop.example", PASSWORD).await.expect_status(303);
    shop.advance(TimeDelta::minutes(61));
    owner.get("/console").await.expect_status(303);
}

both_databases!(a_login_link_works_once_and_not_for_long);
async fn a_login_link_works_once_and_not_for_long(backend: Backend) {
    let shop = shop(backend).await;
    let owner = staff(&shop, "owner").await;
    let link = async |shop: &TestShop| {
        let link = make_login_link(&shop.parts.db, &shop.parts.random, &owner.email).await.expect("it is made");
        link.secret.expose().to_owned()
    };
    let token = link(&shop).await;
    let path = format!("/console/login/link?token={token}");
    let mut browser = shop.browser();
    // Whoever looks at it does not use it up.
    browser.get(&path).await.expect_status(200);
    let answer = submit(&mut browser, &path, "/console/login/link", &[("token", &token)]).await.expect_status(303);
    assert_eq!(answer.header("location"), Some("/console"));
    browser.get("/console").await.expect_status(200);
    shop.browser().get(&path).await.expect_status(404);
    let mut other = shop.browser();
    let again = submit(&mut other, "/console/login", "/console/login/link", &[("token", &token)]).await;
    again.expect_status(404);
    other.get("/console").await.expect_status(303);
    let late = link(&shop).await;
    shop.advance(TimeDelta::minutes(15));
    let mut other = shop.browser();
    submit(&mut other, "/console/login", "/console/login/link", &[("token", &late)]).await.expect_status(404);
}

both_databases!(who_comes_by_a_link_without_a_password_sees_the_first_page_and_is_reminded_of_it);
async fn who_comes_by_a_link_without_a_password_sees_the_first_page_and_is_reminded_of_it(backend: Backend) {
    let shop = shop(backend).await;
    let (email, name) = (String::from("ada@shop.example"), String::from("Ada"));
    let new = NewStaff { email: email.clone(), name, role: String::from("owner"), password_hash: None };
    create_staff(&shop.parts.db, &shop.parts.console, new).await.expect("it is made");
    let link = make_login_link(&shop.parts.db, &shop.parts.random, &email).await.expect("it is made");
    let token = link.secret.expose();
    let (path, mut browser) = (format!("/console/login/link?token={token}"), shop.browser());
    let answer = submit(&mut browser, &path, "/console/login/link", &[("token", token)]).await.expect_status(303);
    assert_eq!(answer.header("location"), Some("/console"));
    let today = browser.get("/console").await.expect_status(200).text();
    assert!(
        today.contains("<a href=\"/console/security\"><span>Password to choose</span> <strong>1</strong>"),
        "{today}"
    );
}

both_databases!(after_the_login_nobody_is_sent_to_another_site);
async fn after_the_login_nobody_is_sent_to_another_site(backend: Backend) {
    let shop = shop(backend).await;
    staff(&shop, "owner").await;
    for next in
        ["https://evil.example", "//evil.example", "/console//evil.example", "/consoles", "/console\\@evil.example"]
    {
        let mut browser = shop.browser();
        let fields = [("next", next), ("email", "owner@shop.example"), ("password", PASSWORD)];
        let answer = submit(&mut browser, "/console/login", "/console/login", &fields).await.expect_status(303);
        let location = answer.header("location").expect("somewhere");
        assert!(location == "/console" || location == "/console//evil.example", "{next}: {location}");
    }
}

both_databases!(on_https_the_cookie_is_bound_to_the_host);
async fn on_https_the_cookie_is_bound_to_the_host(backend: Backend) {
    let shop = filled(builder(backend).config("[server]\nbase_url = \"https://shop.test\"")).await;
    staff(&shop, "owner").await;
    let answer = try_to_log_in(&mut shop.browser(), "owner@shop.example", PASSWORD).await.expect_status(303);
    let cookie = answer.header("set-cookie").expect("a cookie");
    assert!(cookie.starts_with("__Host-stoa_staff=") && cookie.contains("Secure") && !cookie.contains("Domain"));
}

both_databases!(the_console_stands_where_the_operator_puts_it_and_nowhere_without_one);
async fn the_console_stands_where_the_operator_puts_it_and_nowhere_without_one(backend: Backend) {
    let moved = filled(builder(backend).config("path = \"/back-office\"")).await;
    let sent_on = moved.browser().get("/back-office").await.expect_status(303);
    assert_eq!(sent_on.header("location"), Some("/back-office/login"));
    moved.browser().get("/back-office/login").await.expect_status(200);
    moved.browser().get("/console").await.expect_status(404);
    let without = TestShop::builder(backend).open().await;
    for path in ["/console", "/console/login", "/console/orders"] {
        without.browser().get(path).await.expect_status(404);
    }
}

both_databases!(from_other_networks_there_is_no_console);
async fn from_other_networks_there_is_no_console(backend: Backend) {
    let shop = filled(builder(backend).config("networks = [\"192.0.2.0/24\", \"2001:db8::1\"]")).await;
    for (address, status) in [("192.0.2.7", 200), ("2001:db8::1", 200), ("198.51.100.1", 404), ("2001:db8::2", 404)] {
        let client = shop.client().at_address(address);
        let request = client.site_request(http::Method::GET, "/console/login", "");
        client.send(request).await.expect_status(status);
    }
}

both_databases!(what_is_nowhere_is_told_by_the_console_to_who_is_logged_in);
async fn what_is_nowhere_is_told_by_the_console_to_who_is_logged_in(backend: Backend) {
    let shop = filled(builder(backend)).await;
    let nowhere = "/console/nowhere/at-all";
    let sent_on = shop.browser().get(nowhere).await.expect_status(303);
    assert_eq!(sent_on.header("location"), Some("/console/login?next=%2Fconsole%2Fnowhere%2Fat-all"));
    let owner = browser(&shop, "owner").await;
    let page = owner.with_header("accept", "text/html").get(nowhere).await.expect_status(404).text();
    assert!(page.contains("There is nothing here") && page.contains("<a href=\"/console\">"), "{page}");
    assert!(page.contains("<a href=\"/console/orders\">Orders</a>"), "the menu is there: {page}");
    let warehouse = browser(&shop, "warehouse").await;
    let page = warehouse.with_header("accept", "text/html").get("/console/health").await.expect_status(403).text();
    assert!(page.contains("<a href=\"/console/orders\">Orders</a>") && !page.contains(">Health</a>"), "{page}");
}

both_databases!(who_sends_a_form_in_a_session_that_is_over_comes_back_to_it);
async fn who_sends_a_form_in_a_session_that_is_over_comes_back_to_it(backend: Backend) {
    let shop = filled(builder(backend)).await;
    let mut nobody = shop.browser().with_header("referer", "http://shop.test/console/products/new");
    // What was typed goes along by the login's own page; where there is nothing of it, the login is led to.
    let page = nobody.submit("/console/products", &[("name", "Vase")]).await.expect_status(200).text();
    assert!(page.contains("this could not be saved") && page.contains("value=\"/console/products/new\""), "{page}");
    assert!(page.contains("name=\"kept\""), "{page}");
    let sent_on = nobody.submit("/console/products", &[]).await.expect_status(303);
    let location = sent_on.header("location").expect("a page").to_owned();
    assert_eq!(location, "/console/login?unsaved=1&next=%2Fconsole%2Fproducts%2Fnew");
    let mut elsewhere = shop.browser().with_header("referer", "https://evil.example/console/products/new");
    let sent_on = elsewhere.submit("/console/products", &[]).await.expect_status(303);
    assert_eq!(sent_on.header("location"), Some("/console/login?unsaved=1"));
}

both_databases!(the_address_of_an_act_leads_to_the_page_that_its_form_stands_on);
async fn the_address_of_an_act_leads_to_the_page_that_its_form_stands_on(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    for (act, page) in [
        ("/console/orders/O-000001/ship", "/console/orders/O-000001"),
        ("/console/staff/role", "/console/staff"),
        ("/console/logout", "/console"),
    ] {
        let answer = owner.get(act).await.expect_status(303);
        assert_eq!(answer.header("location"), Some(page), "{act}");
    }
}
