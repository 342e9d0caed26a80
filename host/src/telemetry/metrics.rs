//! Metrics for a collector: the same as `GET /metrics` tells.

use std::time::Duration;

use chrono::{DateTime, Utc};
use opentelemetry_proto::tonic::collector::metrics::v1::ExportMetricsServiceRequest;
use opentelemetry_proto::tonic::common::v1::any_value::Value;
use opentelemetry_proto::tonic::common::v1::{AnyValue, InstrumentationScope, KeyValue};
use opentelemetry_proto::tonic::metrics::v1::metric::Data;
use opentelemetry_proto::tonic::metrics::v1::{
    AggregationTemporality, Gauge, Histogram, HistogramDataPoint, Metric, NumberDataPoint, ResourceMetrics,
    ScopeMetrics, Sum, number_data_point,
};
use opentelemetry_proto::tonic::resource::v1::Resource;
use prost::Message;
use stoa_core::clock::Clock;
use stoa_kernel::metrics::{Instruments, Sample, SampleValue, by_name};
use tokio_util::sync::CancellationToken;

use super::SERVICE;
use super::collector::{Collector, resource};

/// Sends metrics again and again, and a last time at the stop.
pub(super) async fn keep_sending(
    collector: Collector,
    instruments: Instruments,
    every: Duration,
    stop: CancellationToken,
) {
    let clock: &Clock = &instruments.parts.clock;
    let since = clock.now();
    loop {
        let is_over = tokio::time::timeout(every, stop.cancelled()).await.is_ok();
        let told = telling(&instruments.samples().await, since, clock.now());
        // A failure is told by the collector, and the next telling says the same and more.
        let _ = collector.send("metrics", told.encode_to_vec()).await;
        if is_over {
            return;
        }
    }
}

fn telling(samples: &[Sample], since: DateTime<Utc>, now: DateTime<Utc>) -> ExportMetricsServiceRequest {
    let span = Span { start: nanoseconds(since), end: nanoseconds(now) };
    let metrics = by_name(samples).into_iter().map(|(name, samples)| Metric {
        name: name.to_owned(),
        description: samples[0].help().to_owned(),
        unit: if name.ends_with("_seconds") { String::from("s") } else { String::new() },
        metadata: Vec::new(),
        data: Some(data(&samples, &span)),
    });
    let scope = InstrumentationScope { name: SERVICE.to_owned(), ..InstrumentationScope::default() };
    let scope_metrics = ScopeMetrics { scope: Some(scope), metrics: metrics.collect(), schema_url: String::new() };
    let attributes = resource().iter().map(|own| attribute(own.key.as_str(), &own.value.as_str())).collect();
    ExportMetricsServiceRequest {
        resource_metrics: vec![ResourceMetrics {
            resource: Some(Resource { attributes, ..Resource::default() }),
            scope_metrics: vec![scope_metrics],
            schema_url: String::new(),
        }],
    }
}

/// From when to when something was counted, in nanoseconds since 1970.
struct Span {
    start: u64,
    end: u64,
}

fn data(samples: &[&Sample], span: &Span) -> Data {
    let numbers = || samples.iter().filter_map(|sample| number(sample, span)).collect();
    let aggregation_temporality = AggregationTemporality::Cumulative.into();
    match samples[0].value() {
        SampleValue::Gauge(_) => Data::Gauge(Gauge { data_points: numbers() }),
        SampleValue::Counter(_) => {
            Data::Sum(Sum { data_points: numbers(), aggregation_temporality, is_monotonic: true })
        }
        SampleValue::Histogram { .. } => {
            let data_points = samples.iter().filter_map(|sample| histogram(sample, span)).collect();
            Data::Histogram(Histogram { data_points, aggregation_temporality })
        }
    }
}

fn number(sample: &Sample, span: &Span) -> Option<NumberDataPoint> {
    let (SampleValue::Gauge(value) | SampleValue::Counter(value)) = sample.value() else { return None };
    Some(NumberDataPoint {
        attributes: attributes(sample),
        start_time_unix_nano: span.start,
        time_unix_nano: span.end,
        value: Some(number_data_point::Value::AsDouble(*value)),
        ..NumberDataPoint::default()
    })
}

fn histogram(sample: &Sample, span: &Span) -> Option<HistogramDataPoint> {
    let SampleValue::Histogram { up_to, count, sum } = sample.value() else { return None };
    // Those of each bucket alone, and at the end those above the last bound.
    let counts = up_to.iter().map(|(_, count)| *count).chain([*count]);
    let before = [0].into_iter().chain(up_to.iter().map(|(_, count)| *count));
    Some(HistogramDataPoint {
        attributes: attributes(sample),
        start_time_unix_nano: span.start,
        time_unix_nano: span.end,
        count: *count,
        sum: Some(*sum),
        bucket_counts: counts.zip(before).map(|(up_to, before)| up_to.saturating_sub(before)).collect(),
        explicit_bounds: up_to.iter().map(|(bound, _)| *bound).collect(),
        ..HistogramDataPoint::default()
    })
}

fn attributes(sample: &Sample) -> Vec<KeyValue> {
    sample.labels().iter().map(|(name, value)| attribute(name, value)).collect()
}

fn attribute(name: &str, value: &str) -> KeyValue {
    let value = AnyValue { value: Some(Value::StringValue(value.to_owned())) };
    KeyValue { key: name.to_owned(), value: Some(value), ..KeyValue::default() }
}

fn nanoseconds(time: DateTime<Utc>) -> u64 {
    time.timestamp_nanos_opt().and_then(|nanoseconds| u64::try_from(nanoseconds).ok()).unwrap_or_default()
}
