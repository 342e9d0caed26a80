//! What mails there are, and what can be said in them.

use stoa_kernel::mail::{MailAbout, MailTemplate};
use stoa_kernel::mail_texts;

/// A mail about an order, whose texts may name these besides what every mail about an order says.
macro_rules! order_mail {
    ($name:literal, $path:literal, [$($more:literal),*]) => {
        MailTemplate {
            name: $name,
            about: MailAbout::Order,
            placeholders: &["items", "totals", "billing_address", "shipping_address", $($more),*],
            texts: mail_texts!($path),
        }
    };
}

/// An order was placed.
pub(super) const PLACED: MailTemplate = order_mail!("order_placed", "templates/order_placed", ["consents"]);

/// An order was paid.
pub(super) const PAID: MailTemplate = order_mail!("order_paid", "templates/order_paid", ["attachment", "next_steps"]);

/// An order costs nothing, and there is something to be done with what was ordered.
pub(super) const READY: MailTemplate = order_mail!("order_ready", "templates/order_ready", ["next_steps"]);

/// Goods were sent.
pub(super) const SHIPPED: MailTemplate = order_mail!(
    "order_shipped",
    "templates/order_shipped",
    ["shipped_items", "open_items", "carrier", "tracking", "tracking_url"]
);

/// An order was cancelled.
pub(super) const CANCELLED: MailTemplate =
    order_mail!("order_cancelled", "templates/order_cancelled", ["cancel_reason"]);

/// Money went back.
pub(super) const REFUNDED: MailTemplate =
    order_mail!("order_refunded", "templates/order_refunded", ["refund_amount", "refund_reason", "attachment"]);

/// The owner is told of an order.
pub(super) const OWNER_ORDER: MailTemplate = order_mail!(
    "owner_order",
    "templates/owner_order",
    ["customer_name", "customer_email", "payment", "shipping_method", "note"]
);

/// The owner is told of a withdrawal.
pub(super) const OWNER_WITHDRAWAL: MailTemplate = MailTemplate {
    name: "owner_withdrawal",
    about: MailAbout::Order,
    placeholders: &[
        "customer_name",
        "customer_email",
        "withdrawal_number",
        "withdrawal_lines",
        "declared_at",
        "statement",
        "deadline",
    ],
    texts: mail_texts!("templates/owner_withdrawal"),
};

/// All of them.
pub(super) const ALL: [MailTemplate; 8] =
    [PLACED, PAID, READY, SHIPPED, CANCELLED, REFUNDED, OWNER_ORDER, OWNER_WITHDRAWAL];
