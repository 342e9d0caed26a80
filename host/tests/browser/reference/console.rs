//! The console, which sends what it shows and shows what was answered.

use serde_json::{Value, json};

use crate::visit::{Visit, visit, visit_expecting};

const PRODUCTS: &str = "#operations-products-products_index";
const PRODUCT: &str = "#operations-products-products_show";
const NEW_TOKEN: &str = "#operations-auth-auth_tokens_store";
const REVOKE_TOKEN: &str = "#operations-auth-auth_tokens_destroy";

/// Opens an operation.
async fn open(visit: &Visit, operation: &str) {
    visit.click(&format!("{operation} .opblock-summary-control")).await;
    visit.until("it is open", &format!("document.querySelector('{operation} .execute')")).await;
}

/// Sends the request of an opened operation; status and body of the answer.
async fn execute(visit: &Visit, operation: &str) -> (String, Value) {
    let clear = format!("{operation} .btn-clear");
    if visit.evaluate::<bool>(&format!("return document.querySelector('{clear}') !== null;")).await {
        visit.click(&clear).await;
        visit.until("the last answer is gone", &format!("!document.querySelector('{clear}')")).await;
    }
    visit.click(&format!("{operation} .execute")).await;
    let answer = format!("{operation} .live-responses-table .response");
    let status = visit.text(&format!("{answer} .response-col_status")).await;
    let body = visit.text(&format!("{answer} .highlight-code code")).await;
    (status.trim().to_owned(), serde_json::from_str(&body).expect("the answer is shown as JSON"))
}

/// Waits until the line for a shell shows what was typed, which takes the page a moment.
async fn wait_for_curl_line(visit: &Visit, operation: &str, holds: &str) {
    let line = format!("document.querySelector('{operation} .curl-line code').textContent");
    visit.until(&format!("the curl line holds {holds}"), &format!("{line}.includes({})", json!(holds))).await;
}

/// Fills in what a new token needs.
async fn describe_token(visit: &Visit, password: &str) {
    let body = json!({"email": visit.shop.email, "password": password, "name": "console"}).to_string();
    visit.enter(&format!("{NEW_TOKEN} .body-param__text"), &body).await;
    wait_for_curl_line(visit, NEW_TOKEN, password).await;
}

#[test]
fn a_call_lists_the_products() {
    visit(async |visit| {
        open(visit, PRODUCTS).await;
        let (status, body) = execute(visit, PRODUCTS).await;
        assert_eq!(status, "200");
        assert!(body["data"].as_array().is_some_and(|products| products.len() > 10), "{body}");
        let fetched = "return (await fetch('/api/v1/products')).json();";
        assert_eq!(body, visit.evaluate::<Value>(fetched).await);
    });
}

#[test]
fn a_field_that_may_stay_empty_is_empty_and_its_example_is_told() {
    visit(async |visit| {
        open(visit, PRODUCTS).await;
        let row = |name: &str| format!("{PRODUCTS} tr[data-param-name={name}]");
        for (name, example) in [("q", "lamp"), ("category", "lamps")] {
            let shown = visit.text(&row(name)).await;
            assert!(shown.contains(&format!("For example {example}.")), "{shown}");
            let filled = format!("return document.querySelector('{} input').value;", row(name));
            assert_eq!(visit.evaluate::<String>(&filled).await, "", "{name}");
        }
    });
}

#[test]
fn a_call_sends_what_was_entered() {
    visit(async |visit| {
        open(visit, PRODUCT).await;
        visit.enter(&format!("{PRODUCT} tr[data-param-name=slug] input"), "colonnade-armchair").await;
        wait_for_curl_line(visit, PRODUCT, "/api/v1/products/colonnade-armchair").await;
        let (status, body) = execute(visit, PRODUCT).await;
        assert_eq!((status.as_str(), &body["data"]["slug"]), ("200", &json!("colonnade-armchair")));
    });
}

#[test]
fn a_wrong_call_shows_the_error() {
    let failures = [("/api/v1/products/no-such-product", "404"), ("/api/v1/auth/tokens", "422")];
    visit_expecting(&failures, async |visit| {
        open(visit, PRODUCT).await;
        visit.enter(&format!("{PRODUCT} tr[data-param-name=slug] input"), "no-such-product").await;
        wait_for_curl_line(visit, PRODUCT, "no-such-product").await;
        let (status, body) = execute(visit, PRODUCT).await;
        assert_eq!((status.as_str(), &body["code"]), ("404", &json!("not_found")));

        open(visit, NEW_TOKEN).await;
        describe_token(visit, "this is not the password").await;
        let (status, body) = execute(visit, NEW_TOKEN).await;
        assert_eq!((status.as_str(), &body["code"]), ("422", &json!("validation_error")), "{body}");
        assert!(body["errors"].is_object(), "{body}");
        visit.until("no token is kept", "document.querySelector('#access-token')").await;
    });
}

#[test]
fn a_token_that_is_made_here_is_sent_from_then_on() {
    visit_expecting(&[("/api/v1/auth/tokens", "401")], async |visit| {
        open(visit, REVOKE_TOKEN).await;
        wait_for_curl_line(visit, REVOKE_TOKEN, "Bearer <ACCESS_TOKEN>").await;
        open(visit, NEW_TOKEN).await;
        describe_token(visit, &visit.shop.password).await;
        let (status, body) = execute(visit, NEW_TOKEN).await;
        assert_eq!(status, "201", "{body}");
        let token = body["token"].as_str().expect("the token is shown");
        wait_for_curl_line(visit, REVOKE_TOKEN, &format!("Bearer {token}")).await;
        assert_eq!(execute(visit, REVOKE_TOKEN).await.0, "200");
        // It was this very token that was revoked.
        let (status, body) = execute(visit, REVOKE_TOKEN).await;
        assert_eq!((status.as_str(), &body["code"]), ("401", &json!("unauthenticated")), "{body}");
    });
}

#[test]
fn a_token_is_entered_sent_and_forgotten() {
    visit(async |visit| {
        let (email, password) = (&visit.shop.email, &visit.shop.password);
        let body = json!({"email": email, "password": password, "name": "elsewhere"}).to_string();
        let request = format!(
            "const headers = {{ 'content-type': 'application/json' }};
             return (await fetch('/api/v1/auth/tokens', {{ method: 'POST', headers, body: {} }})).json();",
            json!(body)
        );
        let made = visit.evaluate::<Value>(&request).await;
        let token = made["token"].as_str().expect("a token is made");
        open(visit, REVOKE_TOKEN).await;
        visit.enter("#access-token", token).await;
        visit.click("form.credential button").await;
        wait_for_curl_line(visit, REVOKE_TOKEN, &format!("Bearer {token}")).await;
        let shown = visit.text("#access-token-set").await;
        assert!(!shown.contains(token), "all of the token is shown: {shown}");
        let kept = "return JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie]);";
        let kept = visit.evaluate::<String>(kept).await;
        assert!(!kept.contains(token), "the token is kept longer than the page: {kept}");
        visit.click("#access-token-set button").await;
        wait_for_curl_line(visit, REVOKE_TOKEN, "Bearer <ACCESS_TOKEN>").await;

        visit.enter("#access-token", token).await;
        visit.click("form.credential button").await;
        assert_eq!(execute(visit, REVOKE_TOKEN).await.0, "200");
    });
}
