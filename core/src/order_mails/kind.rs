//! What mails there are, and what can be said in them.

use crate::i18n::Language;

/// What a mail is about.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum MailKind {
    /// An order was placed.
    Placed,
    /// An order was paid.
    Paid,
    /// Money went back.
    Refunded,
}

/// What can be said in every mail about an order.
macro_rules! placeholders {
    ($($more:literal),*) => {
        &[
            "shop_name",
            "name",
            "order_number",
            "order_date",
            "items",
            "totals",
            "total",
            "billing_address",
            "shipping_address",
            $($more),*
        ]
    };
}

impl MailKind {
    /// All of them.
    pub(super) const ALL: [Self; 3] = [Self::Placed, Self::Paid, Self::Refunded];

    /// What its templates are called, before language and ending, and what its keys begin with.
    pub(super) fn name(self) -> &'static str {
        match self {
            Self::Placed => "order_placed",
            Self::Paid => "order_paid",
            Self::Refunded => "order_refunded",
        }
    }

    /// The name of its template's file in a language.
    pub(super) fn file_name(self, language: Language) -> String {
        format!("{}.{}.txt", self.name(), language.tag())
    }

    /// What its templates may name.
    pub(super) fn placeholders(self) -> &'static [&'static str] {
        match self {
            Self::Placed => placeholders!("payment_instructions"),
            Self::Paid => placeholders!("attachment"),
            Self::Refunded => placeholders!("refund_amount", "refund_reason", "attachment"),
        }
    }

    /// The template that comes with the shop.
    pub(super) fn built_in(self, language: Language) -> &'static str {
        match (self, language) {
            (Self::Placed, Language::En) => include_str!("templates/order_placed.en.txt"),
            (Self::Placed, Language::De) => include_str!("templates/order_placed.de.txt"),
            (Self::Placed, Language::Nl) => include_str!("templates/order_placed.nl.txt"),
            (Self::Paid, Language::En) => include_str!("templates/order_paid.en.txt"),
            (Self::Paid, Language::De) => include_str!("templates/order_paid.de.txt"),
            (Self::Paid, Language::Nl) => include_str!("templates/order_paid.nl.txt"),
            (Self::Refunded, Language::En) => include_str!("templates/order_refunded.en.txt"),
            (Self::Refunded, Language::De) => include_str!("templates/order_refunded.de.txt"),
            (Self::Refunded, Language::Nl) => include_str!("templates/order_refunded.nl.txt"),
        }
    }
}
