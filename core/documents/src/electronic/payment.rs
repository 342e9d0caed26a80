//! How a document is paid.

use en16931::invoice::{Code, CreditTransfer, PaymentInstructions, PaymentMeans};

use super::parties::said;
use crate::pdf::Document;

/// The gateway for transfers to the seller's account.
const MANUAL: &str = "manual";

/// Where the money goes, as codes of the list UNTDID 4461 say it: by a transfer, or online with the order.
pub(super) fn instructions(document: &Document) -> PaymentInstructions {
    let seller = &document.seller;
    let remittance_information = said(Some(&document.number));
    let iban = seller.iban.as_deref().map(|iban| iban.replace(' ', ""));
    let (code, means) = match iban {
        _ if document.payment_method != MANUAL => ("68", None),
        None => ("1", None),
        Some(iban) => {
            let transfer = CreditTransfer {
                account_identifier: Some(iban),
                account_name: said(seller.account_name.as_deref()).or_else(|| said(Some(&seller.name))),
                provider_identifier: said(seller.bic.as_deref()),
            };
            let code = if document.currency.code() == "EUR" { "58" } else { "30" };
            (code, Some(PaymentMeans::CreditTransfer(vec![transfer])))
        }
    };
    PaymentInstructions { means_code: Some(Code::new(code)), means_text: None, remittance_information, means }
}
