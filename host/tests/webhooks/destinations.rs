//! Where nothing is sent to (S6.5.3, contract 5).

use std::collections::VecDeque;
use std::io;
use std::net::IpAddr;
use std::sync::{Arc, Mutex};

use futures_util::future::BoxFuture;
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};
use stoa_core::webhooks::{ChangeError, DeliveryState, EndpointKind, Resolve, attempts_of, check_destination};

use crate::receiver::Receiver;
use crate::shop::{builder, delivery, hook_to, paid, send};

/// A resolver whose answers are given one after the other; the last one stays.
#[derive(Clone)]
pub(crate) struct Names {
    answers: Arc<Mutex<VecDeque<Vec<IpAddr>>>>,
    asked: Arc<Mutex<Vec<String>>>,
}

impl Names {
    pub(crate) fn answering(answers: &[&[&str]]) -> Self {
        let parse = |texts: &&[&str]| texts.iter().map(|text| text.parse().expect("an address")).collect();
        Self { answers: Arc::new(Mutex::new(answers.iter().map(parse).collect())), asked: Arc::default() }
    }

    pub(crate) fn asked(&self) -> Vec<String> {
        self.asked.lock().expect("no test panics here").clone()
    }
}

impl Resolve for Names {
    fn resolve<'a>(&'a self, name: &'a str) -> BoxFuture<'a, io::Result<Vec<IpAddr>>> {
        self.asked.lock().expect("no test panics here").push(name.to_owned());
        let mut answers = self.answers.lock().expect("no test panics here");
        let answer = if answers.len() > 1 { answers.pop_front() } else { answers.front().cloned() };
        let answer = answer.ok_or_else(|| io::Error::other("the name server is away"));
        Box::pin(async move { answer })
    }
}

async fn refusal(shop: &TestShop, url: &str) -> Option<String> {
    match check_destination(&shop.parts.config, &shop.webhooks, url).await {
        Ok(_) => None,
        Err(ChangeError::Refused { refusal, .. }) => Some(refusal.to_string()),
        Err(other) => panic!("{url}: {other}"),
    }
}

/// Hosts that stand for an address that is not public, in the forms that parsers of URLs understand.
const FORBIDDEN_HOSTS: &[&str] = &[
    "0.0.0.0",
    "0.1.2.3",
    "10.0.0.1",
    "10.255.255.255",
    "100.64.0.1",
    "100.127.255.254",
    "127.0.0.1",
    "127.1",
    "127.0.1",
    "127.255.255.255",
    "2130706433",
    "0x7f000001",
    "0x7f.1",
    "0x7F.0x0.0x0.0x1",
    "017700000001",
    "0177.0.0.1",
    "%31%32%37.0.0.1",
    "１２７.0.0.1",
    "127。0。0。1",
    "①②⑦.0.0.1",
    "169.254.169.254",
    "169.254.0.1",
    "2852039166",
    "0xa9fea9fe",
    "0251.0376.0251.0376",
    "172.16.0.1",
    "172.31.255.255",
    "172.20.10.2",
    "192.0.0.1",
    "192.0.0.170",
    "192.0.2.1",
    "192.88.99.1",
    "192.168.0.1",
    "192.168.255.255",
    "192.168.1",
    "3232235777",
    "198.18.0.1",
    "198.19.255.255",
    "198.51.100.7",
    "203.0.113.9",
    "224.0.0.1",
    "239.255.255.250",
    "240.0.0.1",
    "255.255.255.255",
    "4294967295",
    "168.63.129.16",
    "[::]",
    "[::1]",
    "[0:0:0:0:0:0:0:1]",
    "[::127.0.0.1]",
    "[::7f00:1]",
    "[::ffff:127.0.0.1]",
    "[::ffff:7f00:1]",
    "[::ffff:10.0.0.1]",
    "[::ffff:a9fe:a9fe]",
    "[::ffff:8.8.8.8]",
    "[::ffff:0:127.0.0.1]",
    "[64:ff9b::127.0.0.1]",
    "[64:ff9b::a9fe:a9fe]",
    "[64:ff9b::10.1.2.3]",
    "[64:ff9b:1::1]",
    "[100::1]",
    "[2001::1]",
    "[2001:0:7f00:1::]",
    "[2001:2::1]",
    "[2001:10::1]",
    "[2001:20::1]",
    "[2001:db8::1]",
    "[2002:7f00:1::1]",
    "[2002:a00:1::]",
    "[2002:808:808::1]",
    "[3fff::1]",
    "[5f00::1]",
    "[fc00::1]",
    "[fd00:ec2::254]",
    "[fd12:3456::1]",
    "[fe80::1]",
    "[febf::1]",
    "[fec0::1]",
    "[ff02::1]",
    "[ff0e::1]",
    "[4000::1]",
    "[1::1]",
    "[e000::1]",
];

#[tokio::test]
async fn no_address_that_is_not_public_is_accepted_however_it_is_written() {
    let names = Names::answering(&[&["8.8.8.8"]]);
    let shop = TestShop::builder(Backend::Sqlite).resolver(names.clone()).open().await;
    assert!(FORBIDDEN_HOSTS.len() >= 80, "{}", FORBIDDEN_HOSTS.len());
    for host in FORBIDDEN_HOSTS {
        let said = refusal(&shop, &format!("https://{host}/hook")).await;
        assert!(said.as_deref().is_some_and(|said| said.ends_with("is not a public address")), "{host}: {said:?}");
    }
    assert_eq!(names.asked(), [] as [&str; 0], "addresses need no name server");
    for host in ["8.8.8.8", "1.1.1.1", "[2606:4700::1111]", "[64:ff9b::808:808]", "hook.example.com"] {
        assert_eq!(refusal(&shop, &format!("https://{host}/hook")).await, None, "{host}");
    }
}

#[tokio::test]
async fn urls_that_are_no_destination_are_refused_with_the_reason() {
    let names = Names::answering(&[&["8.8.8.8"]]);
    let shop = TestShop::builder(Backend::Sqlite).resolver(names.clone()).open().await;
    for (url, reason) in [
        ("http://example.com/", "only https://"),
        ("ftp://example.com/", "only https://"),
        ("file:///etc/passwd", "only https://"),
        ("gopher://example.com/", "only https://"),
        ("javascript:alert(1)", "only https://"),
        ("localhost:8222/hook", "begins with no http:// or https://"),
        ("hook.example.com:8443", "begins with no http:// or https://"),
        ("https://user@example.com/", "user name"),
        ("https://user:pass@example.com/", "user name"),
        ("https://:pass@example.com/", "user name"),
        ("https://example.com/#part", "#"),
        ("https://example.com:0/", "port 0"),
        ("https://example.com:99999/", "complete URL"),
        ("https://localhost/", "full name"),
        ("https://intranet/", "full name"),
        ("https://example.com./", "full name"),
        ("https:///hook", "full name"),
        ("https://", "complete URL"),
        ("example.com/hook", "complete URL"),
        ("", "complete URL"),
        (" https://example.com/", "complete URL"),
        ("https://example.com/a b", "complete URL"),
        ("https://exa\nmple.com/", "complete URL"),
        ("https://[::1/", "complete URL"),
        ("https://999.1.1.1/", "complete URL"),
    ] {
        let said = refusal(&shop, url).await.unwrap_or_else(|| panic!("{url} is accepted"));
        assert!(said.contains(reason), "{url}: {said}");
    }
    let long = format!("https://example.com/{}", "x".repeat(2048));
    assert!(refusal(&shop, &long).await.is_some_and(|said| said.contains("longer")));
    assert_eq!(names.asked(), [] as [&str; 0]);
}

#[tokio::test]
async fn a_name_with_one_address_that_is_not_public_is_refused_whole() {
    for answer in [&["8.8.8.8", "10.0.0.1"][..], &["127.0.0.1"], &["2606:4700::1111", "fd00::1"], &["8.8.8.8", "::1"]] {
        let shop = TestShop::builder(Backend::Sqlite).resolver(Names::answering(&[answer])).open().await;
        let said = refusal(&shop, "https://hook.example.com/").await;
        assert!(said.as_deref().is_some_and(|said| said.contains("not a public address")), "{answer:?}: {said:?}");
    }
    let shop = TestShop::builder(Backend::Sqlite).resolver(Names::answering(&[])).open().await;
    let notice = check_destination(&shop.parts.config, &shop.webhooks, "https://hook.example.com/").await;
    assert!(notice.expect("it may be resolvable one day").is_some_and(|notice| notice.contains("hook.example.com")));
}

both_databases!(a_name_that_changes_its_address_after_the_check_gains_nothing);
async fn a_name_that_changes_its_address_after_the_check_gains_nothing(backend: Backend) {
    let inside = Receiver::open().await;
    let names = Names::answering(&[&["8.8.8.8"], &["127.0.0.1"]]);
    let shop = TestShop::builder(backend).resolver(names.clone()).open().await;
    let url = format!("https://rebind.example.com:{}/", inside.port);
    assert_eq!(refusal(&shop, &url).await, None);
    hook_to(&shop, &url, EndpointKind::Http, &["*"]).await;
    shop.queue_webhook(&paid(1)).await;
    assert_eq!(send(&shop).await, 0);
    let found = delivery(&shop).await;
    assert_eq!((found.state, found.attempts, inside.connections()), (DeliveryState::DeadLetter, 1, 0));
    assert_eq!(
        found.last_error.as_deref(),
        Some(
            "the destination is refused: 127.0.0.1 is not a public address; `webhooks.allow_private_destinations` was off when this program started"
        )
    );
    // One look for the check, one for the attempt; nothing looks a second time in between.
    assert_eq!(names.asked(), ["rebind.example.com"; 2]);
}

both_databases!(an_endpoint_that_became_forbidden_is_refused_when_it_is_sent_to);
async fn an_endpoint_that_became_forbidden_is_refused_when_it_is_sent_to(backend: Backend) {
    let inside = Receiver::open().await;
    let shop = TestShop::builder(backend).open().await;
    // As if `webhooks.allow_private_destinations` had been on when it was added.
    hook_to(&shop, &inside.url(), EndpointKind::Http, &["*"]).await;
    shop.queue_webhook(&paid(1)).await;
    send(&shop).await;
    let found = delivery(&shop).await;
    assert_eq!((found.state, inside.connections()), (DeliveryState::DeadLetter, 0));
    assert!(found.last_error.is_some_and(|error| error.contains("only https://")));
}

both_databases!(a_name_server_that_is_away_is_a_reason_to_try_again);
async fn a_name_server_that_is_away_is_a_reason_to_try_again(backend: Backend) {
    let names = Names::answering(&[]);
    let shop = TestShop::builder(backend).resolver(names.clone()).open().await;
    hook_to(&shop, "https://hook.example.com/", EndpointKind::Http, &["*"]).await;
    shop.queue_webhook(&paid(1)).await;
    send(&shop).await;
    let found = delivery(&shop).await;
    assert_eq!((found.state, found.attempts), (DeliveryState::Pending, 1));
    assert!(found.last_error.is_some_and(|error| error.contains("cannot be resolved")));
    assert_eq!(names.asked().len(), 1);
}

both_databases!(each_attempt_asks_once_and_connects_to_the_answer);
async fn each_attempt_asks_once_and_connects_to_the_answer(backend: Backend) {
    let receiver = Receiver::open().await;
    let names = Names::answering(&[&["127.0.0.1"]]);
    let shop = builder(backend).resolver(names.clone()).open().await;
    hook_to(&shop, &format!("http://hook.example.com:{}/", receiver.port), EndpointKind::Http, &["*"]).await;
    for id in 1..=3 {
        shop.queue_webhook(&paid(id)).await;
        assert_eq!(send(&shop).await, 1);
    }
    assert_eq!((names.asked(), receiver.connections()), (vec![String::from("hook.example.com"); 3], 3));
    assert_eq!(receiver.hits()[0].header("host"), format!("hook.example.com:{}", receiver.port));
    let first = crate::shop::deliveries(&shop).await.remove(0);
    let attempts = attempts_of(&shop.parts.db, &first).await.expect("they can be read");
    assert_eq!(attempts[0].address, Some(format!("127.0.0.1:{}", receiver.port)));
}
