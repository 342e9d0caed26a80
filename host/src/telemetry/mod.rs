//! What the program tells about itself: log lines on standard error, and traces and metrics for a collector.

mod collector;
mod metrics;

use std::io::IsTerminal;
use std::time::Duration;

use opentelemetry::trace::TracerProvider;
use opentelemetry_otlp::{SpanExporter, WithExportConfig, WithHttpConfig};
use opentelemetry_sdk::Resource;
use opentelemetry_sdk::trace::{Sampler, SdkTracerProvider};
use stoa_core::config::{Config, LogConfig, LogFormat, TelemetryConfig};
use stoa_kernel::metrics::Instruments;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;
use tracing::Subscriber;
use tracing::level_filters::LevelFilter;
use tracing_subscriber::filter::{FilterExt, Targets, dynamic_filter_fn};
use tracing_subscriber::layer::SubscriberExt;
use tracing_subscriber::registry::LookupSpan;
use tracing_subscriber::util::SubscriberInitExt;
use tracing_subscriber::{EnvFilter, Layer};

use self::collector::Collector;
use crate::failure::Failure;

/// How long what is left is waited for at the end.
const STOP_LIMIT: Duration = Duration::from_secs(3);

/// What the program is called where many are looked at.
const SERVICE: &str = "stoa";

/// What is told while the program runs. It ends with [`Telemetry::stop`], which sends what is left.
pub(crate) struct Telemetry {
    sent: Option<Sent>,
}

/// What goes to a collector.
struct Sent {
    traces: SdkTracerProvider,
    collector: Collector,
    metrics_every: Duration,
}

impl Telemetry {
    /// Starts lines of the log, traces and metrics as configured; once for a process, inside the runtime.
    pub(crate) fn of_service(config: &Config) -> Result<Self, Failure> {
        let sent = Sent::of(&config.telemetry)?;
        let registry = tracing_subscriber::registry().with(sent.as_ref().map(Sent::layer));
        registry.with(log(&config.log)).init();
        Ok(Self { sent })
    }

    /// Starts the traces of a command, whose words are its output and no log.
    pub(crate) fn of_command(config: &TelemetryConfig) -> Result<Self, Failure> {
        let sent = Sent::of(config)?;
        if let Some(sent) = &sent {
            tracing_subscriber::registry().with(sent.layer()).init();
        }
        Ok(Self { sent })
    }

    /// Sends metrics until the stop.
    pub(crate) fn send_metrics(
        &self,
        instruments: Option<&Instruments>,
        tracker: &TaskTracker,
        stop: &CancellationToken,
    ) {
        if let (Some(sent), Some(instruments)) = (&self.sent, instruments) {
            let (collector, every) = (sent.collector.clone(), sent.metrics_every);
            tracker.spawn(metrics::keep_sending(collector, instruments.clone(), every, stop.clone()));
        }
    }

    /// Sends what is left.
    pub(crate) async fn stop(self) {
        if let Some(sent) = self.sent {
            // Who is away was told before.
            let stopped = tokio::task::spawn_blocking(move || sent.traces.shutdown_with_timeout(STOP_LIMIT));
            let _ = tokio::time::timeout(STOP_LIMIT, stopped).await;
        }
    }
}

impl Sent {
    fn of(config: &TelemetryConfig) -> Result<Option<Self>, Failure> {
        let Some(otlp) = &config.otlp else { return Ok(None) };
        let collector = Collector::new(otlp, &config.headers)?;
        let exporter = SpanExporter::builder().with_http().with_http_client(collector.clone());
        let exporter = exporter.with_endpoint(collector.address_of("traces")).build();
        let exporter = exporter.map_err(|error| Failure::operation(format!("telemetry.otlp: {error}")))?;
        let ratio = f64::from(config.sample_percent) / 100.0;
        let traces = SdkTracerProvider::builder()
            .with_batch_exporter(exporter)
            .with_sampler(Sampler::ParentBased(Box::new(Sampler::TraceIdRatioBased(ratio))))
            .with_resource(Resource::builder_empty().with_attributes(collector::resource()).build())
            .build();
        Ok(Some(Self { traces, collector, metrics_every: Duration::from_secs(config.metrics_seconds) }))
    }

    /// Spans of this program; those of its libraries are theirs. Statements are parts of what they are for: those that look for work all
    /// the time would be traces of their own, one like the other.
    fn layer<S: Subscriber + for<'a> LookupSpan<'a>>(&self) -> impl Layer<S> + use<S> {
        let ours =
            Targets::new().with_target("stoa", LevelFilter::DEBUG).with_target("opentelemetry", LevelFilter::OFF);
        let parts = dynamic_filter_fn(|span, context| span.name() != "statement" || context.lookup_current().is_some());
        let layer = tracing_opentelemetry::layer().with_tracer(self.traces.tracer(SERVICE)).with_location(false);
        layer.with_filter(ours.and(parts))
    }
}

fn log<S: Subscriber + for<'a> LookupSpan<'a>>(config: &LogConfig) -> impl Layer<S> {
    let filter = EnvFilter::builder().parse_lossy(config.level.as_str());
    let lines = tracing_subscriber::fmt::layer().with_writer(std::io::stderr);
    let lines: Box<dyn Layer<S> + Send + Sync> = match config.format {
        LogFormat::Text => lines.with_ansi(std::io::stderr().is_terminal()).with_target(false).boxed(),
        LogFormat::Json => lines.json().flatten_event(true).with_current_span(true).with_span_list(false).boxed(),
    };
    lines.with_filter(filter)
}
