//! Traces and metrics for a collector, as a collector gets them (C11).

use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, Uri};
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::collector::trace::v1::ExportTraceServiceRequest;
use opentelemetry_proto::tonic::trace::v1::Span;
use prost::Message;
use rustix::process::Signal;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;
use tokio::net::TcpListener;
use tokio::sync::Notify;

use super::http::send;
use super::place::ShopFolder;

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";

/// One request to the collector, or to the receiver of webhooks that it is as well.
struct Got {
    path: String,
    headers: HeaderMap,
    body: Bytes,
}

#[derive(Clone, Default)]
struct Collector {
    got: Arc<Mutex<Vec<Got>>>,
    arrival: Arc<Notify>,
}

impl Collector {
    async fn open() -> (Self, String) {
        let collector = Self::default();
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("an address is free");
        let address = format!("http://{}", listener.local_addr().expect("it is bound"));
        let app = Router::new().fallback(take).with_state(collector.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        (collector, address)
    }

    fn bodies(&self, path: &str) -> Vec<Bytes> {
        self.got
            .lock()
            .expect("it is sound")
            .iter()
            .filter(|got| got.path == path)
            .map(|got| got.body.clone())
            .collect()
    }

    fn spans(&self) -> Vec<Span> {
        let told = self
            .bodies("/v1/traces")
            .into_iter()
            .map(|body| ExportTraceServiceRequest::decode(body).expect("it is sound"));
        let scopes = told.flat_map(|told| told.resource_spans).flat_map(|own| own.scope_spans);
        scopes.flat_map(|own| own.spans).collect()
    }

    /// The names of all metrics.
    fn metrics(&self) -> Vec<String> {
        let told = self.bodies("/v1/metrics").into_iter();
        let told = told.map(|body| ExportMetricsServiceRequest::decode(body).expect("it is sound"));
        let scopes = told.flat_map(|told| told.resource_metrics).flat_map(|own| own.scope_metrics);
        scopes.flat_map(|own| own.metrics).map(|metric| metric.name).collect()
    }

    /// Waits for a webhook, and gives its trace.
    async fn trace_of_webhook(&self) -> String {
        loop {
            let arrival = self.arrival.notified();
            let header =
                |got: &Got| got.headers.get("traceparent").map(|value| value.to_str().expect("it is sound").to_owned());
            if let Some(got) = self.got.lock().expect("it is sound").iter().find(|got| got.path == "/hook") {
                return header(got).expect("the webhook carries the trace");
            }
            arrival.await;
        }
    }
}

async fn take(State(collector): State<Collector>, uri: Uri, headers: HeaderMap, body: Bytes) -> StatusCode {
    collector.got.lock().expect("it is sound").push(Got { path: uri.path().to_owned(), headers, body });
    collector.arrival.notify_one();
    StatusCode::OK
}

fn named<'a>(spans: &'a [Span], name: &str) -> Vec<&'a Span> {
    spans.iter().filter(|span| span.name == name && hex::encode(&span.trace_id) == TRACE).collect()
}

both_databases!(a_trace_goes_from_the_request_to_its_statements_its_tasks_and_what_is_asked_of_others);
async fn a_trace_goes_from_the_request_to_its_statements_its_tasks_and_what_is_asked_of_others(backend: Backend) {
    let (collector, address) = Collector::open().await;
    let place = ShopFolder::migrated(backend).await;
    place.configure(&format!(
        "[telemetry]\notlp = \"{address}\"\nheaders = {{ authorization = \"Bearer abc\" }}\n\
         [webhooks]\nallow_private_destinations = true\n\
         [[webhooks.endpoints]]\nname = \"own\"\nurl = \"{address}/hook\"\nkind = \"http\"\nevents = [\"order.created\"]\n\
         secret = \"whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=\"\n"
    ));
    place.run(["product", "create", "advice", "--name", "Advice", "--price", "10.00"]).await.succeeded();
    let mut shop = place.start(["serve"]);
    let server = shop.line("listening on http://").await;
    let json = ("Content-Type", "application/json");
    let guest = json!({"email": "ada@example.com", "name": "Ada"}).to_string();
    let token = send(&server, "POST /api/v1/auth/guest-tokens", &[json], &guest).await.expect_status(201).json();
    let bearer = format!("Bearer {}", token["token"].as_str().expect("a token"));
    let bearer = ("Authorization", bearer.as_str());
    let products = send(&server, "GET /api/v1/products", &[], "").await.json();
    let line = json!({"product_id": products["data"][0]["id"], "quantity": 1}).to_string();
    send(&server, "POST /api/v1/cart", &[json, bearer], &line).await.expect_status(200);
    let order = json!({"payment_method": "manual", "billing": {"name": "Ada", "line1": "Street 1", "city": "Amsterdam",
                       "postal_code": "1015 AA", "country": "NL"}});
    let parent = format!("00-{TRACE}-00f067aa0ba902b7-01");
    let headers = [json, bearer, ("traceparent", parent.as_str())];
    send(&server, "POST /api/v1/checkout", &headers, &order.to_string()).await.expect_status(201);
    let webhook = collector.trace_of_webhook().await;
    assert_eq!(webhook.split('-').nth(1), Some(TRACE), "{webhook}");
    let (code, log) = shop.stop(Signal::TERM).await;
    assert_eq!(code, Some(0), "{log}");

    let spans = collector.spans();
    let [request] = named(&spans, "request")[..] else { panic!("one request has the trace") };
    assert_eq!(hex::encode(&request.parent_span_id), "00f067aa0ba902b7");
    let statements = named(&spans, "statement");
    assert!(statements.iter().any(|statement| statement.parent_span_id == request.span_id));
    assert_eq!((named(&spans, "task").len(), named(&spans, "delivery").len()), (1, 1));
    assert!(spans.iter().any(|span| hex::encode(&span.trace_id) != TRACE), "others have traces of their own");
    // What looks for work all the time does not make a trace of each look.
    assert!(spans.iter().all(|span| span.name != "statement" || !span.parent_span_id.is_empty()));
    let metrics = collector.metrics();
    for name in ["stoa_http_requests_total", "stoa_http_request_duration_seconds", "stoa_queue_tasks_waiting"] {
        assert!(metrics.iter().any(|metric| metric.starts_with(name)), "{name} is missing in {metrics:?}");
    }
    let got = collector.got.lock().expect("it is sound");
    let told = got.iter().filter(|got| got.path.starts_with("/v1/"));
    assert!(told.into_iter().all(|got| got.headers["authorization"] == "Bearer abc"));
}

#[tokio::test]
async fn a_command_has_a_trace_of_its_own() {
    let (collector, address) = Collector::open().await;
    let place = ShopFolder::migrated(Backend::Sqlite).await.variable("STOA_TELEMETRY__OTLP", &address);
    place.run(["order", "list"]).await.succeeded();
    let spans = collector.spans();
    let command = spans.iter().find(|span| span.name == "command").expect("the command is told");
    assert!(command.attributes.iter().any(|own| own.key == "command"), "{command:?}");
    let of_command = |span: &&Span| span.name == "statement" && span.trace_id == command.trace_id;
    assert!(spans.iter().any(|span| of_command(&span)));
}

#[tokio::test]
async fn a_collector_that_is_away_is_told_once_and_holds_nothing_up() {
    let place = ShopFolder::on(Backend::Sqlite)
        .await
        .variable("STOA_TELEMETRY__OTLP", "http://127.0.0.1:1")
        .variable("STOA_TELEMETRY__METRICS_SECONDS", "1");
    let mut shop = place.start(["serve"]);
    let server = shop.line("listening on http://").await;
    for _ in 0..3 {
        send(&server, "GET /api/v1/products", &[], "").await.expect_status(200);
    }
    let (code, log) = shop.stop(Signal::TERM).await;
    assert_eq!(code, Some(0), "{log}");
    let told = log.lines().filter(|line| line.contains("cannot be sent")).collect::<Vec<_>>();
    assert!(told.len() == 1 && told[0].contains("127.0.0.1:1"), "{log}");
    place.run(["order", "list"]).await.succeeded();
}

#[tokio::test]
async fn settings_of_a_collector_that_cannot_be_are_refused() {
    for (setting, words) in [
        ("otlp = \"collector:4318\"", "telemetry.otlp"),
        ("sample_percent = 101", "telemetry.sample_percent"),
        ("metrics_seconds = 0", "telemetry.metrics_seconds"),
        ("headers = { \"a b\" = \"c\" }", "telemetry.headers"),
    ] {
        let place = ShopFolder::with(&format!("[telemetry]\n{setting}\n"));
        place.run(["check"]).await.refused(2, &[words]);
    }
}
