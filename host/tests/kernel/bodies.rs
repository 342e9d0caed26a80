//! What the body of a write may be.

use axum::body::{Body as HttpBody, Bytes};
use futures_util::stream;
use http::{HeaderValue, Method, Request, header};
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, TestResponse, run_test};

use crate::probe;

/// The largest body that is read.
const LIMIT: usize = 1024 * 1024;

/// Runs a test with a client that may write. Bodies have nothing to do with the database.
fn with_client(test: impl AsyncFnOnce(TestClient)) {
    run_test(Backend::Sqlite, |backend| async move {
        let shop = probe::shop(backend).open().await;
        test(probe::client(&shop).await).await;
    });
}

fn request(client: &TestClient, content_type: Option<&'static str>, body: impl Into<HttpBody>) -> Request<HttpBody> {
    let mut request = client.request(Method::POST, "/probes", body);
    if let Some(content_type) = content_type {
        request.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(content_type));
    }
    request
}

async fn post(client: &TestClient, body: impl Into<HttpBody>) -> TestResponse {
    client.send(request(client, Some("application/json"), body)).await
}

/// JSON of exactly this many bytes.
fn json_of(length: usize) -> String {
    format!("{{}}{}", " ".repeat(length - 2))
}

/// A body whose length nobody knows beforehand.
fn streamed(text: String) -> HttpBody {
    let chunks =
        text.into_bytes().chunks(10_000).map(Bytes::copy_from_slice).map(Ok::<_, std::io::Error>).collect::<Vec<_>>();
    HttpBody::from_stream(stream::iter(chunks))
}

#[test]
fn a_body_of_a_mebibyte_is_read() {
    with_client(async |client| {
        post(&client, json_of(LIMIT)).await.expect_status(201);
        post(&client, streamed(json_of(LIMIT))).await.expect_status(201);
    });
}

#[test]
fn a_larger_body_is_refused_with_and_without_its_length() {
    with_client(async |client| {
        post(&client, json_of(LIMIT + 1)).await.expect_error(413, "payload_too_large");
        post(&client, streamed(json_of(LIMIT + 1))).await.expect_error(413, "payload_too_large");
    });
}

#[test]
fn a_declared_length_is_refused_before_anything_is_read() {
    with_client(async |client| {
        let unread = HttpBody::from_stream(stream::pending::<Result<Bytes, std::io::Error>>());
        let mut request = request(&client, Some("application/json"), unread);
        request.headers_mut().insert(header::CONTENT_LENGTH, HeaderValue::from(LIMIT + 1));
        client.send(request).await.expect_error(413, "payload_too_large");
    });
}

#[test]
fn a_body_that_is_not_declared_as_json_is_refused() {
    with_client(async |client| {
        for content_type in
            [None, Some("text/plain"), Some("application/x-www-form-urlencoded"), Some("json"), Some("")]
        {
            let answer = client.send(request(&client, content_type, "{}")).await;
            assert_eq!(answer.status, 415, "{content_type:?}");
            answer.expect_error(415, "unsupported_media_type");
        }
    });
}

#[test]
fn json_is_recognized_with_parameters_and_suffixes() {
    with_client(async |client| {
        for content_type in ["application/json; charset=utf-8", "Application/JSON", "application/merge-patch+json"] {
            client.send(request(&client, Some(content_type), "{}")).await.expect_status(201);
        }
    });
}

#[test]
fn an_empty_body_counts_as_an_empty_object_whatever_its_type() {
    with_client(async |client| {
        for content_type in [None, Some("text/plain"), Some("application/json")] {
            client.send(request(&client, content_type, "")).await.expect_status(201);
        }
    });
}

#[test]
fn malformed_json_is_invalid_input_and_its_place_is_named() {
    with_client(async |client| {
        let answer = post(&client, "{\n  \"text\": ,\n}").await.expect_error(422, "validation_error");
        assert!(answer.json()["message"].as_str().expect("a text").contains("line 2"), "{}", answer.text());
        for text in ["{", "}", "nonsense", "{} {}", "{'text': 1}", "[1,]", "{\"text\": \"\\ud800\"}", "\u{feff}{}"] {
            post(&client, text).await.expect_error(422, "validation_error");
        }
        post(&client, Bytes::from_static(b"{\"text\": \"\xff\"}")).await.expect_error(422, "validation_error");
    });
}

#[test]
fn malformed_json_is_invalid_input_where_no_body_is_read_too() {
    with_client(async |client| {
        let delete = async |body: &'static str| {
            let mut request = client.request(Method::DELETE, "/probes/7", body);
            request.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static("application/json"));
            client.send(request).await
        };
        let answer = delete("{\n  \"text\": ,\n}").await.expect_error(422, "validation_error");
        assert!(answer.json()["message"].as_str().expect("a text").contains("line 2"), "{}", answer.text());
        for body in ["", " ", "{}", "{\"extra\": [1]}"] {
            delete(body).await.expect_status(200);
        }
    });
}

#[test]
fn a_compressed_body_is_refused() {
    with_client(async |client| {
        let send = async |coding: &'static str| {
            let mut request = request(&client, Some("application/json"), "{}");
            request.headers_mut().insert(header::CONTENT_ENCODING, HeaderValue::from_static(coding));
            client.send(request).await
        };
        for coding in ["gzip", "br", "zstd", "identity, gzip", "nonsense"] {
            send(coding).await.expect_error(415, "unsupported_media_type");
        }
        send("Identity").await.expect_status(201);
    });
}

#[test]
fn json_that_is_no_object_is_invalid_input() {
    with_client(async |client| {
        for text in ["[]", "null", "true", "7", "\"text\""] {
            post(&client, text).await.expect_error(422, "validation_error");
        }
    });
}

#[test]
fn a_duplicate_key_is_invalid_input_and_named() {
    with_client(async |client| {
        let answer = post(&client, r#"{"text": "a", "text": "b"}"#).await.expect_error(422, "validation_error");
        assert!(answer.json()["message"].as_str().expect("a text").contains("text"), "{}", answer.text());
        post(&client, r#"{"extra": [{"a": 1, "a": 2}]}"#).await.expect_error(422, "validation_error");
    });
}

#[test]
fn nesting_beyond_reason_is_invalid_input() {
    with_client(async |client| {
        let nested = |levels: usize| format!("{{\"extra\": {}{}}}", "[".repeat(levels - 1), "]".repeat(levels - 1));
        post(&client, nested(32)).await.expect_status(201);
        post(&client, nested(33)).await.expect_error(422, "validation_error");
        post(&client, "[".repeat(LIMIT)).await.expect_error(422, "validation_error");
    });
}

#[test]
fn unknown_members_are_ignored() {
    with_client(async |client| {
        let body = json!({"text": "abc", "unknown": {"deep": [1, 2.5, null]}});
        assert_eq!(client.post("/probes", &body).await.expect_status(201).json()["probe"], 3);
    });
}

#[test]
fn the_problems_of_all_fields_are_told_at_once() {
    with_client(async |client| {
        let body = json!({"text": 7, "recorder": "1"});
        let errors = client.post("/probes", &body).await.expect_error(422, "validation_error").json()["errors"].clone();
        assert_eq!(errors.as_object().expect("an object").keys().collect::<Vec<_>>(), ["recorder", "text"]);
    });
}

#[test]
fn control_characters_and_nul_are_invalid_input() {
    with_client(async |client| {
        for text in ["a\u{0}b", "a\u{7}b", "a\nb", "a\u{85}b"] {
            client.post("/probes", &json!({"text": text})).await.expect_error(422, "validation_error");
        }
    });
}
