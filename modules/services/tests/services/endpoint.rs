//! An operator's endpoint on a port of its own, as the README describes it.

use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode, header};
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};
use stoa_core::webhooks::verify;

/// What signs the shop's requests.
pub(crate) const SECRET: &str = "whsec_services";

/// When tests begin, in Unix seconds.
const NOW: i64 = 1_768_478_400;

/// How the next request ends.
#[derive(Debug, Clone)]
pub(crate) enum Turn {
    /// With this answer, and nothing is done.
    Answer(u16, String),
    /// It is done, and nobody is told.
    Silence,
    /// With a redirect to this address.
    Redirect(String),
}

#[derive(Default)]
struct StoredRequests {
    states: BTreeMap<String, &'static str>,
    requests: Vec<(HeaderMap, Value)>,
    turns: VecDeque<Turn>,
}

/// The endpoint.
#[derive(Clone, Default)]
pub(crate) struct Endpoint(Arc<Mutex<StoredRequests>>);

impl Endpoint {
    /// Listens, and says where.
    pub(crate) async fn open() -> (Self, String) {
        let endpoint = Self::default();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("it has an address");
        let app = Router::new().fallback(answer).with_state(endpoint.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        (endpoint, format!("http://{address}/stoa"))
    }

    fn kept(&self) -> MutexGuard<'_, StoredRequests> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn next(&self, turn: Turn) {
        self.kept().turns.push_back(turn);
    }

    pub(crate) fn requests(&self) -> Vec<(HeaderMap, Value)> {
        self.kept().requests.clone()
    }

    pub(crate) fn actions(&self) -> Vec<String> {
        let requests = self.requests();
        requests.iter().map(|(_, body)| body["action"].as_str().expect("an action").to_owned()).collect()
    }

    /// Services that were made, and how they are.
    pub(crate) fn states(&self) -> Vec<&'static str> {
        self.kept().states.values().copied().collect()
    }
}

async fn answer(State(endpoint): State<Endpoint>, headers: HeaderMap, body: Bytes) -> Response {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    let (timestamp, signature) = (text("x-service-timestamp"), text("x-service-signature"));
    if verify(SECRET, &timestamp, &signature, &body, NOW).is_err() && timestamp.parse::<i64>().is_ok_and(|at| at == NOW)
    {
        return StatusCode::UNAUTHORIZED.into_response();
    }
    let asked: Value = serde_json::from_slice(&body).expect("it is JSON");
    let turn = {
        let mut kept = endpoint.kept();
        kept.requests.push((headers.clone(), asked.clone()));
        if asked["action"] == "capacity" { None } else { kept.turns.pop_front() }
    };
    match turn {
        Some(Turn::Answer(status, body)) => {
            return (StatusCode::from_u16(status).expect("a status"), body).into_response();
        }
        Some(Turn::Redirect(to)) => return (StatusCode::TEMPORARY_REDIRECT, [(header::LOCATION, to)]).into_response(),
        Some(Turn::Silence) => {
            act(&endpoint, &asked);
            tokio::time::sleep(Duration::from_hours(1)).await;
        }
        None => {}
    }
    act(&endpoint, &asked)
}

fn act(endpoint: &Endpoint, asked: &Value) -> Response {
    let key = asked["service"]["key"].as_str().unwrap_or_default().to_owned();
    let mut kept = endpoint.kept();
    let state = match asked["action"].as_str().expect("an action") {
        "create" | "resume" => "active",
        "suspend" => "suspended",
        "terminate" => "terminated",
        "inspect" => match kept.states.get(&key) {
            Some(state) => state,
            None => return StatusCode::NOT_FOUND.into_response(),
        },
        "capacity" => return json!({"capacity": 5}).to_string().into_response(),
        _ => return StatusCode::NOT_IMPLEMENTED.into_response(),
    };
    kept.states.insert(key.clone(), state);
    let credentials = json!({"user": "ada", "password": format!("pw-{key}")});
    json!({"status": state, "external_ref": format!("site-{}", &key[..8]), "credentials": credentials})
        .to_string()
        .into_response()
}
