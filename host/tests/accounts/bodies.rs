//! Bodies that are no account and no address.

use axum::body::Body;
use http::{HeaderValue, Method, header};
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, TestResponse, both_databases};

use crate::customer::{REQUIRED, client, least, listed, path_of, refused_fields, save, shop};

async fn send(client: &TestClient, (method, path): (Method, &str), body: impl Into<Body>) -> TestResponse {
    let mut request = client.request(method, path, body.into());
    request.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
    client.send(request).await
}

fn nested(levels: usize) -> String {
    format!("{}{}", "[".repeat(levels), "]".repeat(levels))
}

both_databases!(what_is_no_object_is_refused_by_every_write);
async fn what_is_no_object_is_refused_by_every_write(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let saved = save(&client, &json!({})).await;
    let account = client.get("/me").await.json();
    let address = path_of(&saved);
    let whole = least().to_string();
    let truncated = &whole[..whole.len() - 1];
    for write in [(Method::PATCH, "/me"), (Method::POST, "/addresses"), (Method::PATCH, address.as_str())] {
        let deep = format!(r#"{{"name": "x", "extra": {}}}"#, nested(100));
        let deep_properties = format!(r#"{{"name": "x", "properties": {{"city": {}}}}}"#, nested(100));
        for body in [
            "[]",
            r#"[{"name": "x"}]"#,
            "\"text\"",
            "7",
            "true",
            "null",
            "{",
            truncated,
            r#"{"name": "x",}"#,
            r#"{"name": "\ud800"}"#,
            r#"{"name": "x", "name": "y"}"#,
            r#"{"name": "x", "\u006eame": "y"}"#,
            r#"{"name": "x", "properties": {"city": "a", "city": "b"}}"#,
            r#"{"name": NaN}"#,
            r#"{"name": "x"} {}"#,
            &deep,
            &deep_properties,
        ] {
            let answer = send(&client, write.clone(), body.to_owned()).await;
            assert!(answer.status == 422, "{write:?} {body}: {}", answer.text());
            answer.expect_error(422, "validation_error");
        }
        send(&client, write, b"{\"name\": \"\xff\"}".to_vec()).await.expect_error(422, "validation_error");
    }
    assert_eq!(listed(&client).await, [saved]);
    assert_eq!(client.get("/me").await.json(), account);
}

both_databases!(an_empty_body_lacks_every_required_field);
async fn an_empty_body_lacks_every_required_field(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let saved = save(&client, &json!({})).await;
    let address = path_of(&saved);
    let mut required = REQUIRED;
    required.sort_unstable();
    for body in ["", " \r\n", "{}"] {
        assert_eq!(refused_fields(send(&client, (Method::PATCH, "/me"), body).await), ["name"]);
        assert_eq!(refused_fields(send(&client, (Method::POST, "/addresses"), body).await), required);
        assert_eq!(refused_fields(send(&client, (Method::PATCH, &address), body).await), required);
    }
    assert_eq!(listed(&client).await, [saved]);
}
