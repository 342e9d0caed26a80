//! Checking a customer's number: its form, and what VIES says of it.

use std::net::IpAddr;
use std::sync::Arc;

use chrono::{DateTime, Utc};

use stoa_kernel::auth::{LimitClass, Limiter};
use stoa_kernel::clock::Clock;
use stoa_kernel::config::Config;
use stoa_kernel::outbound::HttpClient;
use stoa_kernel::vat_id::VatId;

use super::answers::KnownVerdicts;
use super::ask::{NoVerdict, Vies};
use super::error::VatIdError;
use super::vies::Verdict;
use crate::orders::{CheckedVatId, VatIdCheck, VatIdStatus};

/// The field and the parameter.
pub(crate) const VAT_ID: &str = "vat_id";

/// Checks the numbers of customers. Cloning gives the same.
#[derive(Clone)]
pub(crate) struct VatIds(Arc<Inner>);

struct Inner {
    clock: Clock,
    limiter: Arc<Limiter>,
    /// Whom to ask, if anybody is asked.
    vies: Option<Vies>,
    answers: KnownVerdicts,
}

impl VatIds {
    /// As the configuration says.
    pub(crate) fn new(config: &Config, http: &HttpClient, clock: &Clock, limiter: &Arc<Limiter>) -> Self {
        let vies = config.tax.vies.then(|| Vies::new(config, http.clone(), clock.clone()));
        let (clock, limiter) = (clock.clone(), Arc::clone(limiter));
        Self(Arc::new(Inner { clock, limiter, vies, answers: KnownVerdicts::default() }))
    }

    /// VIES, if it is asked.
    pub(super) fn vies(&self) -> Option<&Vies> {
        self.0.vies.as_ref()
    }

    /// Checks a number. One that is malformed or that VIES does not know is refused; when VIES does not answer, that is said. Call
    /// it outside of transactions: it may take a few seconds.
    ///
    /// Questions to VIES are counted by the address of who asks, so that nobody has the shop ask for them.
    pub(crate) async fn check(&self, given: &str, client: IpAddr) -> Result<CheckedVatId, VatIdError> {
        let Inner { clock, limiter, vies, answers } = &*self.0;
        let id = VatId::parse(given).ok_or(VatIdError::Malformed)?;
        let Some(vies) = vies.as_ref().filter(|_| id.is_of_union()) else {
            if !id.has_right_check_digits() {
                return Err(VatIdError::Malformed);
            }
            return Ok(found(id, VatIdStatus::Unchecked, clock.now()));
        };
        let (asked_at, verdict) = if let Some(known) = answers.find(&id, clock.now()) {
            known
        } else {
            limiter.count_address(LimitClass::VatIds, client).await?;
            let asked = Box::pin(vies.ask(&id)).await;
            let now = clock.now();
            match asked {
                Ok(verdict) => {
                    answers.keep(id.clone(), now, verdict.clone());
                    (now, verdict)
                }
                Err(reason) => {
                    unanswered(vies.base(), &reason);
                    return Ok(found(id, VatIdStatus::Unavailable, now));
                }
            }
        };
        match verdict {
            Verdict::Invalid => Err(VatIdError::Unknown),
            Verdict::Valid { name, consultation_number } => {
                let check = VatIdCheck { status: VatIdStatus::Valid, name, checked_at: asked_at, consultation_number };
                Ok(CheckedVatId { id, check })
            }
        }
    }
}

fn found(id: VatId, status: VatIdStatus, checked_at: DateTime<Utc>) -> CheckedVatId {
    CheckedVatId { id, check: VatIdCheck { status, name: None, checked_at, consultation_number: None } }
}

fn unanswered(base: &str, reason: &NoVerdict) {
    tracing::warn!(
        vies = base,
        %reason,
        "VIES cannot be asked about a VAT identification number: whoever orders with it pays tax"
    );
}
