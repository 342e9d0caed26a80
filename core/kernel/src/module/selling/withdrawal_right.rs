//! What becomes of the right to withdraw from a purchase (C10.1).

/// What a module says about the right to withdraw from the purchase of its products, where the law gives one. Without a word of it,
/// buyers may withdraw within 14 days. Register it with
/// [`ModuleContext::withdrawal_right`](crate::module::ModuleContext::withdrawal_right).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum WithdrawalRight {
    /// Digital content that buyers have as soon as they have paid: the right ends with the delivery, for whoever has asked for
    /// that and knows what it costs (directive 2011/83/EU, article 16 (m)). Whoever delivers asks `entitlements::held_units`
    /// first, tells `entitlements::note_delivered` then, and looks again after each `entitlements::DeliveryDue`.
    EndsWithDelivery,
    /// Leisure at a certain date: there is none (article 16 (l)).
    NoneForADate,
}
