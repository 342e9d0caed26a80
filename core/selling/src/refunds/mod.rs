//! Refunds: money that goes back, through the gateway that it came through (contract 2.3).

mod events;
mod model;
mod notes;
mod oversight;
mod preview;
mod queries;
mod read;
mod reserve;
mod scope;
mod send;
mod settle;
mod task;
mod units;
mod uses;

pub use events::{RefundRecorded, RefundedUnits};
pub use model::{Refund, RefundLineResource, RefundRecord};
pub(crate) use preview::begun;
pub use preview::{RefundPreview, preview_refund};
pub use read::{find_refund, find_refund_by_gateway_refund_id, find_refund_by_reference};
pub use reserve::ReserveRefundError;
pub use scope::{MAX_REASON, NewRefund, RefundLine, RefundScope};
pub use send::{RefundOrderError, SendRefundError, refund_order, reserve_refund, resume_refund};
pub use settle::{RefundSettled, SettleRefundError, apply_refund_report, review};
pub use units::UnitError;
pub use uses::Refunds;

pub(crate) use reserve::reserve as reserve_in;
pub(crate) use task::REFUNDS;

use stoa_kernel::module::ModuleContext;

use task::{Resume, ResumeRefund};

/// What asks for refunds again whose end nobody knows, and what must hold of this feature.
pub(crate) fn register(cx: &mut ModuleContext<'_>) {
    cx.task::<ResumeRefund>(Resume);
    for invariant in oversight::INVARIANTS {
        cx.invariant(invariant);
    }
}
