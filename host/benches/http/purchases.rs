//! Customers who buy at once, each with a connection of their own: the load of whoever measures orders.

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use futures_util::future::try_join_all;
use tokio::net::TcpStream;
use tokio::runtime::Builder;

use crate::Outcome;
use crate::full_load::{exchange, stay_awake};
use crate::process::Running;
use crate::steady_rate::Latencies;
use crate::wire::{get_with, post_with};

/// What a customer does over and over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Deed {
    Add,
    Order,
}

/// What is bought, and how.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Basket<'a> {
    /// Bodies of the requests that fill the cart.
    pub(crate) adds: &'a [String],
    /// Body of the request that places it.
    pub(crate) checkout: &'a str,
}

/// What many customers have done together.
pub(crate) struct Bought {
    pub(crate) rate: f64,
    pub(crate) latencies: Latencies,
    /// Share of its core that the server was busy.
    pub(crate) server: f64,
}

/// Has a customer for each token do it until the time is over.
pub(crate) fn one_round(
    address: SocketAddr,
    server: &Running,
    tokens: &[String],
    deed: Deed,
    basket: Basket<'_>,
    duration: Duration,
) -> Outcome<Bought> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let before = server.processor_time();
        let start = Instant::now();
        let awake = tokio::spawn(stay_awake());
        let customers = tokens.iter().map(|token| customer(address, token, deed, basket, start + duration));
        let took = try_join_all(customers).await?.concat();
        awake.abort();
        let seconds = start.elapsed().as_secs_f64();
        let used = server.processor_time().unwrap_or_default().saturating_sub(before.unwrap_or_default());
        let count = u32::try_from(took.len()).unwrap_or(u32::MAX);
        Ok(Bought {
            rate: f64::from(count) / seconds,
            latencies: Latencies::of(took),
            server: used.as_secs_f64() / seconds,
        })
    })
}

/// One customer, who does it until the deadline; returns how long each time took.
async fn customer(
    address: SocketAddr,
    token: &str,
    deed: Deed,
    basket: Basket<'_>,
    deadline: Instant,
) -> Outcome<Vec<Duration>> {
    let authorization = format!("Bearer {token}");
    let headers = [("authorization", authorization.as_str())];
    let adds = basket.adds.iter().map(|body| post_with("/api/v1/cart", body, &headers)).collect::<Vec<_>>();
    let requirements = get_with("/api/v1/checkout/requirements", &headers);
    let checkout = post_with("/api/v1/checkout", basket.checkout, &headers);
    let mut stream = TcpStream::connect(address).await?;
    stream.set_nodelay(true)?;
    let mut buffer = vec![0; 64 * 1024];
    let mut took = Vec::new();
    while Instant::now() < deadline {
        let begun = Instant::now();
        for add in &adds {
            exchange(&mut stream, add, &mut buffer).await?;
        }
        if deed == Deed::Order {
            exchange(&mut stream, &requirements, &mut buffer).await?;
            exchange(&mut stream, &checkout, &mut buffer).await?;
        }
        took.push(begun.elapsed());
        // A line holds 99 units at most; an order empties it.
        if deed == Deed::Add && took.len() % 90 == 0 {
            exchange(&mut stream, &checkout, &mut buffer).await?;
        }
    }
    if deed == Deed::Add && took.len() % 90 != 0 {
        exchange(&mut stream, &checkout, &mut buffer).await?;
    }
    Ok(took)
}
