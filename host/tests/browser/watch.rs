//! What a page does that it should not: messages of trouble, uncaught exceptions, requests to other hosts.

use std::sync::{Arc, Mutex};

use chromiumoxide::Page;
use chromiumoxide::cdp::IntoEventKind;
use chromiumoxide::cdp::browser_protocol::log::{EventEntryAdded, LogEntryLevel, LogEntrySource};
use chromiumoxide::cdp::browser_protocol::network::{EventRequestWillBeSent, EventWebSocketCreated};
use chromiumoxide::cdp::js_protocol::runtime::{
    ConsoleApiCalledType, EventConsoleApiCalled, EventExceptionThrown, RemoteObject,
};
use futures_util::StreamExt;
use tokio::sync::Notify;

/// The events that are watched.
pub(crate) const EVENTS: [&str; 5] = [
    EventConsoleApiCalled::IDENTIFIER,
    EventExceptionThrown::IDENTIFIER,
    EventEntryAdded::IDENTIFIER,
    EventRequestWillBeSent::IDENTIFIER,
    EventWebSocketCreated::IDENTIFIER,
];

/// Something that the browser has told about a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Told {
    /// A message of the page's scripts that is a warning or worse.
    Console(String),
    /// An exception that nobody caught.
    Exception(String),
    /// A message of the browser itself that is a warning or worse, such as a violation of the page's policy.
    Browser(String),
    /// A request that was answered with an error, or not at all.
    Failed { url: String, why: String },
    /// A request.
    Request(String),
}

impl Told {
    /// Whether a page of this origin has done something wrong. A failed request may be what a test is about.
    pub(crate) fn is_trouble(&self, origin: &str, expected: &[(&str, &str)]) -> bool {
        match self {
            Self::Console(_) | Self::Exception(_) | Self::Browser(_) => true,
            Self::Failed { url, why } => {
                let path = url.strip_prefix(origin).unwrap_or(url);
                !expected.iter().any(|(expected, status)| path == *expected && why.contains(status))
            }
            Self::Request(url) => {
                let own = url.strip_prefix(origin).is_some_and(|rest| rest.starts_with('/'));
                !own && !url.starts_with("data:") && url != "about:blank"
            }
        }
    }
}

/// Collects what is told about a page.
pub(crate) struct Watch {
    told: Arc<Mutex<Vec<Told>>>,
    news: Arc<Notify>,
}

impl Watch {
    /// Watches a page from now on.
    pub(crate) async fn of(page: &Page) -> Self {
        let watch = Self { told: Arc::default(), news: Arc::default() };
        watch.collect(page, console).await;
        watch.collect(page, |event| Some(exception(event))).await;
        watch.collect(page, browser).await;
        watch.collect(page, |event: &EventRequestWillBeSent| Some(Told::Request(event.request.url.clone()))).await;
        watch.collect(page, |event: &EventWebSocketCreated| Some(Told::Request(event.url.clone()))).await;
        page.enable_log().await.expect("the browser tells what it logs");
        watch
    }

    async fn collect<E: IntoEventKind + Unpin>(&self, page: &Page, read: impl Fn(&E) -> Option<Told> + Send + 'static) {
        let mut events = page.event_listener::<E>().await.expect("the browser tells its events");
        let (told, news) = (Arc::clone(&self.told), Arc::clone(&self.news));
        tokio::spawn(async move {
            while let Some(event) = events.next().await {
                if let Some(more) = read(&event) {
                    told.lock().expect("nobody panics with the lock").push(more);
                    news.notify_waiters();
                }
            }
        });
    }

    /// What was told so far.
    pub(crate) fn told(&self) -> Vec<Told> {
        self.told.lock().expect("nobody panics with the lock").clone()
    }

    /// Waits until something was told.
    pub(crate) async fn wait_for(&self, wanted: impl Fn(&Told) -> bool) {
        loop {
            let news = self.news.notified();
            tokio::pin!(news);
            news.as_mut().enable();
            if self.told().iter().any(&wanted) {
                return;
            }
            news.await;
        }
    }
}

fn console(event: &EventConsoleApiCalled) -> Option<Told> {
    match event.r#type {
        ConsoleApiCalledType::Error | ConsoleApiCalledType::Warning | ConsoleApiCalledType::Assert => {
            Some(Told::Console(event.args.iter().map(shown).collect::<Vec<_>>().join(" ")))
        }
        _ => None,
    }
}

fn shown(value: &RemoteObject) -> String {
    let text = value.value.as_ref().map(|value| value.as_str().map_or_else(|| value.to_string(), str::to_owned));
    text.or_else(|| value.description.clone()).unwrap_or_default()
}

fn exception(event: &EventExceptionThrown) -> Told {
    let details = &event.exception_details;
    let value = details.exception.as_ref().map(shown).unwrap_or_default();
    Told::Exception(format!("{} {value}", details.text))
}

fn browser(event: &EventEntryAdded) -> Option<Told> {
    let entry = &event.entry;
    match (&entry.level, &entry.source, &entry.url) {
        (LogEntryLevel::Verbose | LogEntryLevel::Info, ..) => None,
        (_, LogEntrySource::Network, Some(url)) => Some(Told::Failed { url: url.clone(), why: entry.text.clone() }),
        _ => Some(Told::Browser(entry.text.clone())),
    }
}

#[test]
fn requests_to_other_hosts_are_trouble() {
    let is_trouble = |url: &str| Told::Request(url.to_owned()).is_trouble("http://127.0.0.1:8080", &[]);
    for url in ["http://127.0.0.1:8080/", "http://127.0.0.1:8080/api/v1/products?page=2", "data:image/svg+xml,x"] {
        assert!(!is_trouble(url), "{url}");
    }
    for url in [
        "http://127.0.0.1:80801/",
        "http://127.0.0.1:8080.example.com/",
        "https://127.0.0.1:8080/",
        "ws://127.0.0.1:8080/",
    ] {
        assert!(is_trouble(url), "{url}");
    }
}

#[test]
fn failed_requests_are_trouble_unless_they_are_expected() {
    let failed = Told::Failed {
        url: String::from("http://shop.test/api/v1/products/x"),
        why: String::from("the server responded with a status of 404 (Not Found)"),
    };
    assert!(failed.is_trouble("http://shop.test", &[]));
    assert!(failed.is_trouble("http://shop.test", &[("/api/v1/products/x", "422")]));
    assert!(failed.is_trouble("http://shop.test", &[("/api/v1/products", "404")]));
    assert!(!failed.is_trouble("http://shop.test", &[("/api/v1/products/x", "404")]));
}
