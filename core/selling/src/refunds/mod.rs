//! Refunds: money that goes back, through the gateway that it came through (contract 2.3).

mod events;
mod model;
mod notes;
mod oversight;
mod queries;
mod read;
mod reserve;
mod scope;
mod send;
mod settle;
mod units;
mod uses;

pub use events::{RefundRecorded, RefundedUnits};
pub use model::{Refund, RefundItem, RefundRecord};
pub use read::{due_refunds, find_refund, find_refund_by_provider_id, find_refund_by_reference};
pub use reserve::ReserveRefundError;
pub use scope::{MAX_REASON, NewRefund, RefundLine, RefundScope};
pub use send::{RefundOrderError, SendRefundError, refund_order, reserve_refund, resume_refund};
pub use settle::{RefundSettled, SettleRefundError, apply_refund_report, review};
pub use units::UnitError;
pub use uses::Refunds;

use stoa_kernel::module::ModuleContext;

/// What must hold of this feature.
pub(crate) fn register(cx: &mut ModuleContext<'_>) {
    for invariant in oversight::INVARIANTS {
        cx.invariant(invariant);
    }
}
