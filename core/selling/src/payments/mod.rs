//! Payments: what is owed for an order, attempts to pay it, and what came of them (contract 2.3).

mod callbacks;
mod error;
mod events;
mod gateway_calls;
mod listing;
mod manual;
mod oversight;
mod pay;
mod queries;
mod reconcile;
mod record;
mod records;
mod routes;
mod rules;
mod saved;
mod search;
mod status;
mod uses;

pub use callbacks::{
    CallbackRecord, CallbackSearch, CallbackState, RetryCallbackError, callbacks_of, count_callbacks, find_callback,
    list_callbacks, notification_of, retry_callback, search_callbacks,
};
pub use events::PaymentRecorded;
pub use listing::{PaymentFilter, PaymentRecord, find_payment_record, list_payments};
pub use manual::{RecordPaymentError, Recorded, record_payment};
pub use reconcile::{Reconciled, reconcile_due, reconcile_order};
pub use records::{Attempt, Payment, find_attempt, find_payment};
pub use saved::{Charged, KeepMethodError, can_charge_saved, charge_saved, keep_method, save_method_of};
pub use search::{PaymentSearch, count_payments, search_payments};
pub use status::PaymentStatus;
pub use uses::Payments;

pub(crate) use gateway_calls::{GatewayCallError, OpenAttempt, close_open_attempt, next_check};
pub(crate) use pay::{insert_at_once, pay_at_once};
pub(crate) use record::end_payment;
pub(crate) use records::{has_open_attempt, insert_payment};

use stoa_customers::customers::CustomerAnonymizing;
use stoa_kernel::metrics::Metrics;
use stoa_kernel::module::{ModuleContext, RegisterError};

use crate::refunds::REFUNDS;
use callbacks::{CALLBACKS, CallbackRoute, LookAgain, LookAgainAtCallbacks, callback_routes};
use reconcile::{ATTEMPTS, AskAboutAttempt, AskAboutAttempts};

/// The routes, listeners and the job of this feature, and what it need not keep for ever.
pub(crate) fn register(cx: &mut ModuleContext<'_>, metrics: Option<Metrics>) -> Result<(), RegisterError> {
    cx.task::<AskAboutAttempt>(AskAboutAttempts::default());
    cx.task::<LookAgain>(LookAgainAtCallbacks);
    let does = "asks payment providers what became of payments and refunds";
    cx.works_off("payments.reconcile", does, &[CALLBACKS, ATTEMPTS, REFUNDS]);
    for invariant in oversight::INVARIANTS {
        cx.invariant(invariant);
    }
    cx.examine_database("payments.callbacks", oversight::ExamineCallbacks);
    cx.examine_database("payments.attempts", oversight::ExamineAttempts);
    cx.on_transaction::<CustomerAnonymizing>("payments.forget_methods", saved::ForgetMethods);
    cx.claims_from_guests("payments.claim", &[queries::CLAIM_METHODS]);
    cx.expires(callbacks::EXPIRED);
    cx.routes(CallbackRoute::new(metrics), callback_routes())?;
    cx.routes((), routes::payment_routes())
}
