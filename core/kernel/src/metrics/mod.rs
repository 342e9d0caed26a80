//! What the shop counts and measures, for `GET /metrics` as Prometheus text, and for a collector.

mod counters;
mod measure;

pub use counters::Metrics;
pub use measure::{Instruments, Measure, Measurement, Sample, SampleValue, by_name, render};
