//! Requests that arrive at a fixed rate, whatever the server does with those before.
//!
//! Latency counts from the moment at which a request was due, so a server that holds up the queue
//! cannot hide it ("coordinated omission").

use std::io;
use std::net::SocketAddr;
use std::time::{Duration, Instant};

use crate::Outcome;
use crate::wire::Client;

/// Connections that take the requests in turn; each has this many intervals for its answer before
/// its next request is late by itself, which counts too.
const LANES: usize = 64;

/// The system wakes a sleeping thread late by up to about this; the rest is spent spinning.
const SPIN: Duration = Duration::from_micros(150);

/// Time for all threads to be ready.
const LEAD: Duration = Duration::from_millis(50);

/// What happened to one request.
#[derive(Debug, Clone, Copy)]
struct Exchange {
    latency: Duration,
    late: Duration,
    body: usize,
}

/// Latencies, and how well the generator kept its own schedule.
#[derive(Debug, Default)]
pub(crate) struct Latencies {
    sorted: Vec<Duration>,
    late: Vec<Duration>,
    /// Answers whose list of products is empty.
    pub(crate) empty: usize,
}

impl Latencies {
    /// Those of requests that had no schedule.
    pub(crate) fn of(mut latencies: Vec<Duration>) -> Self {
        latencies.sort_unstable();
        Self { sorted: latencies, late: Vec::new(), empty: 0 }
    }

    /// Adds what another round has measured.
    pub(crate) fn extend(&mut self, mut other: Self) {
        self.sorted.append(&mut other.sorted);
        self.late.append(&mut other.late);
        self.empty += other.empty;
        self.sorted.sort_unstable();
        self.late.sort_unstable();
    }

    /// Number of requests.
    pub(crate) fn count(&self) -> usize {
        self.sorted.len()
    }

    /// The latency that so many per mille of all requests did not exceed.
    pub(crate) fn per_mille(&self, per_mille: usize) -> Duration {
        rank(&self.sorted, per_mille)
    }

    /// How late after its due time the generator sent a request, by the same measure.
    pub(crate) fn late(&self, per_mille: usize) -> Duration {
        rank(&self.late, per_mille)
    }
}

fn rank(sorted: &[Duration], per_mille: usize) -> Duration {
    let rank = (sorted.len() * per_mille).div_ceil(1000);
    sorted.get(rank.saturating_sub(1)).copied().unwrap_or_default()
}

/// Sends each request once, `rate` of them a second. Answers of up to `empty` bytes are empty.
pub(crate) fn run(address: SocketAddr, requests: &[Box<[u8]>], rate: u32, empty: usize) -> Outcome<Latencies> {
    let interval = Duration::from_secs(1) / rate;
    let clients = (0..LANES).map(|_| Client::connect(address)).collect::<io::Result<Vec<_>>>()?;
    let start = Instant::now() + LEAD;
    let exchanges = std::thread::scope(|scope| {
        let lanes = clients.into_iter().enumerate().map(|(lane, client)| {
            scope.spawn(move || {
                let due = (0_u32..).zip(requests).skip(lane).step_by(LANES);
                self::lane(client, due.map(|(number, request)| (start + interval * number, &**request)))
            })
        });
        let lanes = lanes.collect::<Vec<_>>();
        lanes.into_iter().map(|lane| lane.join().expect("a lane does not panic")).collect::<io::Result<Vec<_>>>()
    })?;
    let exchanges = exchanges.concat();
    let mut result = Latencies::default();
    result.extend(Latencies {
        sorted: exchanges.iter().map(|exchange| exchange.latency).collect(),
        late: exchanges.iter().map(|exchange| exchange.late).collect(),
        empty: exchanges.iter().filter(|exchange| exchange.body <= empty).count(),
    });
    Ok(result)
}

fn lane<'a>(mut client: Client, due: impl Iterator<Item = (Instant, &'a [u8])>) -> io::Result<Vec<Exchange>> {
    let mut exchanges = Vec::new();
    for (due, request) in due {
        let rest = due.saturating_duration_since(Instant::now());
        std::thread::sleep(rest.saturating_sub(SPIN));
        while Instant::now() < due {
            std::hint::spin_loop();
        }
        let late = due.elapsed();
        let (status, body) = client.send(request)?;
        if status != 200 {
            let request = String::from_utf8_lossy(request);
            return Err(io::Error::other(format!(
                "answered with {status}: {}",
                request.lines().next().unwrap_or_default()
            )));
        }
        exchanges.push(Exchange { latency: due.elapsed(), late, body: body.len() });
    }
    Ok(exchanges)
}
