//! Asking VIES, within a few seconds.

use std::sync::atomic::{AtomicI64, Ordering};
use std::time::Duration;

use http::StatusCode;

use stoa_kernel::clock::Clock;
use stoa_kernel::config::Config;
use stoa_kernel::error_chain;
use stoa_kernel::outbound::HttpClient;
use stoa_kernel::telemetry::Traced;
use stoa_kernel::vat_id::VatId;

use super::vies::{self, Question, Verdict};

/// How long a customer waits for VIES.
const PATIENCE: Duration = Duration::from_secs(4);

/// How long VIES is left alone after it was waited for in vain, in milliseconds.
const LEFT_ALONE: i64 = 15_000;

/// Longest answer that is read, in bytes.
const MAX_ANSWER: usize = 64 * 1024;

/// VIES as the configuration names it.
pub(super) struct Vies {
    http: HttpClient,
    clock: Clock,
    base: String,
    own: Option<VatId>,
    /// Until when it is left alone, in milliseconds since 1970.
    left_alone_until: AtomicI64,
}

/// Why there is no verdict.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(super) enum NoVerdict {
    /// It did not answer in time.
    #[error("it has not answered within {} seconds", PATIENCE.as_secs())]
    Slow,
    /// It did not answer in time a moment ago.
    #[error("it has not answered in time a moment ago")]
    LeftAlone,
    /// It cannot be reached, or answers nothing that could be read.
    #[error("{0}")]
    Unusable(String),
}

impl Vies {
    pub(super) fn new(config: &Config, http: HttpClient, clock: Clock) -> Self {
        let base = config.tax.vies_base.as_str().to_owned();
        Self { http, clock, base, own: config.seller.vat_id(), left_alone_until: AtomicI64::new(0) }
    }

    /// Where it is asked.
    pub(super) fn base(&self) -> &str {
        &self.base
    }

    /// Asks about a number.
    pub(super) async fn ask(&self, id: &VatId) -> Result<Verdict, NoVerdict> {
        let now = self.clock.now().timestamp_millis();
        if now < self.left_alone_until.load(Ordering::Relaxed) {
            return Err(NoVerdict::LeftAlone);
        }
        let asked = tokio::time::timeout(PATIENCE, self.exchange(id)).await.unwrap_or(Err(NoVerdict::Slow));
        if asked == Err(NoVerdict::Slow) {
            self.left_alone_until.store(now.saturating_add(LEFT_ALONE), Ordering::Relaxed);
        }
        asked
    }

    async fn exchange(&self, id: &VatId) -> Result<Verdict, NoVerdict> {
        let question = Question::new(id, self.own.as_ref());
        let request = self.http.client().post(format!("{}/check-vat-number", self.base)).json(&question);
        let mut response = request.timeout(PATIENCE).traced().send().await.map_err(|error| failed(&error))?;
        let status = response.status();
        let mut body = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|error| failed(&error))? {
            if body.len() + chunk.len() > MAX_ANSWER {
                return Err(NoVerdict::Unusable(format!("its answer is longer than {MAX_ANSWER} bytes")));
            }
            body.extend_from_slice(&chunk);
        }
        let verdict = vies::read(&body);
        match (status, verdict) {
            (StatusCode::OK, Ok(verdict)) | (StatusCode::BAD_REQUEST, Ok(verdict @ Verdict::Invalid)) => Ok(verdict),
            (StatusCode::OK, Err(reason)) => Err(NoVerdict::Unusable(format!("its answer cannot be used: {reason}"))),
            (status, _) => Err(NoVerdict::Unusable(format!("it answers with status {}", status.as_u16()))),
        }
    }
}

/// Without the address, which has nothing of the customer, and is known.
fn failed(error: &reqwest::Error) -> NoVerdict {
    if error.is_timeout() { NoVerdict::Slow } else { NoVerdict::Unusable(error_chain(error)) }
}
