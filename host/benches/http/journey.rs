//! What customers do over and over in any shop with an API over HTTP, as a file describes it: Stoa beside others, by the same client.
//!
//! The folder `others` beside this one has such files, and what sets the shops up.

use std::collections::BTreeMap;
use std::fs::File;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use reqwest::{Client, Method};
use serde::Deserialize;
use serde_json::Value;
use tokio::runtime::Builder;

use crate::Outcome;
use crate::options::Options;
use crate::report::{Report, Row, milliseconds};
use crate::steady_rate::Latencies;

/// How many buy at once.
const CUSTOMERS: usize = 8;

/// How long an answer may take.
const PATIENCE: Duration = Duration::from_mins(1);

/// What each customer does.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Journey {
    /// A file beside this one with what is known from the beginning.
    #[serde(default)]
    known: Option<PathBuf>,
    /// Once, before it counts.
    before: Vec<Request>,
    /// Again and again.
    order: Vec<Request>,
}

/// One request. `{name}` stands in its texts for what an answer before it has told, and `{customer}` for a number.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Request {
    /// Method and target, such as `POST /api/v1/cart`.
    send: String,
    #[serde(default)]
    headers: BTreeMap<String, String>,
    #[serde(default)]
    body: Value,
    /// What is kept of the answer: a header of this name, or where the value stands in the body (RFC 6901), such as `/data/id`.
    #[serde(default)]
    keep: BTreeMap<String, String>,
    /// What has to stand in the body.
    #[serde(default)]
    expect: BTreeMap<String, Value>,
}

/// Measures what the file describes, in the shop at the address that was given.
pub(crate) fn measure(file: &Path, options: &Options, report: &mut Report) -> Outcome<()> {
    let journey: Journey = serde_json::from_reader(File::open(file)?)?;
    let known = match &journey.known {
        Some(known) => serde_json::from_reader(File::open(file.with_file_name(known))?)?,
        None => BTreeMap::new(),
    };
    let runtime = Builder::new_current_thread().enable_all().build()?;
    for _ in 0..options.rounds {
        let customers =
            (0..CUSTOMERS).map(|number| customer(&journey, &options.at, number, known.clone(), options.duration()));
        let took = Latencies::of(runtime.block_on(try_join_all(customers))?.concat());
        let rate = f64::from(u32::try_from(took.count())?) / options.duration().as_secs_f64();
        let folder = std::path::absolute(file)?;
        let name = folder.parent().and_then(Path::file_name).unwrap_or_default().display();
        let row = Row::without_products(format!("orders by {CUSTOMERS} customers, as {name} takes them"));
        let (half, most) = (milliseconds(took.per_mille(500)), milliseconds(took.per_mille(990)));
        report.add(row.measured(format!("{rate:.1}/s; p50 {half}, p99 {most}")));
    }
    Ok(())
}

#[expect(clippy::disallowed_methods, reason = "it has no proxy and a time limit, and any shop may be asked")]
fn client() -> reqwest::Result<Client> {
    stoa_core::outbound::install_tls_provider();
    Client::builder().no_proxy().timeout(PATIENCE).build()
}

/// One customer, who orders for so long; returns how long each order took.
async fn customer(
    journey: &Journey,
    address: &str,
    number: usize,
    mut known: BTreeMap<String, String>,
    duration: Duration,
) -> Outcome<Vec<Duration>> {
    let client = client()?;
    known.insert(String::from("customer"), number.to_string());
    for request in &journey.before {
        send(&client, address, request, &mut known).await?;
    }
    let deadline = Instant::now() + duration;
    let mut took = Vec::new();
    while Instant::now() < deadline {
        let begun = Instant::now();
        for request in &journey.order {
            send(&client, address, request, &mut known).await?;
        }
        took.push(begun.elapsed());
    }
    Ok(took)
}

async fn send(client: &Client, address: &str, request: &Request, known: &mut BTreeMap<String, String>) -> Outcome<()> {
    let (method, target) = request.send.split_once(' ').ok_or("a request is sent by method and target")?;
    let method = Method::from_bytes(method.as_bytes())?;
    let mut sent = client.request(method, format!("http://{address}{}", filled(target, known)));
    for (name, value) in &request.headers {
        sent = sent.header(name, filled(value, known));
    }
    if !request.body.is_null() {
        sent = sent.header("content-type", "application/json").body(filled(&request.body.to_string(), known));
    }
    let answer = sent.send().await?;
    let (status, headers) = (answer.status(), answer.headers().clone());
    let text = answer.text().await?;
    let body: Value = serde_json::from_str(&text).unwrap_or_default();
    let is_expected = |(at, value): (&String, &Value)| body.pointer(at) == Some(value);
    if !status.is_success() || !request.expect.iter().all(is_expected) {
        return Err(format!("{} was answered with {status}: {}", request.send, &text[..text.len().min(600)]).into());
    }
    for (name, place) in &request.keep {
        let found = match body.pointer(place) {
            Some(Value::String(text)) => Some(text.clone()),
            Some(value) => Some(value.to_string()),
            None => headers.get(place).and_then(|value| value.to_str().ok()).map(str::to_owned),
        };
        known.insert(
            name.clone(),
            found.ok_or_else(|| format!("no {place} in the answer to {}: {text}", request.send))?,
        );
    }
    Ok(())
}

/// The text with what is known in place of its names.
fn filled(text: &str, known: &BTreeMap<String, String>) -> String {
    known.iter().fold(text.to_owned(), |text, (name, value)| text.replace(&format!("{{{name}}}"), value))
}
