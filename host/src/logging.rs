//! Structured logs on standard error.

use std::io::IsTerminal;

use stoa_core::config::{LogConfig, LogFormat};
use tracing_subscriber::EnvFilter;

/// Starts logging as configured; once for a process.
pub(crate) fn start(config: &LogConfig) {
    let filter = EnvFilter::builder().parse_lossy(config.level.as_str());
    let logs = tracing_subscriber::fmt().with_env_filter(filter).with_writer(std::io::stderr);
    match config.format {
        LogFormat::Text => logs.with_ansi(std::io::stderr().is_terminal()).with_target(false).init(),
        LogFormat::Json => logs.json().flatten_event(true).with_current_span(true).with_span_list(false).init(),
    }
}
