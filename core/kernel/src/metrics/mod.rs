//! What the shop counts and measures, as Prometheus text for `GET /metrics`.

mod counters;
mod measure;

pub use counters::Metrics;
pub use measure::{Measure, Measurement, Sample, render};
