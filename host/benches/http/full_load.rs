//! Full load: connections that each send the next request as soon as the last one is answered.

use std::io;
use std::net::SocketAddr;
use std::sync::Arc;
use std::time::{Duration, Instant};

use rand::rngs::Xoshiro256PlusPlus;
use rand::{RngExt, SeedableRng};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::task::JoinSet;

use crate::Outcome;
use crate::process::{Running, own_processor_time};
use crate::wire::Head;

/// One measurement at full load.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Measured {
    /// Requests answered in a second.
    pub(crate) rate: f64,
    /// Share of its core that the server was busy.
    pub(crate) server: f64,
    /// Processor time of the server for a request, in microseconds.
    pub(crate) cost: f64,
    /// Share of its core that this process was busy.
    pub(crate) generator: f64,
}

/// Loads a server over so many connections for so long, with requests drawn at random.
pub(crate) fn run(
    address: SocketAddr,
    process: &Running,
    requests: &Arc<[Box<[u8]>]>,
    connections: u32,
    duration: Duration,
) -> Outcome<Measured> {
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    runtime.block_on(async {
        let mut streams = Vec::new();
        for _ in 0..connections {
            let stream = TcpStream::connect(address).await?;
            stream.set_nodelay(true)?;
            streams.push(stream);
        }
        let before = (process.processor_time(), own_processor_time());
        let start = Instant::now();
        let mut tasks = JoinSet::new();
        for (number, stream) in (0..).zip(streams) {
            tasks.spawn(connection(stream, Arc::clone(requests), number, start + duration));
        }
        let awake = tokio::spawn(stay_awake());
        let mut answered = 0_u32;
        while let Some(task) = tasks.join_next().await {
            answered += task??;
        }
        awake.abort();
        let seconds = start.elapsed().as_secs_f64();
        let used = |before: Option<Duration>, after: Option<Duration>| {
            after.unwrap_or_default().saturating_sub(before.unwrap_or_default()).as_secs_f64()
        };
        let server = used(before.0, process.processor_time());
        Ok(Measured {
            rate: f64::from(answered) / seconds,
            server: server / seconds,
            cost: server * 1e6 / f64::from(answered.max(1)),
            generator: used(before.1, own_processor_time()) / seconds,
        })
    })
}

/// Keeps this thread from sleeping when it has nothing to do.
///
/// Waking a thread on another core takes the server longer than some answers, and how often it must
/// depends on how much faster the generator is. A client on another machine costs no such thing.
pub(crate) async fn stay_awake() {
    loop {
        tokio::task::yield_now().await;
    }
}

/// Sends and reads until the deadline; returns how many answers came.
async fn connection(
    mut stream: TcpStream,
    requests: Arc<[Box<[u8]>]>,
    number: u64,
    deadline: Instant,
) -> io::Result<u32> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(number);
    let mut buffer = vec![0; 64 * 1024];
    let mut answered = 0;
    while Instant::now() < deadline {
        let request = &requests[random.random_range(0..requests.len())];
        exchange(&mut stream, request, &mut buffer).await?;
        answered += 1;
    }
    Ok(answered)
}

/// Sends a request, and reads its answer, which must say that it succeeded.
pub(crate) async fn exchange(stream: &mut TcpStream, request: &[u8], buffer: &mut [u8]) -> io::Result<()> {
    stream.write_all(request).await?;
    answer(stream, buffer).await
}

/// Reads one answer and drops it.
async fn answer(stream: &mut TcpStream, buffer: &mut [u8]) -> io::Result<()> {
    let mut filled = 0;
    let head = loop {
        filled += received(stream.read(&mut buffer[filled..]).await?)?;
        if let Some(head) = Head::parse(&buffer[..filled])? {
            break head;
        }
    };
    if !matches!(head.status, 200 | 201) {
        let text = String::from_utf8_lossy(&buffer[..filled.min(400)]).into_owned();
        return Err(io::Error::other(format!("a request failed under load: {text}")));
    }
    let mut missing = (head.length + head.body).saturating_sub(filled);
    while missing > 0 {
        let end = missing.min(buffer.len());
        missing -= received(stream.read(&mut buffer[..end]).await?)?;
    }
    Ok(())
}

fn received(bytes: usize) -> io::Result<usize> {
    if bytes == 0 { Err(io::ErrorKind::UnexpectedEof.into()) } else { Ok(bytes) }
}
