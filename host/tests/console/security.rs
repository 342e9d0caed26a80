//! One's own password, second factor and sessions; and what those who manage the staff can do.

use stoa_core::db::Backend;
use stoa_core::testing::{TestBrowser, TestShop, both_databases};
use totp_rs::{Builder, Secret, Totp};

use crate::shelf::{PASSWORD, audit, browser, builder, csrf_of, filled, shop, submit, try_to_log_in};

const OWNER: &str = "owner@shop.example";

/// The app of somebody, by the key that the page shows.
fn app(page: &str) -> Totp {
    let (_, rest) = page.split_once("<p class=\"code\">").expect("a key");
    let key = Secret::try_from_base32(rest.split('<').next().expect("it ends")).expect("base 32");
    Builder::new().with_secret(key).build_noncompliant()
}

fn code(shop: &TestShop, app: &Totp) -> String {
    let time = u64::try_from(shop.now().timestamp()).expect("after 1970");
    app.generate(time).to_string()
}

async fn set_up(shop: &TestShop, browser: &mut TestBrowser) -> (Totp, Vec<String>) {
    let page = browser.get("/console/security").await.expect_status(200).text();
    let app = app(&page);
    let code = code(shop, &app);
    let fields = [("current", PASSWORD), ("code", code.as_str())];
    let shown =
        submit(browser, "/console/security", "/console/security/factor", &fields).await.expect_status(200).text();
    let codes = shown.split("<li class=\"code\">").skip(1).filter_map(|rest| rest.split('<').next()).map(str::to_owned);
    (app, codes.collect())
}

both_databases!(a_second_factor_is_asked_for_after_the_password);
async fn a_second_factor_is_asked_for_after_the_password(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let wrong = [("current", PASSWORD), ("code", "000000")];
    submit(&mut owner, "/console/security", "/console/security/factor", &wrong).await.expect_status(422);
    let (app, recovery) = set_up(&shop, &mut owner).await;
    assert_eq!(recovery.len(), 10);

    let mut other = shop.browser();
    let answer = try_to_log_in(&mut other, OWNER, PASSWORD).await.expect_status(303);
    assert_eq!(answer.header("location"), Some("/console/login/code"));
    // The password alone opens nothing.
    let sent_on = other.get("/console/orders").await.expect_status(303);
    assert_eq!(sent_on.header("location"), Some("/console/login/code"));
    let show = async |browser: &mut TestBrowser, code: &str| {
        submit(browser, "/console/login/code", "/console/login/code", &[("code", code)]).await
    };
    show(&mut other, "123456").await.expect_status(422);
    // The code that has set it up was used.
    show(&mut other, &code(&shop, &app)).await.expect_status(422);
    shop.advance(chrono::TimeDelta::seconds(30));
    show(&mut other, &code(&shop, &app)).await.expect_status(303);
    other.get("/console/orders").await.expect_status(200);

    // A recovery code works once.
    for (again, status) in [(false, 303), (true, 422)] {
        let mut lost = shop.browser();
        try_to_log_in(&mut lost, OWNER, PASSWORD).await.expect_status(303);
        show(&mut lost, &recovery[3].to_uppercase()).await.expect_status(status);
        assert_eq!(lost.get("/console").await.status == 200, !again);
    }
    let rows = audit(&shop).await;
    assert!(
        rows.iter()
            .any(|row| row.act == "staff.show-factor" && row.after.as_deref() == Some("{\"by\":\"recovery code\"}"))
    );
    let told = serde_json::to_string(&rows).expect("JSON");
    assert!(!told.contains(PASSWORD) && recovery.iter().all(|code| !told.contains(code)), "secrets never");
}

both_databases!(ten_wrong_codes_close_the_door);
async fn ten_wrong_codes_close_the_door(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let (app, _) = set_up(&shop, &mut owner).await;
    shop.advance(chrono::TimeDelta::seconds(30));
    let mut other = shop.browser();
    try_to_log_in(&mut other, OWNER, PASSWORD).await.expect_status(303);
    for _ in 0..10 {
        submit(&mut other, "/console/login/code", "/console/login/code", &[("code", "000000")])
            .await
            .expect_status(422);
    }
    let right = code(&shop, &app);
    submit(&mut other, "/console/login/code", "/console/login/code", &[("code", &right)]).await.expect_status(429);
}

both_databases!(where_everybody_needs_a_second_factor_it_is_set_up_first);
async fn where_everybody_needs_a_second_factor_it_is_set_up_first(backend: Backend) {
    let shop = filled(builder(backend).config("require_second_factor = true")).await;
    let mut owner = browser(&shop, "owner").await;
    for page in ["/console", "/console/orders", "/console/staff"] {
        let sent_on = owner.get(page).await.expect_status(303);
        assert_eq!(sent_on.header("location"), Some("/console/security"), "{page}");
    }
    set_up(&shop, &mut owner).await;
    owner.get("/console/orders").await.expect_status(200);
}

both_databases!(a_new_password_ends_the_other_sessions);
async fn a_new_password_ends_the_other_sessions(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let mut other = shop.browser();
    try_to_log_in(&mut other, OWNER, PASSWORD).await.expect_status(303);
    let new = "a lovely new password";
    for (current, password) in [("wrong", new), (PASSWORD, "short"), (PASSWORD, OWNER), (PASSWORD, "1234567890123")] {
        let fields = [("current", current), ("password", password)];
        let refused = submit(&mut owner, "/console/security", "/console/security/password", &fields).await;
        assert!(refused.expect_status(422).text().contains("role=\"alert\""));
    }
    let fields = [("current", PASSWORD), ("password", new)];
    submit(&mut owner, "/console/security", "/console/security/password", &fields).await.expect_status(303);
    owner.get("/console").await.expect_status(200);
    other.get("/console").await.expect_status(303);
    try_to_log_in(&mut other, OWNER, new).await.expect_status(303);
}

both_databases!(somebody_new_comes_by_a_link_and_gets_no_more_than_who_adds_them_has);
async fn somebody_new_comes_by_a_link_and_gets_no_more_than_who_adds_them_has(backend: Backend) {
    let roles = "[console.roles.hr]\nabilities = [\"staff.*\", \"orders.view\"]\n[console.roles.clerk]\nabilities = [\"orders.view\"]";
    let shop = filled(builder(backend).config(roles)).await;
    let mut owner = browser(&shop, "owner").await;
    let mut hr = browser(&shop, "hr").await;
    let add = |role: &'static str, email: &'static str| [("name", "Grace"), ("email", email), ("role", role)];
    for role in ["owner", "support", "nonsense"] {
        let answer = submit(&mut hr, "/console/staff", "/console/staff", &add(role, "grace@shop.example")).await;
        assert!(matches!(answer.status.as_u16(), 403 | 422), "{role}: {}", answer.status);
    }
    let page = submit(&mut hr, "/console/staff", "/console/staff", &add("clerk", "grace@shop.example")).await;
    let page = page.expect_status(200).text();
    let (_, link) = page.split_once("http://shop.test").expect("a login link");
    let link = link.split('<').next().expect("it ends").to_owned();
    let mut grace = shop.browser();
    let shown = grace.get(&link).await.expect_status(200).text();
    let token = link.split_once("token=").expect("a token").1.to_owned();
    let fields = [("csrf", csrf_of(&shown)), ("token", token)];
    let fields = fields.iter().map(|(name, value)| (*name, value.as_str())).collect::<Vec<_>>();
    let answer = grace.submit("/console/login/link", &fields).await.expect_status(303);
    assert_eq!(answer.header("location"), Some("/console/security"));
    let chosen = [("password", "a lovely new password")];
    submit(&mut grace, "/console/security", "/console/security/password", &chosen).await.expect_status(303);
    grace.get("/console/orders").await.expect_status(200);
    grace.get("/console/staff").await.expect_status(403);
    // Nor can they touch somebody who has more.
    for act in ["disable", "reset", "link"] {
        let path = format!("/console/staff/{act}");
        submit(&mut hr, "/console/staff", &path, &[("email", OWNER)]).await.expect_status(403);
    }
    submit(&mut hr, "/console/staff", "/console/staff/disable", &[("email", "grace@shop.example")])
        .await
        .expect_status(303);
    grace.get("/console/orders").await.expect_status(303);
    let last = submit(&mut owner, "/console/staff", "/console/staff/disable", &[("email", OWNER)]).await;
    assert!(last.expect_status(409).text().contains("last owner"));
    let log = owner.get("/console/audit?actor=staff:hr@shop.example&act=staff").await.expect_status(200).text();
    for act in ["staff.create", "staff.login-link", "staff.disable", "staff.log-in"] {
        assert!(log.contains(act), "{act}: {log}");
    }
    assert!(!log.contains("grace2"), "{log}");
}
