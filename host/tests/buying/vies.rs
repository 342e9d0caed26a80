//! A stand-in for VIES, as far as a shop asks it.

use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::response::{IntoResponse, Response};
use axum::routing::post;
use serde_json::{Value, json};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// How it answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Mood {
    /// Every number is somebody's.
    Valid,
    /// No number is anybody's.
    Invalid,
    /// The register of the member state is away.
    Unavailable,
    /// It fails.
    Failing,
    /// It answers a page.
    Nonsense,
    /// It answers nothing.
    Empty,
    /// It never answers.
    Silent,
}

#[derive(Debug)]
struct Heard {
    mood: Mood,
    questions: Vec<Value>,
}

/// It listens until it is dropped.
#[derive(Debug)]
pub(crate) struct Vies {
    heard: Arc<Mutex<Heard>>,
    base: String,
    task: JoinHandle<()>,
}

impl Drop for Vies {
    fn drop(&mut self) {
        self.task.abort();
    }
}

impl Vies {
    pub(crate) async fn start(mood: Mood) -> Self {
        let heard = Arc::new(Mutex::new(Heard { mood, questions: Vec::new() }));
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let base = format!("http://{}/rest-api", listener.local_addr().expect("it listens"));
        let app = Router::new().route("/rest-api/check-vat-number", post(answer)).with_state(Arc::clone(&heard));
        let task = tokio::spawn(async move {
            let _ = axum::serve(listener, app).await;
        });
        Self { heard, base, task }
    }

    /// The settings of taxes of a shop that asks it.
    pub(crate) fn config(&self) -> String {
        format!("vies = true\nvies_base = \"{}\"", self.base)
    }

    pub(crate) fn is(&self, mood: Mood) {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).mood = mood;
    }

    /// What it was asked.
    pub(crate) fn questions(&self) -> Vec<Value> {
        self.heard.lock().unwrap_or_else(PoisonError::into_inner).questions.clone()
    }
}

async fn answer(State(heard): State<Arc<Mutex<Heard>>>, body: Bytes) -> Response {
    let question = serde_json::from_slice::<Value>(&body).expect("a question is JSON");
    let mood = {
        let mut heard = heard.lock().unwrap_or_else(PoisonError::into_inner);
        heard.questions.push(question.clone());
        heard.mood
    };
    let verdict = |valid: bool, name: &str| {
        json!({"countryCode": question["countryCode"], "vatNumber": question["vatNumber"], "valid": valid, "name": name,
               "requestDate": "2026-11-24T10:00:00.000Z", "requestIdentifier": "WAPIAAAAYxyz", "address": "---"})
        .to_string()
    };
    match mood {
        Mood::Valid => verdict(true, "Lampen AG").into_response(),
        Mood::Invalid => verdict(false, "---").into_response(),
        Mood::Unavailable => {
            r#"{"actionSucceed": false, "errorWrappers": [{"error": "MS_UNAVAILABLE"}]}"#.into_response()
        }
        Mood::Failing => (http::StatusCode::INTERNAL_SERVER_ERROR, "out of order").into_response(),
        Mood::Nonsense => "<html>We are working on it.</html>".into_response(),
        Mood::Empty => "".into_response(),
        Mood::Silent => std::future::pending().await,
    }
}
