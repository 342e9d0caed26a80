//! `stoa webhook listen`: a receiver for trying things out.

use std::net::{IpAddr, Ipv4Addr};
use std::sync::Arc;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri};
use clap::Args;
use serde_json::{Value, json};
use stoa_core::clock::Clock;
use stoa_core::webhooks::{VerifyError, headers, secrets_of, verify};
use stoa_kernel::from_shop::ShopParts;
use tokio::net::TcpListener;
use tokio::sync::mpsc;

use super::{Context, open};
use crate::failure::Failure;
use crate::output::print_line;

/// Receive webhooks on this machine, verify them and print them.
#[derive(Debug, Args)]
#[command(
    after_help = "Signatures are tried with the secrets of all endpoints of the shop, unless one is given. It answers
200 to what verifies, 401 to the rest. An endpoint on this machine needs `webhooks.allow_private_destinations = true`.

Examples:
  stoa webhook listen --port 4000
  stoa webhook add --url http://127.0.0.1:4000/ --event '*'
  stoa webhook listen --port 4000 --answer 500 --json"
)]
pub(super) struct Listen {
    /// The port; 0 lets the system choose one.
    #[arg(long, default_value_t = 4000)]
    port: u16,
    /// The secret, for requests of another shop.
    #[arg(long)]
    secret: Option<String>,
    /// Answer with this status, whatever comes.
    #[arg(long, value_name = "STATUS", value_parser = clap::value_parser!(u16).range(200..=599))]
    answer: Option<u16>,
    /// End after so many requests.
    #[arg(long, value_name = "NUMBER", value_parser = clap::value_parser!(u64).range(1..))]
    count: Option<u64>,
    /// Print JSON, a line for each request.
    #[arg(long)]
    json: bool,
}

#[derive(Clone)]
struct Receiver {
    key: Arc<Key>,
    answer: Option<StatusCode>,
    json: bool,
    printed: mpsc::UnboundedSender<Result<(), Failure>>,
}

/// What signatures are tried with.
enum Key {
    Given(String),
    Shop(Box<ShopParts>),
}

impl Listen {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let key = match &self.secret {
            Some(secret) => Key::Given(secret.clone()),
            None => Key::Shop(Box::new(open(context).await?.parts)),
        };
        let listener = TcpListener::bind((IpAddr::V4(Ipv4Addr::LOCALHOST), self.port)).await?;
        print_line(&format!("listening on http://{}/", listener.local_addr()?))?;
        let (printed, mut requests) = mpsc::unbounded_channel();
        let answer = self.answer.map(StatusCode::from_u16).transpose()?;
        let receiver = Receiver { key: Arc::new(key), answer, json: self.json, printed };
        let app = Router::new().fallback(receive).with_state(receiver);
        let server = axum::serve(listener, app).into_future();
        let counted = async {
            let mut left = self.count.unwrap_or(u64::MAX);
            while let Some(printed) = requests.recv().await {
                printed?;
                left -= 1;
                if left == 0 {
                    // The answer to the last one is on its way.
                    tokio::time::sleep(std::time::Duration::from_millis(100)).await;
                    break;
                }
            }
            Ok(())
        };
        tokio::select! {
            ended = server => Ok(ended?),
            done = counted => done,
            interrupted = tokio::signal::ctrl_c() => Ok(interrupted?),
        }
    }
}

async fn receive(State(receiver): State<Receiver>, uri: Uri, headers: HeaderMap, body: Bytes) -> StatusCode {
    let verdict = receiver.key.verify(&headers, &body).await;
    let is_genuine = verdict["verified"].as_bool() == Some(true);
    let status = receiver.answer.unwrap_or(if is_genuine { StatusCode::OK } else { StatusCode::UNAUTHORIZED });
    let text = show(receiver.json, &uri, &headers, &body, &verdict, status);
    let _ = receiver.printed.send(print_line(&text));
    status
}

impl Key {
    async fn verify(&self, headers: &HeaderMap, body: &[u8]) -> Value {
        let (timestamp, signature) = (header(headers, &headers::TIMESTAMP), header(headers, &headers::SIGNATURE));
        let now = Clock::system().now().timestamp();
        let candidates = match self {
            Self::Given(secret) => vec![(None, secret.clone())],
            // Read anew, since endpoints are added and changed while this runs.
            Self::Shop(parts) => {
                let known = secrets_of(&parts.db, &parts.cipher).await.unwrap_or_default();
                let each = known
                    .iter()
                    .flat_map(|(id, secrets)| secrets.iter().map(|secret| (Some(*id), secret.expose().to_owned())));
                each.collect()
            }
        };
        let mut reason = VerifyError::WrongSignature;
        for (endpoint, secret) in &candidates {
            match verify(secret, timestamp, signature, body, now) {
                Ok(()) => return json!({"verified": true, "endpoint_id": endpoint}),
                Err(error) => reason = error,
            }
        }
        json!({"verified": false, "reason": reason.to_string()})
    }
}

fn header<'a>(headers: &'a HeaderMap, name: &HeaderName) -> &'a str {
    headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default()
}

fn show(as_json: bool, uri: &Uri, headers: &HeaderMap, body: &[u8], verdict: &Value, status: StatusCode) -> String {
    let event = header(headers, &headers::EVENT);
    let delivery = header(headers, &headers::DELIVERY);
    let body_text = String::from_utf8_lossy(body);
    let parsed = serde_json::from_slice::<Value>(body).ok();
    if as_json {
        return json!({
            "path": uri.path(),
            "event": event,
            "delivery": delivery,
            "timestamp": header(headers, &headers::TIMESTAMP),
            "signature": header(headers, &headers::SIGNATURE),
            "verified": verdict["verified"],
            "endpoint_id": verdict["endpoint_id"],
            "reason": verdict["reason"],
            "answered": status.as_u16(),
            "body": parsed.unwrap_or_else(|| Value::from(body_text.as_ref())),
        })
        .to_string();
    }
    let judged = match (verdict["verified"].as_bool(), verdict["endpoint_id"].as_i64()) {
        (Some(true), Some(id)) => format!("verified, endpoint {id}"),
        (Some(true), None) => String::from("verified"),
        _ => format!("NOT VERIFIED: {}", verdict["reason"].as_str().unwrap_or_default()),
    };
    let pretty = parsed.and_then(|value| serde_json::to_string_pretty(&value).ok());
    let shown = pretty.unwrap_or_else(|| body_text.into_owned());
    format!("\n{event}  {delivery}  {judged}  answered {}\n{shown}", status.as_u16())
}
