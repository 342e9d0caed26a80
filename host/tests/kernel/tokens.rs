//! `POST /auth/tokens` (S5.2): who gets a token, and what it opens.

use chrono::TimeDelta;
use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use stoa_core::auth::SPECIFIED;
use stoa_core::customers::CustomerRecord;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestResponse, TestShop, both_databases};

use crate::probe;

const STORED: Sql = sql!("SELECT secret_hash FROM access_tokens WHERE id = $1");
const STORED_ABILITIES: Sql = sql!("SELECT CAST(abilities AS TEXT) FROM access_tokens ORDER BY id DESC");
const TOKENS: Sql = sql!("SELECT COUNT(*) FROM access_tokens");
const ANONYMIZE: Sql = sql!("UPDATE users SET anonymized_at = $1");

/// A shop that lets tokens be created as often as a test likes.
async fn shop(backend: Backend) -> TestShop {
    probe::shop(backend).config("[limits]\ntoken_creation = { requests = 0, per_seconds = 60 }").open().await
}

/// A request that succeeds.
fn wish(customer: &CustomerRecord) -> Value {
    json!({"email": customer.email, "password": TestShop::PASSWORD, "name": "My laptop"})
}

/// The same with other members; those that are null here are left out.
fn wish_with(customer: &CustomerRecord, members: &Value) -> Value {
    let mut wish = wish(customer);
    for (name, value) in members.as_object().expect("an object") {
        wish[name] = value.clone();
    }
    wish
}

async fn create(shop: &TestShop, body: &Value) -> TestResponse {
    shop.client().post("/auth/tokens", body).await
}

async fn tokens(shop: &TestShop) -> i64 {
    shop.parts.db.read(TOKENS).scalar().await.expect("a count")
}

async fn abilities(shop: &TestShop) -> Value {
    let stored = shop.parts.db.read(STORED_ABILITIES).optional_scalar::<String>().await.expect("they can be read");
    serde_json::from_str(&stored.expect("there is a token")).expect("a list")
}

fn parts(answer: &TestResponse) -> (i64, String) {
    let token = answer.json()["token"].as_str().expect("a text").to_owned();
    let (id, secret) = token.split_once('|').expect("an id and a secret");
    (id.parse().expect("a number"), secret.to_owned())
}

both_databases!(the_right_password_gets_a_token_that_works);
async fn the_right_password_gets_a_token_that_works(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let answer = create(&shop, &wish(&customer)).await.expect_status(201).json();
    assert_eq!(answer.as_object().expect("an object").len(), 3, "{answer}");
    assert_eq!((&answer["token_type"], &answer["name"]), (&json!("Bearer"), &json!("My laptop")));
    let token = answer["token"].as_str().expect("a text");
    let probed = shop.client().bearer(token).get("/probes").await.expect_status(200).json();
    assert_eq!(probed["data"]["customer_id"], customer.id);
}

both_databases!(only_the_hash_of_the_secret_is_stored);
async fn only_the_hash_of_the_secret_is_stored(backend: Backend) {
    let shop = shop(backend).await;
    let answer = create(&shop, &wish(&shop.customer().await)).await.expect_status(201);
    let (id, secret) = parts(&answer);
    assert!(secret.len() >= 40 && secret.bytes().all(|byte| byte.is_ascii_alphanumeric()), "{secret}");
    let stored = shop.parts.db.read(STORED).bind(id).scalar::<Vec<u8>>().await.expect("it is stored");
    assert_eq!(stored, Sha256::digest(secret.as_bytes()).to_vec());
}

both_databases!(the_email_is_found_in_any_case_and_with_blanks_around);
async fn the_email_is_found_in_any_case_and_with_blanks_around(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    for email in [customer.email.to_uppercase(), format!("  {}\t", customer.email)] {
        create(&shop, &wish_with(&customer, &json!({"email": email}))).await.expect_status(201);
    }
}

both_databases!(omitted_abilities_grant_everything);
async fn omitted_abilities_grant_everything(backend: Backend) {
    let shop = shop(backend).await;
    create(&shop, &wish(&shop.customer().await)).await.expect_status(201);
    assert_eq!(abilities(&shop).await, json!(["*"]));
}

both_databases!(an_empty_list_grants_nothing);
async fn an_empty_list_grants_nothing(backend: Backend) {
    let shop = shop(backend).await;
    let body = wish_with(&shop.customer().await, &json!({"abilities": []}));
    let answer = create(&shop, &body).await.expect_status(201).json();
    assert_eq!(abilities(&shop).await, json!([]));
    let client = shop.client().bearer(answer["token"].as_str().expect("a text"));
    client.get("/probes").await.expect_error(403, "insufficient_scope");
}

both_databases!(a_star_among_others_grants_everything);
async fn a_star_among_others_grants_everything(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    for asked in [json!(["*"]), json!(["orders.read", "*"])] {
        create(&shop, &wish_with(&customer, &json!({"abilities": asked}))).await.expect_status(201);
        assert_eq!(abilities(&shop).await, json!(["*"]));
    }
}

both_databases!(each_ability_is_granted_once);
async fn each_ability_is_granted_once(backend: Backend) {
    let shop = shop(backend).await;
    let asked = json!({"abilities": ["orders.read", "account.read", "orders.read"]});
    create(&shop, &wish_with(&shop.customer().await, &asked)).await.expect_status(201);
    assert_eq!(abilities(&shop).await, json!(["account.read", "orders.read"]));
}

both_databases!(all_abilities_of_the_catalog_can_be_asked_for);
async fn all_abilities_of_the_catalog_can_be_asked_for(backend: Backend) {
    let shop = shop(backend).await;
    // The specification's, whether or not their module is there, and an enabled module's own.
    let all = SPECIFIED.iter().map(|ability| ability.name).chain([probe::PROBE]).collect::<Vec<_>>();
    let body = wish_with(&shop.customer().await, &json!({"abilities": all}));
    create(&shop, &body).await.expect_status(201);
    assert_eq!(abilities(&shop).await.as_array().expect("a list").len(), 19);
}

both_databases!(invalid_input_is_refused_and_its_field_named);
async fn invalid_input_is_refused_and_its_field_named(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let many = vec!["orders.read"; 51];
    let invalid = [
        (json!({"email": null}), "email"),
        (json!({"email": " "}), "email"),
        (json!({"email": 7}), "email"),
        (json!({"email": "nobody"}), "email"),
        (json!({"email": "a@b@example.com"}), "email"),
        (json!({"email": "a\u{0}@example.com"}), "email"),
        (json!({"password": null}), "password"),
        (json!({"password": ""}), "password"),
        (json!({"password": ["x"]}), "password"),
        (json!({"name": null}), "name"),
        (json!({"name": "  "}), "name"),
        (json!({"name": "x".repeat(81)}), "name"),
        (json!({"name": "a\nb"}), "name"),
        (json!({"abilities": null}), "abilities"),
        (json!({"abilities": "*"}), "abilities"),
        (json!({"abilities": {"0": "*"}}), "abilities"),
        (json!({"abilities": many}), "abilities"),
        (json!({"abilities": ["orders.read", "orders.eat"]}), "abilities.1"),
        (json!({"abilities": ["*", "orders.eat"]}), "abilities.1"),
        (json!({"abilities": [null]}), "abilities.0"),
        (json!({"abilities": [7]}), "abilities.0"),
        (json!({"abilities": [""]}), "abilities.0"),
        (json!({"abilities": ["Orders.Read"]}), "abilities.0"),
    ];
    for (members, field) in invalid {
        let answer = create(&shop, &wish_with(&customer, &members)).await;
        assert_eq!(answer.status, 422, "{members}: {}", answer.text());
        let answer = answer.expect_error(422, "validation_error").json();
        let fields = answer["errors"].as_object().expect("an object").keys().collect::<Vec<_>>();
        assert_eq!(fields, [field], "{members}");
    }
    assert_eq!(tokens(&shop).await, 0);
    let missing = create(&shop, &json!({})).await.expect_error(422, "validation_error").json();
    assert_eq!(
        missing["errors"].as_object().expect("an object").keys().collect::<Vec<_>>(),
        ["email", "name", "password"]
    );
}

both_databases!(limits_of_length_are_reached_not_crossed);
async fn limits_of_length_are_reached_not_crossed(backend: Backend) {
    let shop = shop(backend).await;
    let name = "\u{e4}".repeat(80);
    let body = wish_with(&shop.customer().await, &json!({"name": name, "abilities": vec!["orders.read"; 50]}));
    assert_eq!(create(&shop, &body).await.expect_status(201).json()["name"], json!(name));
}

both_databases!(a_password_is_compared_with_its_blanks);
async fn a_password_is_compared_with_its_blanks(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let padded = wish_with(&customer, &json!({"password": format!("{} ", TestShop::PASSWORD)}));
    create(&shop, &padded).await.expect_error(422, "validation_error");
}

both_databases!(a_wrong_password_and_an_unknown_email_are_told_alike);
async fn a_wrong_password_and_an_unknown_email_are_told_alike(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let wrong = create(&shop, &wish_with(&customer, &json!({"password": "wrong"}))).await;
    let unknown = create(&shop, &wish_with(&customer, &json!({"email": "nobody@example.com"}))).await;
    let wrong = wrong.expect_error(422, "validation_error");
    assert_eq!(wrong.text(), unknown.expect_error(422, "validation_error").text());
    assert!(wrong.json()["errors"].get("email").is_some());
    assert_eq!(tokens(&shop).await, 0);
}

both_databases!(an_anonymized_user_is_unknown);
async fn an_anonymized_user_is_unknown(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let now = shop.now();
    shop.parts.db.write(async |tx| tx.run(ANONYMIZE).bind(now).execute().await).await.expect("it is anonymized");
    create(&shop, &wish(&customer)).await.expect_error(422, "validation_error");
}

both_databases!(ten_failures_block_an_email_until_the_window_is_over);
async fn ten_failures_block_an_email_until_the_window_is_over(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let failing = |email: &str| json!({"email": email, "password": "wrong", "name": "x"});
    // Known or not, an address is blocked alike, wherever the attempts come from.
    for email in [customer.email.as_str(), "nobody@example.com"] {
        for attempt in 0..10_u8 {
            let client = shop.client().at_address(&format!("198.51.100.{attempt}"));
            let email = if attempt % 2 == 0 { email.to_owned() } else { email.to_uppercase() };
            client.post("/auth/tokens", &failing(&email)).await.expect_error(422, "validation_error");
        }
        let blocked = create(&shop, &failing(email)).await.expect_error(429, "rate_limited");
        assert_eq!(blocked.header("retry-after"), Some("600"));
    }
    create(&shop, &wish(&customer)).await.expect_error(429, "rate_limited");
    create(&shop, &wish(&shop.customer().await)).await.expect_status(201);
    shop.advance(TimeDelta::seconds(600));
    create(&shop, &wish(&customer)).await.expect_status(201);
}

both_databases!(a_success_forgives_earlier_failures);
async fn a_success_forgives_earlier_failures(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    for _ in 0..3 {
        for _ in 0..9 {
            create(&shop, &wish_with(&customer, &json!({"password": "wrong"}))).await.expect_status(422);
        }
        create(&shop, &wish(&customer)).await.expect_status(201);
    }
}

both_databases!(guesses_that_run_at_once_cannot_share_an_attempt);
async fn guesses_that_run_at_once_cannot_share_an_attempt(backend: Backend) {
    let shop = shop(backend).await;
    let body = wish_with(&shop.customer().await, &json!({"password": "wrong"}));
    let guesses = (0..30).map(|_| {
        let (client, body) = (shop.client(), body.clone());
        tokio::spawn(async move { client.post("/auth/tokens", &body).await.status.as_u16() })
    });
    let mut checked = 0;
    for guess in guesses.collect::<Vec<_>>() {
        checked += usize::from(guess.await.expect("the request ends") == 422);
    }
    assert_eq!(checked, 10);
}

both_databases!(creation_is_limited_by_address_and_email_together);
async fn creation_is_limited_by_address_and_email_together(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let (one, other) = (shop.customer().await, shop.customer().await);
    for remaining in ["4", "3", "2", "1", "0"] {
        let answer = create(&shop, &wish(&one)).await.expect_status(201);
        assert_eq!(answer.header("x-ratelimit-limit"), Some("5"));
        assert_eq!(answer.header("x-ratelimit-remaining"), Some(remaining));
    }
    let upper = wish_with(&one, &json!({"email": one.email.to_uppercase()}));
    let refused = create(&shop, &upper).await.expect_error(429, "rate_limited");
    assert_eq!(refused.header("retry-after"), Some("60"));
    create(&shop, &wish(&other)).await.expect_status(201);
    shop.client().at_address("192.0.2.2").post("/auth/tokens", &wish(&one)).await.expect_status(201);
    shop.advance(TimeDelta::seconds(60));
    create(&shop, &wish(&one)).await.expect_status(201);
}

both_databases!(credentials_that_are_sent_along_are_not_looked_at);
async fn credentials_that_are_sent_along_are_not_looked_at(backend: Backend) {
    let shop = shop(backend).await;
    let client = shop.client().bearer("1|nonsense");
    client.post("/auth/tokens", &wish(&shop.customer().await)).await.expect_status(201);
}

both_databases!(all_that_is_wrong_with_abilities_is_told_at_once);
async fn all_that_is_wrong_with_abilities_is_told_at_once(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let wish = wish_with(&customer, &json!({"name": "", "abilities": ["nope", 5, "orders.read", "neither"]}));
    let errors = create(&shop, &wish).await.expect_error(422, "validation_error").json()["errors"].clone();
    let fields = errors.as_object().expect("an object").keys().collect::<Vec<_>>();
    assert_eq!(fields, ["abilities.0", "abilities.1", "abilities.3", "name"]);
    // It is optional, so it cannot be "required"; but it must not be null.
    let wish = wish_with(&customer, &json!({"abilities": null}));
    let errors = create(&shop, &wish).await.expect_error(422, "validation_error").json()["errors"].clone();
    assert!(errors["abilities"][0].as_str().is_some_and(|text| text.contains("must be a list")), "{errors}");
}
