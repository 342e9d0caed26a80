//! Verdicts of VIES, kept for a short time: who looks at a price three times asks once.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use chrono::{DateTime, TimeDelta, Utc};

use stoa_kernel::vat_id::VatId;

use super::vies::Verdict;

/// How long a verdict holds.
const LIFETIME: TimeDelta = TimeDelta::minutes(10);

/// Most verdicts that are kept.
const MOST: usize = 1000;

/// The verdicts of the last minutes.
#[derive(Default)]
pub(super) struct KnownVerdicts(Mutex<HashMap<VatId, (DateTime<Utc>, Verdict)>>);

impl KnownVerdicts {
    /// What VIES has said of a number a short time before, and when.
    pub(super) fn find(&self, id: &VatId, now: DateTime<Utc>) -> Option<(DateTime<Utc>, Verdict)> {
        let answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        answers.get(id).filter(|(asked_at, _)| now - *asked_at < LIFETIME).cloned()
    }

    /// Keeps a verdict.
    pub(super) fn keep(&self, id: VatId, now: DateTime<Utc>, verdict: Verdict) {
        let mut answers = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if answers.len() >= MOST {
            answers.retain(|_, (asked_at, _)| now - *asked_at < LIFETIME);
        }
        if answers.len() < MOST {
            answers.insert(id, (now, verdict));
        }
    }
}
