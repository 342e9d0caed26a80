//! `[modules.services]`: the operator's settings.

use std::collections::BTreeMap;
use std::time::Duration;

use chrono::TimeDelta;
use serde_json::Value;
use stoa_core::prelude::*;
use stoa_core::secret::Secret;
use stoa_core::webhooks::{Destination, Reach, is_usable_secret};

/// Longest grace time, in days.
const LONGEST_GRACE: u32 = 3650;

/// Most waits between attempts.
const MOST_RETRIES: usize = 50;

/// Longest wait between two attempts, in seconds.
const LONGEST_WAIT: u32 = 30 * 86_400;

/// Longest that a call to a provider may take, in seconds: shorter than a lease.
const LONGEST_CALL: u64 = 60;

/// The settings besides `enabled`, which every module has.
#[derive(Debug, Clone, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Config {
    /// Days from the end of a service, such as its refund, to its termination.
    pub grace_days: u32,
    /// Days before its termination at which the customer of a service that is over is told; 0 is never.
    pub terminate_notice_days: u32,
    /// Seconds from each failed attempt to the next; after the last, the operator has to look.
    pub retry_seconds: Vec<u32>,
    /// Seconds that a call to a provider may take.
    pub call_seconds: u64,
    /// Hours between two comparisons of a service with what its provider says.
    pub drift_hours: u32,
    /// The provider `http`.
    pub http: HttpConfig,
    /// What is known about plans, by their names.
    pub plans: BTreeMap<String, PlanConfig>,
    /// Settings of providers that other crates bring, by their names.
    pub providers: BTreeMap<String, Value>,
}

/// `[modules.services.http]`: the endpoint of the provider `http`.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct HttpConfig {
    /// Where calls are sent to.
    pub url: Option<String>,
    /// What signs them.
    pub secret: Option<Secret>,
    /// Whether `http://` and addresses that are not public are permitted.
    pub allow_private_destinations: bool,
}

/// `[modules.services.plans.<name>]`: what is known about a plan, at whatever provider.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PlanConfig {
    /// Services of this plan that can be there at once; none without a limit.
    pub capacity: Option<u32>,
}

impl Default for Config {
    fn default() -> Self {
        Self {
            grace_days: 14,
            terminate_notice_days: 3,
            retry_seconds: vec![60, 300, 1800, 7200, 43_200],
            call_seconds: 10,
            drift_hours: 6,
            http: HttpConfig::default(),
            plans: BTreeMap::new(),
            providers: BTreeMap::new(),
        }
    }
}

impl HttpConfig {
    /// Which destinations are allowed.
    pub(crate) fn reach(&self) -> Reach {
        if self.allow_private_destinations { Reach::Anywhere } else { Reach::Public }
    }

    fn validate(&self) -> Result<(), (&'static str, String)> {
        if let Some(url) = &self.url
            && let Err(refusal) = Destination::parse(url, self.reach())
        {
            return Err(("http.url", format!("nothing is sent there: {refusal}")));
        }
        if self.secret.as_ref().is_some_and(|secret| !is_usable_secret(secret.expose())) {
            let expected = "must be a line of 1 to 255 characters without blanks at its ends";
            return Err(("http.secret", String::from(expected)));
        }
        match (&self.url, &self.secret) {
            (Some(_), None) => {
                Err(("http.secret", String::from("is needed with `http.url`: calls are signed with it")))
            }
            (None, Some(_)) => Err(("http.url", String::from("is needed with `http.secret`"))),
            (Some(_), Some(_)) | (None, None) => Ok(()),
        }
    }
}

impl ModuleConfig for Config {
    fn validate(&self) -> Result<(), (&'static str, String)> {
        for (key, days) in [("grace_days", self.grace_days), ("terminate_notice_days", self.terminate_notice_days)] {
            if days > LONGEST_GRACE {
                return Err((key, format!("must be a number from 0 to {LONGEST_GRACE}")));
            }
        }
        let is_wait = |seconds: &u32| (1..=LONGEST_WAIT).contains(seconds);
        if self.retry_seconds.len() > MOST_RETRIES || !self.retry_seconds.iter().all(is_wait) {
            let expected = format!("must be at most {MOST_RETRIES} numbers of seconds, each from 1 to {LONGEST_WAIT}");
            return Err(("retry_seconds", expected));
        }
        if !(1..=LONGEST_CALL).contains(&self.call_seconds) {
            return Err(("call_seconds", format!("must be a number from 1 to {LONGEST_CALL}")));
        }
        if !(1..=24 * 365).contains(&self.drift_hours) {
            return Err(("drift_hours", String::from("must be a number from 1 to 8760")));
        }
        self.http.validate()
    }
}

impl Config {
    /// From the end of a service to its termination.
    pub(crate) fn grace(&self) -> TimeDelta {
        TimeDelta::days(i64::from(self.grace_days))
    }

    /// From the notice to the termination.
    pub(crate) fn terminate_notice(&self) -> TimeDelta {
        TimeDelta::days(i64::from(self.terminate_notice_days))
    }

    /// From each failed attempt to the next.
    pub(crate) fn ladder(&self) -> Vec<TimeDelta> {
        self.retry_seconds.iter().map(|seconds| TimeDelta::seconds(i64::from(*seconds))).collect()
    }

    /// How long a call may take.
    pub(crate) fn call_limit(&self) -> Duration {
        Duration::from_secs(self.call_seconds)
    }

    /// The limit that the operator sets for a plan.
    pub(crate) fn capacity(&self, plan: &str) -> Option<i64> {
        self.plans.get(plan).and_then(|plan| plan.capacity).map(i64::from)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_example_says_the_defaults() {
        let line = format!("#terminate_notice_days = {}", Config::default().terminate_notice_days);
        assert!(include_str!("../../../config.toml").lines().any(|known| known == line), "{line}");
    }
}
