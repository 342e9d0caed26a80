//! `[log]`: what the program says about itself.

use std::time::Duration;

use serde::Deserialize;

use super::value::{Malformed, read_from_text};
use crate::suggestion::{closest, did_you_mean};

/// Settings of the log.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct LogConfig {
    /// How lines are written.
    pub format: LogFormat,
    /// Which lines are written.
    pub level: LogFilter,
    /// Whether each request has a line.
    pub access: bool,
    /// Requests and statements that take longer, in milliseconds, are told; 0 for none.
    pub slow_ms: u64,
}

impl LogConfig {
    /// How long a request or statement may take without being told.
    pub fn slow(&self) -> Option<Duration> {
        (self.slow_ms > 0).then(|| Duration::from_millis(self.slow_ms))
    }
}

/// How the lines of the log are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    Text,
    /// One JSON object a line, for programs.
    Json,
}

/// A level, or several by target, as `tracing` filters understand them: `info,sqlx=debug`.
///
/// A lone word must be a level. `tracing` would take `infos` for the name of a target, and so
/// silence everything else.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct LogFilter(String);

const LEVELS: [&str; 6] = ["off", "error", "warn", "info", "debug", "trace"];

impl LogFilter {
    fn parse(text: &str) -> Result<Self, Malformed> {
        for directive in text.split(',') {
            let (target, level) = match directive.trim().split_once('=') {
                Some((target, level)) => (Some(target), level),
                None => (None, directive.trim()),
            };
            let is_target = |target: &str| {
                let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-' | b':');
                !target.is_empty() && target.bytes().all(is_part)
            };
            if !target.is_none_or(is_target) {
                return Err(Malformed::Unexpected);
            }
            if !LEVELS.iter().any(|known| known.eq_ignore_ascii_case(level)) {
                let meant = closest(level, LEVELS).ok_or(Malformed::Unexpected)?;
                return Err(Malformed::Because(format!("{level:?} is no level{}", did_you_mean(Some(meant)))));
            }
        }
        Ok(Self(text.to_owned()))
    }

    /// The filter as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

read_from_text!(
    LogFilter,
    "\"error\", \"warn\", \"info\", \"debug\", \"trace\", or such by part: \"info,sqlx=debug\"",
    Self::parse
);

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn levels_stand_alone_or_by_target() {
        for text in ["info", "WARN", "info,sqlx=debug", "info, stoa_core::webhooks=trace", "off"] {
            assert!(LogFilter::parse(text).is_ok(), "{text}");
        }
    }

    #[test]
    fn anything_else_is_no_filter() {
        for text in ["", "infos", "loud", "sqlx", "=info", "sqlx=", "a b=info", "info,", "5"] {
            assert!(LogFilter::parse(text).is_err(), "{text}");
        }
    }
}
