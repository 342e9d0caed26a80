//! `stoa webhook`.

use std::collections::BTreeSet;

use serde_json::Value;
use stoa_core::clock::Clock;
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::place::ShopFolder;
use crate::receiver::{Receiver, Reply};
use crate::shop::paid;

const PRIVATE: &str = "[webhooks]\nallow_private_destinations = true\n";

async fn place(backend: Backend, config: &str) -> ShopFolder {
    let place = ShopFolder::on(backend).await;
    place.configure(config);
    place.run(["migrate"]).await.succeeded();
    place
}

fn id(value: &Value) -> String {
    value["id"].as_i64().expect("a number").to_string()
}

both_databases!(an_endpoint_lives_from_add_to_remove);
async fn an_endpoint_lives_from_add_to_remove(backend: Backend) {
    let receiver = Receiver::open().await;
    let place = place(backend, PRIVATE).await;
    let url = receiver.url();
    let add = ["webhook", "add", "--url", &url, "--event", "order.paid", "--event", "order.created", "--json"];
    let added = place.run(add).await.succeeded().json();
    let secret = added["secret"].as_str().expect("a text").to_owned();
    assert!(secret.starts_with("whsec_") && secret.len() >= 40, "{secret}");
    assert_eq!((&added["kind"], &added["enabled"]), (&Value::from("http"), &Value::from(true)));
    let id = id(&added);
    let listed = place.run(["webhook", "list", "--json"]).await.succeeded().data();
    let members = ["id", "url", "kind", "events", "enabled", "consecutive_failures"];
    assert!(members.iter().all(|member| !listed[0][*member].is_null()), "{listed:?}");
    assert!(listed[0].get("secret").is_none());
    assert!(!place.run(["webhook", "show", &id]).await.succeeded().out.contains(&secret));

    let said = place.run(["webhook", "test", &id]).await.succeeded().out;
    assert!(said.starts_with("answered 200"), "{said}");
    let hit = receiver.only();
    assert!(hit.is_signed_with(&secret));
    assert_eq!(hit.header("x-service-event"), "webhook.test");
    receiver.script([Reply::Status(500, "")]);
    place.run(["webhook", "test", &id]).await.refused(1, &["answered 500"]);

    let rotated = place.run(["webhook", "rotate-secret", &id, "--json"]).await.succeeded().json();
    assert_eq!(rotated["id"], added["id"]);
    let new = rotated["secret"].as_str().expect("a text");
    place.run(["webhook", "test", &id]).await.succeeded();
    let hit = receiver.hits().remove(2);
    assert!(hit.is_signed_with(&secret) && hit.is_signed_with(new) && new != secret);

    let changed = place.run(["webhook", "set", &id, "--event", "order.shipped", "--json"]).await.succeeded().json();
    assert_eq!((&changed["events"][0], &changed["url"]), (&"order.shipped".into(), &added["url"]), "{changed}");
    place.run(["webhook", "set", &id]).await.refused(2, &["--url"]);
    place.run(["webhook", "set", &id, "--event", "order.lost"]).await.refused(2, &["--event", "order.lost"]);
    place.run(["webhook", "disable", &id]).await.succeeded();
    assert_eq!(place.run(["webhook", "show", &id, "--json"]).await.succeeded().json()["enabled"], false);
    place.run(["webhook", "enable", &id]).await.succeeded();
    place.run(["webhook", "remove", &id]).await.succeeded();
    assert!(place.run(["webhook", "list", "--json"]).await.succeeded().data().is_empty());
    for command in ["show", "test", "enable", "disable", "remove", "rotate-secret"] {
        place
            .run(["webhook", command, &id])
            .await
            .refused(1, &[&format!("no webhook endpoint {id}"), "`stoa webhook list`"]);
    }
}

both_databases!(deliveries_are_listed_shown_and_sent_again);
async fn deliveries_are_listed_shown_and_sent_again(backend: Backend) {
    let receiver = Receiver::open().await;
    let place = place(backend, PRIVATE).await;
    place.run(["webhook", "add", "--url", &receiver.url(), "--event", "*", "--secret", "s3cr3t-é"]).await;
    let shop = TestShop::builder(backend).on(place.database()).clock(&Clock::system()).open().await;
    receiver.script([Reply::Status(404, "")]);
    shop.queue_webhook(&paid(1)).await;
    place.run(["jobs", "run", "webhooks.deliver"]).await.succeeded();
    shop.queue_webhook(&paid(2)).await;
    let all = place.run(["webhook", "deliveries", "--json"]).await.succeeded().data();
    let expected = [
        "id",
        "endpoint_id",
        "event",
        "state",
        "attempts",
        "next_attempt_at",
        "response_status",
        "last_error",
        "created_at",
        "delivered_at",
    ];
    let members = all[0].as_object().expect("an object").keys().map(String::as_str).collect::<BTreeSet<_>>();
    assert!(expected.iter().all(|member| members.contains(member)), "{members:?}");
    assert_eq!((&all[0]["state"], &all[1]["state"]), (&Value::from("pending"), &Value::from("dead_letter")));
    let dead = place.run(["webhook", "deliveries", "--state", "dead_letter", "--json"]).await.succeeded().data();
    assert_eq!((dead.len(), &dead[0]["response_status"]), (1, &Value::from(404)));
    let delivery = dead[0]["id"].as_str().expect("a text").to_owned();
    let shown = place.run(["webhook", "show-delivery", &delivery, "--json"]).await.succeeded().json();
    assert_eq!(shown["body"].as_str().map(str::as_bytes), Some(receiver.hits()[0].body.as_slice()));
    assert_eq!(shown["attempt_list"][0]["response_status"], 404);

    place.run(["webhook", "retry", &delivery]).await.succeeded();
    place.run(["jobs", "run", "webhooks.deliver"]).await.succeeded();
    let states = place.run(["webhook", "deliveries", "--json"]).await.succeeded().data();
    assert!(states.iter().all(|delivery| delivery["state"] == "delivered"), "{states:?}");
    assert!(states.iter().all(|delivery| delivery["delivered_at"].is_string()), "{states:?}");
    assert!(receiver.hits().iter().all(|hit| hit.is_signed_with("s3cr3t-é")));
    let far = ["webhook", "retry", "--state", "delivered", "--since", "2099-01-01", "--json"];
    assert_eq!(place.run(far).await.succeeded().json()["queued"], 0);
    place
        .run(["webhook", "retry", "nothing"])
        .await
        .refused(1, &["no webhook delivery nothing", "`stoa webhook deliveries`"]);
    place.run(["webhook", "retry"]).await.refused(2, &["--state"]);
    place.run(["webhook", "deliveries", "--state", "lost"]).await.refused(2, &["dead_letter"]);
}

#[tokio::test]
async fn what_may_not_be_sent_to_is_not_added() {
    let place = place(Backend::Sqlite, "").await;
    for url in
        ["https://127.0.0.1/hook", "https://[::1]/", "http://example.com/", "https://10.1.2.3:8443/x", "nonsense"]
    {
        place.run(["webhook", "add", "--url", url, "--event", "*"]).await.refused(1, &["--url", "nothing may be sent"]);
    }
    let wrong = ["webhook", "add", "--url", "https://192.0.43.8/", "--event", "order.payed"];
    place.run(wrong).await.refused(2, &["order.payed", "order.paid"]);
    place.run(["webhook", "add", "--url", "https://192.0.43.8/"]).await.refused(2, &["--event"]);
    assert!(place.run(["webhook", "list", "--json"]).await.succeeded().data().is_empty());
}

#[tokio::test]
async fn a_proxy_of_the_environment_is_not_used() {
    let (receiver, proxy) = (Receiver::open().await, Receiver::open().await);
    let mut place = place(Backend::Sqlite, PRIVATE).await;
    for name in ["HTTP_PROXY", "http_proxy", "HTTPS_PROXY", "https_proxy", "ALL_PROXY", "all_proxy"] {
        place = place.variable(name, &format!("http://127.0.0.1:{}", proxy.port));
    }
    let added = place.run(["webhook", "add", "--url", &receiver.url(), "--event", "*", "--json"]).await.succeeded();
    place.run(["webhook", "test", &id(&added.json())]).await.succeeded();
    assert_eq!((receiver.connections(), proxy.connections()), (1, 0));
}

#[tokio::test]
async fn a_captured_request_is_verified() {
    let place = place(Backend::Sqlite, PRIVATE).await;
    let body = "{\"a\": \"ü\"}";
    let signature = stoa_core::webhooks::sign("whsec_x", "1768478400", body.as_bytes());
    let verify = ["webhook", "verify", "--secret", "whsec_x", "--timestamp", "1768478400", "--signature", &signature];
    place.run_with(verify, body).await.refused(1, &["300 seconds"]);
    let any_time = [&verify[..], &["--any-time"]].concat();
    assert_eq!(place.run_with(&any_time[..], body).await.succeeded().out, "the signature is right\n");
    let at = [&verify[..], &["--at", "2026-01-15T12:05:00Z"]].concat();
    place.run_with(&at[..], body).await.succeeded();
    place.run_with(&any_time[..], "{\"a\": \"u\"}").await.refused(1, &["no signature fits"]);
}

#[tokio::test]
async fn a_listener_prints_and_verifies_what_arrives() {
    let place = place(Backend::Sqlite, PRIVATE).await;
    let mut listener = place.start(["webhook", "listen", "--port", "0", "--json", "--count", "1"]);
    let url = listener.line("listening on ").await;
    let added = place.run(["webhook", "add", "--url", &url, "--event", "*", "--json"]).await.succeeded().json();
    place.run(["webhook", "test", &id(&added)]).await.succeeded();
    let shown: Value = serde_json::from_str(&format!("{{{}", listener.line("{").await)).expect("JSON");
    assert_eq!((&shown["verified"], &shown["endpoint_id"]), (&Value::from(true), &added["id"]));
    assert_eq!((&shown["event"], &shown["answered"]), (&Value::from("webhook.test"), &Value::from(200)));
}

both_databases!(the_doctor_and_the_metrics_tell_about_endpoints_that_fail);
async fn the_doctor_and_the_metrics_tell_about_endpoints_that_fail(backend: Backend) {
    let receiver = Receiver::open().await;
    receiver.always(Reply::Status(404, ""));
    let place = place(backend, PRIVATE).await;
    place.run(["webhook", "add", "--url", &receiver.url(), "--event", "*", "--json"]).await.succeeded();
    let shop =
        TestShop::builder(backend).on(place.database()).clock(&Clock::system()).config("[server]\nmetrics = true\n");
    let shop = shop.open().await;
    for order in 1..=5 {
        shop.queue_webhook(&paid(order)).await;
    }
    place.run(["jobs", "run", "webhooks.deliver"]).await.succeeded();
    let doctor = place.run(["doctor"]).await.out;
    assert!(doctor.contains("endpoint 1 failed") && doctor.contains("answered 404"), "{doctor}");
    assert!(doctor.contains("5 deliveries were given up"), "{doctor}");
    shop.queue_webhook(&paid(6)).await;
    let client = shop.client();
    let request = client.site_request(http::Method::GET, "/metrics", axum::body::Body::empty());
    let metrics = client.send(request).await.expect_status(200).text();
    for line in [
        "stoa_webhook_deliveries_pending 1",
        "stoa_webhook_dead_letters 5",
        "stoa_queue_tasks_failed{lane=\"webhooks\"} 5",
        "stoa_webhook_attempts_total{outcome=\"delivered\"} 0",
        "stoa_webhook_endpoint_consecutive_failures{endpoint=\"1\"} 5",
    ] {
        assert!(metrics.lines().any(|found| found == line), "{line}\n{metrics}");
    }
}
