//! Invoices and credit notes as machines read them: the European norm EN 16931.
//!
//! `model` says in the norm's terms what a [`Document`] says, to the cent, and the norm's own rules are run over each before it is
//! written. It is written as CII, which stands in the PDF as well (Factur-X, ZUGFeRD), or as UBL in the form of XRechnung. All of
//! it is pure, as printing is: the same document gives the same bytes.

mod amounts;
mod missing;
mod model;
mod parties;
mod payment;
mod vat;

#[cfg(test)]
mod tests;

pub use missing::{NeededFor, SellerGap, seller_gaps};

use en16931::profiles::{En16931, XRechnung};
use en16931::validation::profile::ProfileMarker;
use en16931::{Invoice, Validated};

use stoa_kernel::i18n::Texts;

use crate::pdf::Document;
use crate::pdf::texts::Words;

/// What stands in place of the customer's own number of an order, by the guide of Peppol.
const NOT_KNOWN: &str = "NA";

/// How an electronic invoice is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Syntax {
    /// UN/CEFACT Cross Industry Invoice, as it stands in the PDF: Factur-X, profile EN 16931.
    Cii,
    /// OASIS UBL, as XRechnung 3.0 wants it.
    Ubl,
}

/// Why a document has no electronic form.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum ElectronicInvoiceError {
    /// Something that the norm asks for is not known.
    #[error("it does not say: {}", .0.join(", "))]
    Missing(Vec<String>),
    /// Amounts of this currency have more decimals than the norm has.
    #[error("amounts in {0} have more than the two decimals of the norm")]
    Currency(&'static str),
    /// Its amounts do not add up, or lie outside of what the norm has room for.
    #[error("its amounts do not add up by rate of tax")]
    Amounts,
    /// It breaks rules of the norm.
    #[error("it breaks rules of the norm: {0}")]
    Rules(String),
}

/// Writes a document as an electronic invoice.
///
/// Keeps a core busy for less than a millisecond.
pub fn electronic_invoice(
    document: &Document,
    texts: &Texts,
    syntax: Syntax,
) -> Result<String, ElectronicInvoiceError> {
    let words = Words::new(document, texts);
    let written = match syntax {
        Syntax::Cii => en16931_formats::write(&factur_x(document, &words)?, en16931_formats::Syntax::Cii),
        Syntax::Ubl => {
            let missing = missing::of(document, NeededFor::XRechnung);
            if !missing.is_empty() {
                return Err(ElectronicInvoiceError::Missing(missing));
            }
            let mut invoice = model::invoice(document, &words)?;
            // UBL has the shop's number of an order only beside the customer's, and XRechnung no element that is empty.
            invoice.purchase_order_reference = invoice.sales_order_reference.is_some().then(|| NOT_KNOWN.into());
            let proof = by_the_rules::<XRechnung>(invoice)?;
            en16931_formats::write(&proof, en16931_formats::Syntax::Ubl)
        }
    };
    Ok(written.xml)
}

/// The document as the file in its PDF says it.
pub(crate) fn factur_x(document: &Document, words: &Words<'_>) -> Result<Validated<En16931>, ElectronicInvoiceError> {
    by_the_rules(model::invoice(document, words)?)
}

/// The invoice, if it breaks no rule of a profile.
fn by_the_rules<P: ProfileMarker>(mut invoice: Invoice) -> Result<Validated<P>, ElectronicInvoiceError> {
    invoice.specification_id = Some(P::PROFILE.specification_id.to_owned());
    Validated::new(invoice).map_err(|rejected| {
        let broken = rejected.report().fatal().map(|finding| format!("{} at {}", finding.rule, finding.path));
        ElectronicInvoiceError::Rules(broken.collect::<Vec<_>>().join(", "))
    })
}
