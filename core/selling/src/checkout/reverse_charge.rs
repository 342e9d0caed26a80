//! Whether the customer of an order owes its tax (C10.4).

use stoa_kernel::config::{Config, CountryCode};
use stoa_kernel::vat_id::VatId;

use super::quote::TaxDebtor;
use crate::orders::{VatIdCheck, VatIdStatus};

/// Who owes the tax of an order to this country: the customer, if their number is valid, of another member state than that of
/// the shop, and of the country that the goods or the bill go to. Where VIES is not asked, the form of a number has to do; where
/// it does not answer, the shop owes the tax. So it does while the shop has no VAT identification number itself.
pub(super) fn tax_debtor(config: &Config, id: &VatId, check: &VatIdCheck, country: Option<CountryCode>) -> TaxDebtor {
    let is_trusted = match check.status {
        VatIdStatus::Valid => true,
        VatIdStatus::Unchecked => !config.tax.vies,
        VatIdStatus::Unavailable => false,
    };
    let given_by = id.member_state();
    let is_foreign = config.seller.member_state().is_some_and(|own| given_by.is_some_and(|given_by| given_by != own));
    if is_trusted && is_foreign && given_by == country { TaxDebtor::Customer } else { TaxDebtor::Shop }
}
