//! What one instance counts about itself.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicI64, AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use http::StatusCode;

use super::measure::{Sample, SampleValue};

/// Upper bounds of the duration histogram, in microseconds.
const BUCKETS_US: [u64; 10] = [500, 1_000, 2_500, 5_000, 10_000, 25_000, 100_000, 500_000, 2_000_000, 10_000_000];

#[derive(Debug, Default, Clone)]
struct Route {
    by_status: BTreeMap<u16, u64>,
    buckets: [u64; BUCKETS_US.len()],
    sum: Duration,
    count: u64,
}

#[derive(Debug, Default)]
struct Counters {
    in_flight: AtomicI64,
    limit_fallbacks: AtomicU64,
    payment_callbacks: Mutex<BTreeMap<(&'static str, &'static str), u64>>,
    routes: Mutex<BTreeMap<String, Route>>,
}

/// The counters of one instance. Cloning gives the same counters.
#[derive(Debug, Clone, Default)]
pub struct Metrics(Arc<Counters>);

/// A request that is being measured.
pub(crate) struct Measured {
    metrics: Metrics,
    started: Instant,
}

impl Metrics {
    pub(crate) fn begin(&self) -> Measured {
        self.0.in_flight.fetch_add(1, Ordering::Relaxed);
        Measured { metrics: self.clone(), started: Instant::now() }
    }

    /// Notes a request whose limit was counted in memory although it should have been counted in Redis.
    pub(crate) fn count_limit_fallback(&self) {
        self.0.limit_fallbacks.fetch_add(1, Ordering::Relaxed);
    }

    /// Notes a payment callback by the gateway that it was sent to and what came of it.
    pub fn count_payment_callback(&self, gateway: &'static str, outcome: &'static str) {
        let mut callbacks = self.0.payment_callbacks.lock().unwrap_or_else(PoisonError::into_inner);
        *callbacks.entry((gateway, outcome)).or_default() += 1;
    }

    pub(super) fn samples(&self) -> Vec<Sample> {
        let whole = |count: u64| i64::try_from(count).unwrap_or(i64::MAX);
        let in_flight = self.0.in_flight.load(Ordering::Relaxed);
        let fallbacks = whole(self.0.limit_fallbacks.load(Ordering::Relaxed));
        let mut samples = vec![
            Sample::gauge("stoa_http_requests_in_flight", "Requests being answered now.", in_flight),
            Sample::counter(
                "stoa_limits_fallback_total",
                "Requests counted in memory because Redis was away.",
                fallbacks,
            ),
        ];
        let callbacks = self.0.payment_callbacks.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for ((gateway, outcome), count) in callbacks {
            let help = "Callbacks of payment providers, by gateway and outcome.";
            let sample = Sample::counter("stoa_payment_callbacks_total", help, whole(count));
            samples.push(sample.label("gateway", gateway).label("outcome", outcome));
        }
        let routes = self.0.routes.lock().unwrap_or_else(PoisonError::into_inner).clone();
        for (path, route) in routes {
            for (status, count) in &route.by_status {
                let help = "Requests answered, by route and status.";
                let sample = Sample::counter("stoa_http_requests_total", help, whole(*count));
                samples.push(sample.label("route", path.as_str()).label("status", status.to_string()));
            }
            let bounds = BUCKETS_US.iter().map(|bound| Duration::from_micros(*bound).as_secs_f64());
            let value = SampleValue::Histogram {
                up_to: bounds.zip(route.buckets).collect(),
                count: route.count,
                sum: route.sum.as_secs_f64(),
            };
            let sample = Sample::histogram("stoa_http_request_duration_seconds", "Time to answer, by route.", value);
            samples.push(sample.label("route", path));
        }
        samples
    }
}

impl Measured {
    pub(crate) fn end(self, path: &str, status: StatusCode) {
        let took = self.started.elapsed();
        let mut routes = self.metrics.0.routes.lock().unwrap_or_else(PoisonError::into_inner);
        if !routes.contains_key(path) {
            routes.insert(path.to_owned(), Route::default());
        }
        if let Some(route) = routes.get_mut(path) {
            *route.by_status.entry(status.as_u16()).or_default() += 1;
            let micros = u64::try_from(took.as_micros()).unwrap_or(u64::MAX);
            for (bound, count) in BUCKETS_US.iter().zip(&mut route.buckets) {
                *count += u64::from(micros <= *bound);
            }
            route.sum += took;
            route.count += 1;
        }
    }
}

/// A request that is dropped half-way is no longer in flight either.
impl Drop for Measured {
    fn drop(&mut self) {
        self.metrics.0.in_flight.fetch_sub(1, Ordering::Relaxed);
    }
}
