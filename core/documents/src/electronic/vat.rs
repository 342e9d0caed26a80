//! How the parts of a document are taxed, in the norm's categories.

use en16931::Percentage;
use en16931::invoice::LineVat;
use rust_decimal::Decimal;

use stoa_kernel::config::CountryCode;
use stoa_kernel::text;
use stoa_kernel::vat_id::is_member_state;

use super::parties::vat_id;
use crate::pdf::texts::Words;
use crate::pdf::{Document, Seller};

/// The categories of tax that a shop meets (UNCL 5305).
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Category {
    Standard,
    ZeroRated,
    Exempt,
    ReverseCharge,
    IntraCommunity,
    Export,
}

impl Category {
    pub(super) fn code(self) -> &'static str {
        match self {
            Self::Standard => "S",
            Self::ZeroRated => "Z",
            Self::Exempt => "E",
            Self::ReverseCharge => "AE",
            Self::IntraCommunity => "K",
            Self::Export => "G",
        }
    }
}

/// Category and rate, which the norm sums up by.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Vat {
    pub(super) category: Category,
    /// In basis points.
    pub(super) rate: i64,
}

impl Vat {
    pub(super) fn of_line(self) -> LineVat {
        LineVat { category: self.category.code().into(), rate: Some(self.percent()) }
    }

    pub(super) fn percent(self) -> Percentage {
        Percentage::new(Decimal::new(self.rate, 2).normalize())
    }
}

/// What kind of thing is sold.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Supply {
    /// Goods that are sent, and their carriage.
    Goods,
    /// All else.
    Service,
}

/// Why parts without tax have none.
#[derive(Debug, Clone, Copy)]
pub(super) struct Untaxed<'a> {
    reverse_charge: bool,
    is_export: bool,
    exemption: Option<&'a str>,
}

impl<'a> Untaxed<'a> {
    pub(super) fn of(document: &'a Document) -> Self {
        let Seller { country, tax_exemption, .. } = &document.seller;
        let is_member = |country: &str| CountryCode::parse(country).is_some_and(is_member_state);
        let delivery = document.delivery_address.as_ref().map(|address| address.country.as_str());
        // The norm has exports of sellers with a VAT ID alone (BR-G-02); others name a reason of their own, or none.
        let is_export = vat_id(&document.seller).is_some()
            && country.as_deref().is_some_and(is_member)
            && delivery.is_some_and(|country| !country.is_empty() && !is_member(country));
        Self { reverse_charge: document.reverse_charge, is_export, exemption: tax_exemption.as_deref() }
    }

    /// How something of this rate is taxed.
    pub(super) fn vat(self, rate: i64, supply: Supply) -> Vat {
        let category = match (rate, supply) {
            (1.., _) => Category::Standard,
            (_, Supply::Goods) if self.reverse_charge => Category::IntraCommunity,
            (_, Supply::Service) if self.reverse_charge => Category::ReverseCharge,
            (_, Supply::Goods) if self.is_export => Category::Export,
            _ if self.exemption.is_some() => Category::Exempt,
            _ => Category::ZeroRated,
        };
        Vat { category, rate }
    }

    /// The reason that the norm wants for what is not taxed, and its code in the list VATEX, where it has one.
    pub(super) fn reason(self, category: Category, words: &Words<'_>) -> Option<(String, Option<&'static str>)> {
        let (reason, code) = match category {
            Category::Standard | Category::ZeroRated => return None,
            Category::Exempt => return self.exemption.map(|reason| (reason.to_owned(), None)),
            Category::ReverseCharge => (text!("document-exempt-reverse-charge"), "VATEX-EU-AE"),
            Category::IntraCommunity => (text!("document-exempt-intra-community"), "VATEX-EU-IC"),
            Category::Export => (text!("document-exempt-export"), "VATEX-EU-G"),
        };
        Some((words.say(&reason), Some(code)))
    }
}
