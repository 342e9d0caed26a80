//! Catalog reads at a fixed rate, alone and beside a flood of wrong passwords.

use std::net::SocketAddr;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Duration;

use crate::Outcome;
use crate::options::Options;
use crate::process::Cores;
use crate::report::{Report, Row, milliseconds};
use crate::shop::{LIST, Shop};
use crate::steady_rate::{self, Latencies};
use crate::wire::{Client, get, post};

/// Connections that guess without a pause.
const GUESSERS: usize = 32;

/// How much longer 99 of 100 reads may take beside the flood.
const LIMIT: f64 = 2.0;

/// Measures a new server of the shop: each round first without the flood, then with it.
pub(crate) fn measure(shop: &Shop, options: &Options, cores: &Cores, report: &mut Report) -> Outcome<()> {
    eprintln!("fixed rate: login-flood");
    let (server, _) = shop.serve(cores)?;
    let seconds = u32::try_from(options.duration().as_secs()).unwrap_or(u32::MAX);
    let slugs = shop.catalog.slugs.iter().cycle().take((seconds * options.rate) as usize);
    let reads = slugs.map(|slug| get(&format!("{LIST}/{slug}"))).collect::<Vec<_>>();
    let (mut alone, mut beside) = (Latencies::default(), Latencies::default());
    let mut guesses = 0;
    // The first round warms the cache up.
    for round in 0..=options.rounds {
        let quiet = steady_rate::run(server.address, &reads, options.rate, 0)?;
        let (flooded, count) = flood(server.address, || steady_rate::run(server.address, &reads, options.rate, 0))?;
        if round > 0 {
            alone.extend(quiet);
            beside.extend(flooded);
            guesses += count;
        }
    }
    let [before, after] = [&alone, &beside].map(|latencies| latencies.per_mille(990));
    let factor = after.as_secs_f64() / before.as_secs_f64();
    let text = format!(
        "p99 {} alone, {} beside {guesses} guesses: {factor:.2} times; p50 {} and {}",
        milliseconds(before),
        milliseconds(after),
        milliseconds(alone.per_mille(500)),
        milliseconds(beside.per_mille(500)),
    );
    let name = format!("`/products/{{slug}}`, {} requests a second, beside wrong passwords", options.rate);
    report.add(Row::new(name, shop).measured(text).target("p99 at most doubled", factor <= LIMIT));
    report.note(format!(
        "fixed rate `login-flood`: {GUESSERS} connections guess without a pause; sent late by the generator itself: \
         p99 {} alone, {} beside the flood",
        milliseconds(alone.late(990)),
        milliseconds(beside.late(990)),
    ));
    Ok(())
}

/// Runs `work` while others guess passwords; returns how many guesses were answered.
fn flood<T>(address: SocketAddr, work: impl FnOnce() -> Outcome<T>) -> Outcome<(T, u64)> {
    let (stop, count) = (AtomicBool::new(false), AtomicU64::new(0));
    let measured = std::thread::scope(|scope| {
        for guesser in 0..GUESSERS {
            let (stop, count) = (&stop, &count);
            scope.spawn(move || {
                let Ok(mut client) = Client::connect(address) else { return };
                for number in 0.. {
                    if stop.load(Ordering::Relaxed) {
                        return;
                    }
                    // Nobody has this address, which costs the server the same work.
                    let email = format!("somebody-{guesser}-{number}@example.com");
                    let body = format!(r#"{{"email": "{email}", "password": "not this one", "name": "bench"}}"#);
                    match client.send(&post("/api/v1/auth/tokens", &body)) {
                        Ok((422 | 503, _)) => count.fetch_add(1, Ordering::Relaxed),
                        Ok(_) | Err(_) => return,
                    };
                }
            });
        }
        // The queue of guesses has built up when the measurement begins.
        std::thread::sleep(Duration::from_millis(200));
        let measured = work();
        stop.store(true, Ordering::Relaxed);
        measured
    })?;
    match count.into_inner() {
        0 => Err("no guess was answered".into()),
        guesses => Ok((measured, guesses)),
    }
}
