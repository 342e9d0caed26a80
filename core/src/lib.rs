#![doc = include_str!("../README.md")]

pub use stoa_catalog as catalog;
pub use stoa_customers::{addresses, customers, support_tickets, tokens};
pub use stoa_documents::pdf;
pub use stoa_kernel::{
    __private, auth, clock, commands, config, db, doctor, encryption, error_chain, events, from_shop, gateways, http,
    i18n, invariant, jobs, mail_texts, metrics, migrations, module, money, outbound, prelude, queue, random,
    record_number, secret, shop_currency, sql, text, texts,
};
pub use stoa_notices::webhooks;
pub use stoa_selling::{
    cart, checkout, credit_notes, discounts, entitlements, invoices, orders, payments, pricing, refunds,
};
#[cfg(feature = "testing")]
pub use stoa_shop::testing;
pub use stoa_shop::{conformance, program, verification};

pub mod mail {
    //! Outgoing mail: written down by features and modules, sent by the operator's mail server.

    pub use stoa_kernel::mail::*;
    pub use stoa_notices::mail::*;
}
