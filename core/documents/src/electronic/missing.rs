//! What electronic invoices need of the seller, and what a document does not say.

use stoa_kernel::config::SellerConfig;
use stoa_kernel::i18n::Language;

use super::ElectronicInvoiceError;
use crate::pdf::{Document, Seller};

/// What something is needed for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum NeededFor {
    /// Every electronic invoice: the norm itself.
    Norm,
    /// Invoices as XRechnung wants them, besides.
    XRechnung,
}

/// A setting of `[seller]` that electronic invoices need.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct SellerGap {
    /// Its name, such as `country`.
    pub key: &'static str,
    /// What it is needed for.
    pub needed_for: NeededFor,
}

/// The settings of `[seller]` that electronic invoices need and that are not set.
pub fn seller_gaps(config: &SellerConfig) -> Vec<SellerGap> {
    gaps(&Seller::new(config, "", Language::EN))
}

fn gaps(seller: &Seller) -> Vec<SellerGap> {
    use NeededFor::{Norm, XRechnung};

    let settings = [
        ("country", Norm, &seller.country),
        ("tax_id", Norm, &seller.tax_id),
        ("postal_code", XRechnung, &seller.postal_code),
        ("city", XRechnung, &seller.city),
        ("email", XRechnung, &seller.email),
        ("phone", XRechnung, &seller.phone),
    ];
    let gaps = settings.into_iter().filter(|(_, _, value)| value.is_none());
    gaps.map(|(key, needed_for, _)| SellerGap { key, needed_for }).collect()
}

/// What a document does not say, in the names of settings or in words.
pub(super) fn of(document: &Document, needed_for: NeededFor) -> Vec<String> {
    let gaps = gaps(&document.seller).into_iter().filter(|gap| gap.needed_for <= needed_for);
    let mut missing = gaps.map(|gap| format!("`seller.{}`", gap.key)).collect::<Vec<_>>();
    let address = document.buyer_address.as_ref();
    let is_blank = |part: Option<&String>| part.is_none_or(|part| part.trim().is_empty());
    if is_blank(address.map(|address| &address.country)) {
        missing.push("the buyer's address".to_owned());
    }
    if needed_for == NeededFor::XRechnung && is_blank(document.buyer_email.as_ref()) {
        missing.push("the buyer's e-mail address".to_owned());
    }
    missing
}

/// Refuses a document that does not say what the norm needs.
pub(super) fn refuse(document: &Document) -> Result<(), ElectronicInvoiceError> {
    let missing = of(document, NeededFor::Norm);
    if missing.is_empty() { Ok(()) } else { Err(ElectronicInvoiceError::Missing(missing)) }
}
