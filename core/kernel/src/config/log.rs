//! `[log]`: what the program says about itself.

use std::time::Duration;

use serde::{Deserialize, Deserializer};

use super::check::Section;
use super::tree::closest;
use super::value::{self, Malformed};

/// Settings of the log.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(default, deny_unknown_fields)]
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

impl Default for LogConfig {
    fn default() -> Self {
        Self { format: LogFormat::default(), level: LogFilter::default(), access: false, slow_ms: 1000 }
    }
}

impl LogConfig {
    /// How long a request or statement may take without being told.
    pub fn slow(&self) -> Option<Duration> {
        (self.slow_ms > 0).then(|| Duration::from_millis(self.slow_ms))
    }
}

impl Section for LogConfig {
    const KEY: &'static str = "log";
}

/// How the lines of the log are written.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum LogFormat {
    /// For people.
    #[default]
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
                return Err(Malformed::Because(format!("{level:?} is no level; did you mean \"{meant}\"?")));
            }
        }
        Ok(Self(text.to_owned()))
    }

    /// The filter as text.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

impl Default for LogFilter {
    fn default() -> Self {
        Self("info".to_owned())
    }
}

impl<'de> Deserialize<'de> for LogFilter {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let expected = "\"error\", \"warn\", \"info\", \"debug\", \"trace\", or such by part: \"info,sqlx=debug\"";
        value::text(deserializer, expected, Self::parse)
    }
}

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
