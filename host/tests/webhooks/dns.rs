//! Name servers of the operator's choice (`webhooks.dns_servers`).

use std::net::{Ipv4Addr, SocketAddr};
use std::sync::{Arc, Mutex};

use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};
use stoa_core::webhooks::{DeliveryState, EndpointKind};
use tokio::net::UdpSocket;

use crate::receiver::Receiver;
use crate::shop::{delivery, hook_to, paid, send};

const NAME: &str = "hook.example.test";

/// The type of a question for an IPv4 address, as it stands at a question's end.
const A: [u8; 2] = [0, 1];

/// A name server that knows one address for every name, and what it was asked.
struct NameServer {
    address: SocketAddr,
    asked: Arc<Mutex<Vec<String>>>,
}

impl NameServer {
    async fn open(answer: Ipv4Addr) -> Self {
        let socket = UdpSocket::bind(("127.0.0.1", 0)).await.expect("a port is free");
        let (address, asked) = (socket.local_addr().expect("it is bound"), Arc::<Mutex<Vec<String>>>::default());
        let names = Arc::clone(&asked);
        tokio::spawn(async move {
            let mut bytes = [0; 512];
            while let Ok((length, client)) = socket.recv_from(&mut bytes).await {
                let (name, reply) = reply(&bytes[..length], answer);
                names.lock().expect("no test panics here").push(name);
                let _ = socket.send_to(&reply, client).await;
            }
        });
        Self { address, asked }
    }

    fn asked(&self) -> Vec<String> {
        let mut asked = self.asked.lock().expect("no test panics here").clone();
        asked.dedup();
        asked
    }
}

/// The name that is asked for, and the answer (RFC 1035, 4): one address, or none of another kind.
fn reply(query: &[u8], address: Ipv4Addr) -> (String, Vec<u8>) {
    let mut labels = Vec::new();
    let mut place = 12;
    while query[place] != 0 {
        let end = place + 1 + usize::from(query[place]);
        labels.push(String::from_utf8_lossy(&query[place + 1..end]).into_owned());
        place = end;
    }
    let question = &query[12..place + 5];
    let is_for_ipv4 = query[place + 1..place + 3] == A;
    // The query's number; a response, recursion available; one question, and one answer or none.
    let mut reply = [&query[..2], &[0x81, 0x80, 0, 1, 0, u8::from(is_for_ipv4), 0, 0, 0, 0], question].concat();
    if is_for_ipv4 {
        // The name of the question, its type, the internet, no time to live, four bytes.
        reply.extend([0xC0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4]);
        reply.extend(address.octets());
    }
    (labels.join("."), reply)
}

async fn shop(backend: Backend, names: &NameServer, settings: &str) -> TestShop {
    let config = format!("[webhooks]\ndns_servers = ['{}']\n{settings}", names.address);
    TestShop::builder(backend).config(&config).open().await
}

both_databases!(names_are_looked_up_where_the_operator_says);
async fn names_are_looked_up_where_the_operator_says(backend: Backend) {
    let (receiver, names) = (Receiver::open().await, NameServer::open(Ipv4Addr::LOCALHOST).await);
    let shop = shop(backend, &names, "allow_private_destinations = true\n").await;
    hook_to(&shop, &format!("http://{NAME}:{}/hook", receiver.port), EndpointKind::Http, &["*"]).await;
    shop.queue_webhook(&paid(1)).await;
    assert_eq!(send(&shop).await, 1);
    assert_eq!(receiver.only().header("host"), format!("{NAME}:{}", receiver.port));
    assert_eq!(names.asked(), [NAME]);
}

both_databases!(what_they_answer_is_checked_like_any_other_address);
async fn what_they_answer_is_checked_like_any_other_address(backend: Backend) {
    let names = NameServer::open(Ipv4Addr::new(203, 0, 113, 7)).await;
    let permissive = shop(backend, &names, "allow_private_destinations = true\n").await;
    hook_to(&permissive, &format!("https://{NAME}/hook"), EndpointKind::Http, &["*"]).await;
    permissive.queue_webhook(&paid(1)).await;
    // The shop that sends is another one, to which the address of the documentation is not public.
    let strict = format!("[webhooks]\ndns_servers = ['{}']\n", names.address);
    let strict = TestShop::builder(backend).on(permissive.database()).seed(2).config(&strict).open().await;
    assert_eq!(send(&strict).await, 0);
    let found = delivery(&strict).await;
    assert_eq!(found.state, DeliveryState::DeadLetter, "{found:?}");
}
