//! Whether a shop that knows where it is has forgotten its taxes, for `stoa doctor`.

use std::sync::Arc;

use stoa_kernel::config::{Config, TaxConfig};
use stoa_kernel::db::DbError;
use stoa_kernel::doctor::{Examine, Finding};

/// Looks for a shop without any tax rate that does not say why.
pub(super) struct ExamineTaxRates;

impl Examine for ExamineTaxRates {
    type Uses = Arc<Config>;

    async fn examine(&self, config: &Arc<Config>) -> Result<Vec<Finding>, DbError> {
        const CHECK: &str = "tax.rates";
        let seller = &config.seller;
        let is_somewhere = seller.country.is_some() || seller.member_state().is_some();
        let finding = match (has_rates(&config.tax), is_somewhere, &seller.tax_exemption) {
            (true, ..) => Finding::ok(CHECK, "orders carry tax by `tax.rates` and `tax.classes`"),
            (false, _, Some(_)) => Finding::ok(CHECK, "orders carry no tax, as `seller.tax_exemption` says"),
            (false, false, None) => Finding::ok(CHECK, "no tax rate is set: orders carry no tax"),
            (false, true, None) => Finding::warning(
                CHECK,
                "no tax rate is set: every order is sold with 0 % tax",
                "set `tax.rates`, such as { NL = 2100 } for 21 %; where no tax is due, say 0 there, or why in `seller.tax_exemption`",
            ),
        };
        Ok(vec![finding])
    }
}

/// Whether any rate is written down; 0 is one, too.
fn has_rates(tax: &TaxConfig) -> bool {
    let classes = tax.classes.values();
    std::iter::once(&tax.rates).chain(classes).any(|rates| rates.iter().next().is_some())
}
