//! `POST /session/register`.

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::{TestResponse, TestShop, both_databases};

async fn register(shop: &TestShop, body: &Value) -> TestResponse {
    let mut browser = shop.browser();
    browser.prepare().await.post("/session/register", body).await
}

fn wish(email: &str) -> Value {
    json!({"name": "Ada Buyer", "email": email, "password": "a lovely password"})
}

both_databases!(who_registers_is_logged_in);
async fn who_registers_is_logged_in(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let mut browser = shop.browser();
    let answer = browser.prepare().await.post("/session/register", &wish("Ada@Example.com")).await.expect_status(201);
    let account = &answer.json()["data"];
    assert_eq!((&account["name"], &account["email"]), (&json!("Ada Buyer"), &json!("ada@example.com")));
    assert_eq!(account["email_verified"], false);
    assert_eq!(browser.get("/api/v1/me").await.expect_status(200).json()["data"], *account);
    shop.browser().try_to_log_in("ada@example.com", "a lovely password").await.expect_status(200);
}

both_databases!(an_address_registers_once);
async fn an_address_registers_once(backend: Backend) {
    let shop = TestShop::new(backend).await;
    register(&shop, &wish("ada@example.com")).await.expect_status(201);
    let again = register(&shop, &wish("ADA@example.com")).await.expect_error(422, "validation_error");
    assert!(again.json()["errors"]["email"].is_array(), "{}", again.text());
    assert_eq!(again.headers.get_all("set-cookie").iter().count(), 0);
    shop.browser().try_to_log_in("ada@example.com", "a lovely password").await.expect_status(200);
}

both_databases!(parallel_registrations_make_one_customer);
async fn parallel_registrations_make_one_customer(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let body = wish("ada@example.com");
    let answers = futures_util::future::join_all((0..6).map(|_| register(&shop, &body))).await;
    let mut statuses = answers.iter().map(|answer| answer.status.as_u16()).collect::<Vec<_>>();
    statuses.sort_unstable();
    assert_eq!(statuses, [201, 422, 422, 422, 422, 422]);
}

both_databases!(every_field_has_its_rules);
async fn every_field_has_its_rules(backend: Backend) {
    let config = "[limits]\nprotected = { requests = 0, per_seconds = 60 }";
    let shop = TestShop::builder(backend).config(config).open().await;
    for (field, wrong) in [
        (
            "name",
            vec![json!(null), json!(""), json!("  "), json!("x".repeat(256)), json!(5), json!("a\u{0}b"), json!(["x"])],
        ),
        (
            "email",
            vec![
                json!(null),
                json!("x"),
                json!("a@b@c.example"),
                json!(true),
                json!("a b@example.com"),
                json!(format!("{}@example.com", "x".repeat(250))),
            ],
        ),
        (
            "password",
            vec![
                json!(null),
                json!(""),
                json!("012345678"),
                json!("x".repeat(201)),
                json!(1_234_567_890),
                json!("0123456789\u{0}"),
            ],
        ),
    ] {
        for value in wrong {
            let mut body = wish("someone@example.com");
            body[field] = value.clone();
            let answer = register(&shop, &body).await.expect_error(422, "validation_error");
            let errors = answer.json()["errors"].as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
            assert_eq!(errors, [field], "{value}");
        }
    }
    let answer = register(&shop, &json!({})).await.expect_error(422, "validation_error").json();
    assert_eq!(answer["errors"].as_object().expect("an object").len(), 3);
    for (number, password) in
        ["x-x-x-x-x-".to_owned(), "é".repeat(200), String::from("  blanks  stay  ")].iter().enumerate()
    {
        let email = format!("someone-{number}@example.com");
        register(&shop, &json!({"name": "é".repeat(255), "email": email, "password": password}))
            .await
            .expect_status(201);
        shop.browser().try_to_log_in(&email, password.trim()).await.expect_status(if password.contains("  ") {
            422
        } else {
            200
        });
        shop.browser().try_to_log_in(&email, password).await.expect_status(200);
    }
}

both_databases!(a_password_that_is_tried_first_is_refused);
async fn a_password_that_is_tried_first_is_refused(backend: Backend) {
    let shop = TestShop::builder(backend).config("[shop]\nname = \"The Lamp Shop\"").open().await;
    for password in ["0123456789", "Password123", "ADA.LOVELACE@example.com", "ada.lovelace", "the lamp shop"] {
        let body = json!({"name": "", "email": "Ada.Lovelace@example.com", "password": password});
        let answer = register(&shop, &body).await.expect_error(422, "validation_error").json();
        let errors = answer["errors"].as_object().expect("an object");
        assert_eq!(errors.keys().collect::<Vec<_>>(), ["name", "password"], "all problems at once: {answer}");
        assert!(errors["password"][0].as_str().is_some_and(|text| text.contains("too easy to guess")), "{answer}");
    }
    let body = json!({"name": "Ada", "email": "ada.lovelace@example.com", "password": "the lamp shop is lit"});
    register(&shop, &body).await.expect_status(201);
}

both_databases!(registration_can_be_switched_off);
async fn registration_can_be_switched_off(backend: Backend) {
    let shop = TestShop::builder(backend).config("[accounts]\nregistration = false").open().await;
    register(&shop, &wish("ada@example.com")).await.expect_error(404, "not_found");
}
