//! The states of a withdrawal, and of what can be withdrawn.

use stoa_kernel::states;

states! {
    /// How far a withdrawal has come: `declared` becomes `accepted` or `refused`, and `accepted` becomes `completed`.
    WithdrawalStatus, "status of a withdrawal":
    /// The customer has declared it, and the shop has said nothing yet.
    Declared = "declared",
    /// The shop has accepted it: money and goods are on their way back.
    Accepted = "accepted",
    /// The shop has refused it, and told the customer why. What it was about may be withdrawn again.
    Refused = "refused",
    /// Nothing is left to be done.
    Completed = "completed",
}

states! {
    /// What becomes of the right to withdraw from an order line, other than the usual right; as it was when the order was placed.
    WithdrawalRule, "rule of a withdrawal":
    /// Digital goods that are delivered at once under a waiver: the right ends with the delivery.
    Waived = "waived",
    /// Digital goods without a waiver: they are held until the period is over.
    Later = "later",
    /// Digital goods without a waiver whose period is over: they are delivered.
    Due = "due",
    /// Leisure at a certain date: there is no right.
    Dated = "dated",
    /// A subscription that goes on: the right belonged to the order that it began with.
    Renewal = "renewal",
}

states! {
    /// Why units cannot be withdrawn.
    WithdrawalExclusion, "reason why units cannot be withdrawn":
    /// Digital goods were delivered at once, as the customer has asked with a waiver.
    Delivered = "delivered",
    /// Leisure at a certain date.
    Dated = "dated",
    /// A subscription that goes on.
    Renewal = "renewal",
}
