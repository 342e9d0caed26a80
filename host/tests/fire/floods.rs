//! One address does what it can to keep others out, while those ask as if nothing were the matter.
//!
//! `STOA_FIRE=full` does it as it would be done to a shop; otherwise there is less of everything. What was measured is printed.

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::Arc;
use std::time::{Duration, Instant};

use rustix::process::Signal;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{Published, TestResponse};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpSocket, TcpStream};
use tokio::task::JoinSet;
use tokio::time::timeout;

use crate::place::{Running, ShopFolder};
use crate::shelf::full;

const ATTACKER: Ipv4Addr = Ipv4Addr::new(127, 0, 0, 66);
const PASSWORD: &str = "a lovely password";

/// How long one of the others is ready to wait.
const PATIENCE: Duration = Duration::from_secs(20);

/// The others, one after the other, each at an address of its own.
const OTHERS: u8 = 12;

fn some(full_number: usize) -> usize {
    if full() { full_number } else { full_number / 5 }
}

struct Flooded {
    server: Running,
    shop: Shop,
}

/// Where the shop listens, and what its answers are held against.
#[derive(Clone)]
struct Shop {
    address: SocketAddr,
    published: Arc<Published>,
}

impl Flooded {
    async fn open(place: &ShopFolder) -> Self {
        let mut server = place.start(["serve"]);
        let address = server.line("listening on http://").await;
        let document = place.run(["openapi"]).await.succeeded().out;
        let published = Published::of(&document.into());
        Self { server, shop: Shop { address: address.parse().expect("an address"), published } }
    }

    /// What the others are answered, and the longest that one of them waited.
    async fn others(&self, request: impl Fn() -> String) -> (Vec<u16>, Duration) {
        let (mut statuses, mut longest) = (Vec::new(), Duration::ZERO);
        for last in 1..=OTHERS {
            let start = Instant::now();
            statuses.push(self.shop.clone().ask(Ipv4Addr::new(127, 0, 1, last), request()).await);
            longest = longest.max(start.elapsed());
        }
        (statuses, longest)
    }

    async fn stop(self) {
        let (code, log) = self.server.stop(Signal::TERM).await;
        assert_eq!(code, Some(0), "{log}");
    }
}

impl Shop {
    async fn connect(&self, from: Ipv4Addr) -> std::io::Result<TcpStream> {
        let socket = TcpSocket::new_v4()?;
        socket.bind(SocketAddr::from((from, 0)))?;
        socket.connect(self.address).await
    }

    /// Asks from an address; gives the status, 0 when there is no answer in time.
    async fn ask(self, from: Ipv4Addr, request: String) -> u16 {
        let asking = async {
            let mut stream = self.connect(from).await?;
            stream.write_all(request.as_bytes()).await?;
            let mut answer = Vec::new();
            stream.read_to_end(&mut answer).await?;
            std::io::Result::Ok(answer)
        };
        let Ok(Ok(answer)) = timeout(PATIENCE, asking).await else { return 0 };
        if answer.is_empty() {
            return 0;
        }
        let mut words = request.split(' ');
        let (method, path) = (words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let answer = TestResponse::parse(&answer);
        self.published.expect(&method.parse().expect("a method"), path, &answer);
        answer.status.as_u16()
    }
}

fn get(path: &str) -> String {
    format!("GET {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n")
}

fn post(path: &str, body: &str) -> String {
    let length = body.len();
    format!(
        "POST {path} HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n\
         Content-Length: {length}\r\n\r\n{body}"
    )
}

/// How often each status was answered.
fn tally(statuses: impl IntoIterator<Item = u16>) -> std::collections::BTreeMap<u16, usize> {
    let mut tally = std::collections::BTreeMap::new();
    for status in statuses {
        *tally.entry(status).or_default() += 1;
    }
    tally
}

async fn place() -> ShopFolder {
    let place = ShopFolder::migrated(Backend::Sqlite).await.variable("STOA_SERVER__LISTEN", "127.0.0.1:0");
    let create = ["customer", "create", "--email", "ada@example.com", "--name", "Ada", "--password", PASSWORD];
    place.run(create).await.succeeded();
    place
}

#[tokio::test]
async fn slow_bodies_of_one_address_disturb_nobody() {
    // Without the limit on requests, the connections alone have to suffice.
    let place = place().await.variable("STOA_LIMITS__PROTECTED__REQUESTS", "0");
    let flooded = Flooded::open(&place).await;
    let many = some(950);
    let mut held = Vec::new();
    for _ in 0..many {
        let Ok(mut stream) = flooded.shop.connect(ATTACKER).await else { continue };
        let head = "POST /api/v1/auth/tokens HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n\
                    Content-Length: 50000\r\n\r\n{";
        drop(stream.write_all(head.as_bytes()).await);
        held.push(stream);
    }
    let (statuses, longest) = flooded.others(|| get("/api/v1/products")).await;
    println!("{} slow bodies: others {:?}, the longest {longest:?}", held.len(), tally(statuses.clone()));
    assert_eq!(statuses, [200; OTHERS as usize]);
    drop(held);
    flooded.stop().await;
}

#[tokio::test]
async fn guessers_of_one_address_turn_nobody_away() {
    let place = place().await.variable("STOA_LIMITS__PROTECTED__REQUESTS", "0");
    let flooded = Flooded::open(&place).await;
    let mut guessing = JoinSet::new();
    for number in 0..some(500) {
        let guess = json!({"email": format!("nobody-{number}@example.com"), "password": "x", "name": "x"}).to_string();
        guessing.spawn(flooded.shop.clone().ask(ATTACKER, post("/api/v1/auth/tokens", &guess)));
    }
    let wish = json!({"email": "ada@example.com", "password": PASSWORD, "name": "x"}).to_string();
    let mut entering = JoinSet::new();
    let start = Instant::now();
    for last in 1..=5 {
        let from = Ipv4Addr::new(127, 0, 1, last);
        entering.spawn(flooded.shop.clone().ask(from, post("/api/v1/auth/tokens", &wish)));
    }
    let entered = entering.join_all().await;
    println!("{} guessers: others {:?} within {:?}", guessing.len(), tally(entered.clone()), start.elapsed());
    assert_eq!(entered, [201; 5]);
    guessing.abort_all();
    flooded.stop().await;
}

#[tokio::test]
async fn invented_callbacks_of_one_address_disturb_nobody() {
    let place = place().await;
    let place = place.variable("STOA_PAYMENTS__MOLLIE__ENABLED", "true");
    let place = place.variable("STOA_PAYMENTS__MOLLIE__API_KEY", "test_aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa");
    // Nobody is there: whoever asked would wait, and answer 500.
    let place = place.variable("STOA_PAYMENTS__MOLLIE__API_BASE", "http://127.0.0.1:9");
    let flooded = Flooded::open(&place).await;
    let mut inventing = JoinSet::new();
    for number in 0..some(950) {
        let body = format!("id=tr_invented{number}");
        inventing.spawn(flooded.shop.clone().ask(ATTACKER, post("/webhooks/payments/mollie", &body)));
    }
    let (statuses, longest) = flooded.others(|| get("/api/v1/products")).await;
    let (theirs, _) = flooded.others(|| post("/webhooks/payments/mollie", "id=tr_unknown")).await;
    let told = tally(inventing.join_all().await);
    println!("invented callbacks {told:?}: others {:?}, the longest {longest:?}", tally(statuses.clone()));
    assert_eq!(statuses, [200; OTHERS as usize]);
    assert_eq!(theirs, [403; OTHERS as usize], "each address has a count of its own");
    assert!(told.keys().all(|status| matches!(status, 0 | 403 | 429)) && told[&403] <= 120, "{told:?}");
    flooded.stop().await;
}
