//! The money of an order on its page: what was tried, what went back, and what a refund would come to.

use stoa_core::money::MoneyFormatter;
use stoa_core::orders::{OrderDetails, OrderRecord};

use super::one::{ShownPreview, joined};
use crate::gateway_names::GatewayNames;
use crate::show::{Badge, Time};

/// A try to pay, or a refund.
pub(super) struct Attempt {
    pub(super) at: Time,
    pub(super) gateway: String,
    pub(super) amount: String,
    pub(super) status: Badge,
    /// Why money went back.
    pub(super) reason: String,
    pub(super) error: String,
}

/// A refund that is only looked at.
pub(super) struct PreviewedRefund {
    pub(super) amount: String,
    pub(super) lines: Vec<String>,
    pub(super) fields: Vec<(String, String)>,
}

pub(super) fn attempts(details: &OrderDetails, money: &MoneyFormatter, names: &GatewayNames) -> Vec<Attempt> {
    let attempt = |attempt: &stoa_core::orders::OrderAttempt| Attempt {
        at: Time::of(attempt.created_at),
        gateway: names.of(&attempt.gateway),
        amount: money.format_in(attempt.amount, &attempt.currency),
        status: Badge::of(&attempt.status),
        reason: String::new(),
        error: attempt.last_error.clone().unwrap_or_default(),
    };
    details.attempts.iter().map(attempt).collect()
}

pub(super) fn refunds(details: &OrderDetails, money: &MoneyFormatter, names: &GatewayNames) -> Vec<Attempt> {
    let refund = |refund: &stoa_core::orders::OrderRefund| Attempt {
        at: Time::of(refund.created_at),
        gateway: names.of(&refund.gateway),
        amount: money.format_in(refund.amount, &refund.currency),
        status: Badge::of(&refund.status),
        reason: refund.reason.clone(),
        error: refund.last_error.clone().unwrap_or_default(),
    };
    details.refunds.iter().map(refund).collect()
}

pub(super) fn previewed(shown: ShownPreview, record: &OrderRecord, money: &MoneyFormatter) -> PreviewedRefund {
    let order = &record.order;
    let amount = |amount: i64| money.format_in(amount, &order.currency);
    let label = |id: i64| order.items.iter().find(|item| item.id == id).map_or("?", |item| item.label.as_str());
    let mut lines = Vec::new();
    for line in &shown.preview.lines {
        let units = joined(line.units.iter().map(i64::to_string));
        let which = match line.units.len() {
            0 => String::new(),
            1 => format!(" (unit {units})"),
            _ => format!(" (units {units})"),
        };
        let used = joined(line.used_units.iter().map(i64::to_string));
        let used = if used.is_empty() { String::new() } else { format!("; already used: {used}") };
        lines.push(format!(
            "{} × {}{which}: {}{used}",
            line.units.len(),
            label(line.order_line_id),
            amount(line.amount)
        ));
    }
    if shown.preview.shipping_amount > 0 {
        lines.push(format!("Shipping: {}", amount(shown.preview.shipping_amount)));
    }
    PreviewedRefund { amount: amount(shown.preview.amount), lines, fields: shown.fields }
}
