//! Payments: what is owed for an order, attempts to pay it, and what came of them (contract 2.3).

mod adapters;
mod by_hand;
mod callbacks;
mod events;
mod listing;
mod pay;
mod provider;
mod queries;
mod reconcile;
mod records;
mod routes;
mod rules;
mod saved;
mod settle;
mod status;

pub use by_hand::{RecordPaymentError, Recorded, record_payment};
pub use callbacks::{
    CallbackRecord, CallbackState, RetryCallbackError, callbacks_of, find_callback, list_callbacks, notification_of,
    retry_callback,
};
pub use events::PaymentRecorded;
pub use listing::{PaymentFilter, PaymentRecord, find_payment_record, list_payments};
pub use reconcile::{Reconciled, reconcile_due, reconcile_order};
pub use records::{Attempt, Payment, find_attempt, find_payment};
pub use saved::{Charged, KeepMethodError, can_charge_saved, charge_saved, keep_method, save_method_of};
pub use status::PaymentStatus;

pub(crate) use adapters::register_gateways;
pub(crate) use callbacks::{EXPIRED, callback_routes};
pub(crate) use pay::pay_at_once;
pub(crate) use provider::{Closed, ProviderError, close_open_attempt, last_check, next_check};
pub(crate) use reconcile::ReconcilePayments;
pub(crate) use records::{has_open_attempt, insert_payment};
pub(crate) use routes::payment_routes;
pub(crate) use settle::end_payment;

use crate::customers::CustomerAnonymizing;
use crate::module::ModuleContext;

/// The listeners of this feature.
pub(crate) fn register(cx: &mut ModuleContext<'_>) {
    cx.on_transaction::<CustomerAnonymizing>("payments.forget_methods", saved::ForgetMethods);
}
