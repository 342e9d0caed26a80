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
pub(super) const PLACED: MailTemplate = order_mail!("order_placed", "templates/order_placed", []);

/// An order was paid.
pub(super) const PAID: MailTemplate = order_mail!("order_paid", "templates/order_paid", ["attachment"]);

/// Money went back.
pub(super) const REFUNDED: MailTemplate =
    order_mail!("order_refunded", "templates/order_refunded", ["refund_amount", "refund_reason", "attachment"]);

/// All of them.
pub(super) const ALL: [MailTemplate; 3] = [PLACED, PAID, REFUNDED];
