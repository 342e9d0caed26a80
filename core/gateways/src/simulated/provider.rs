//! What the provider that is played knows: the last payments, in memory.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use uuid::Uuid;

use stoa_kernel::gateways::{AttemptReport, AttemptRequest, AttemptStatus};
use stoa_kernel::money::Money;

/// Most payments that are remembered; the oldest are forgotten first.
const MOST: usize = 1000;

/// The provider. Cloning gives the same.
#[derive(Debug, Clone, Default)]
pub(super) struct Provider(Arc<Mutex<VecDeque<Payment>>>);

/// A payment at the provider.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Payment {
    pub(super) reference: Uuid,
    pub(super) order_number: String,
    pub(super) amount: Money,
    pub(super) return_url: String,
    pub(super) cancel_url: String,
    pub(super) status: AttemptStatus,
}

impl Payment {
    /// What the shop is told of it.
    pub(super) fn report(&self) -> AttemptReport {
        let failed = self.status == AttemptStatus::Failed;
        AttemptReport {
            status: self.status,
            amount: Some(self.amount),
            payment_id: Some(self.reference.to_string()),
            detail: failed.then(|| String::from("it was chosen on the page of the simulated payment")),
        }
    }

    /// Where the customer goes on to.
    pub(super) fn way_back(&self) -> &str {
        if self.status == AttemptStatus::Cancelled { &self.cancel_url } else { &self.return_url }
    }
}

impl Provider {
    /// Begins a payment, or gives the one that this reference has begun.
    pub(super) fn begin(&self, request: &AttemptRequest) -> Payment {
        let mut payments = self.payments();
        if let Some(begun) = payments.iter().find(|payment| payment.reference == request.reference) {
            return begun.clone();
        }
        let payment = Payment {
            reference: request.reference,
            order_number: request.order_number.clone(),
            amount: request.amount,
            return_url: request.return_url.clone(),
            cancel_url: request.cancel_url.clone(),
            status: AttemptStatus::Pending,
        };
        if payments.len() >= MOST {
            payments.pop_front();
        }
        payments.push_back(payment.clone());
        payment
    }

    /// The payment of this reference, if it was not forgotten.
    pub(super) fn find(&self, reference: Uuid) -> Option<Payment> {
        self.payments().iter().find(|payment| payment.reference == reference).cloned()
    }

    /// Has a payment end like this, or its money be on its way, where it still can. Gives it if that was so.
    pub(super) fn choose(&self, reference: Uuid, status: AttemptStatus) -> Option<Payment> {
        let mut payments = self.payments();
        let payment = payments.iter_mut().find(|payment| payment.reference == reference)?;
        if !can_become(payment.status, status) {
            return None;
        }
        payment.status = status;
        Some(payment.clone())
    }

    fn payments(&self) -> MutexGuard<'_, VecDeque<Payment>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Whether a payment may go on like this: whoever has agreed to pay cannot give up any more.
fn can_become(now: AttemptStatus, next: AttemptStatus) -> bool {
    match now {
        AttemptStatus::Pending => next != AttemptStatus::Pending,
        AttemptStatus::Processing => matches!(next, AttemptStatus::Succeeded | AttemptStatus::Failed),
        AttemptStatus::Succeeded | AttemptStatus::Failed | AttemptStatus::Cancelled | AttemptStatus::Expired => false,
    }
}
