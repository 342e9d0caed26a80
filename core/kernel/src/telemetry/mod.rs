//! Traces that go beyond one process (W3C Trace Context): a request goes on with the trace of whoever sent it, a task with that of the
//! transaction that has written it down, and what is asked of others carries it along.
//!
//! Spans are made whether or not anybody collects them; a trace has an id only while somebody does.

use std::collections::HashMap;

use http::HeaderName;
use opentelemetry::propagation::TextMapPropagator;
use opentelemetry_sdk::propagation::TraceContextPropagator;
use reqwest::RequestBuilder;
use tracing::Span;
use tracing_opentelemetry::OpenTelemetrySpanExt;

/// The header in which a trace is handed on.
pub const TRACE_PARENT: HeaderName = HeaderName::from_static("traceparent");

/// Has a span go on with a trace; what cannot be read begins a new one.
pub fn continue_trace(span: &Span, trace_parent: Option<&str>) {
    let Some(trace_parent) = trace_parent else { return };
    let carrier = HashMap::from([(TRACE_PARENT.to_string(), trace_parent.to_owned())]);
    // Without a collector there is nothing to go on with.
    let _ = span.set_parent(TraceContextPropagator::new().extract(&carrier));
}

/// The trace of what is being done, to be handed on; none while nobody collects.
pub fn trace_parent() -> Option<String> {
    let mut carrier = HashMap::new();
    TraceContextPropagator::new().inject_context(&Span::current().context(), &mut carrier);
    carrier.remove(TRACE_PARENT.as_str())
}

/// Requests to others that carry the trace along.
pub trait Traced {
    /// With the trace of what is being done.
    #[must_use]
    fn traced(self) -> Self;
}

impl Traced for RequestBuilder {
    fn traced(self) -> Self {
        match trace_parent() {
            Some(trace_parent) => self.header(TRACE_PARENT, trace_parent),
            None => self,
        }
    }
}
