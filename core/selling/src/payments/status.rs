//! The states of a payment (contract 2.3).

use stoa_kernel::states;

states! {
    /// What has become of the money for an order.
    PaymentStatus, "status of a payment":
    /// Nothing has come yet.
    Pending = "pending",
    /// All of it is there.
    Paid = "paid",
    /// The last attempt failed; another one may succeed.
    Failed = "failed",
    /// The order was cancelled before anything came.
    Cancelled = "cancelled",
    /// The order was not paid in time.
    Expired = "expired",
    /// Some of it went back.
    PartiallyRefunded = "partially_refunded",
    /// All of it went back.
    Refunded = "refunded",
}
