//! Whether VAT identification numbers can be checked, for `stoa doctor`.

use std::sync::Arc;

use stoa_kernel::config::Config;
use stoa_kernel::db::DbError;
use stoa_kernel::doctor::{Examine, Finding, without_number};
use stoa_kernel::vat_id::VatId;

use super::check::VatIds;
use super::vies::Verdict;

/// Looks at the shop's own number, and asks VIES about it.
pub(super) struct ExamineVatIds(VatIds);

impl ExamineVatIds {
    pub(super) fn new(vat_ids: VatIds) -> Self {
        Self(vat_ids)
    }
}

impl Examine for ExamineVatIds {
    type Uses = Arc<Config>;

    async fn examine(&self, config: &Arc<Config>) -> Result<Vec<Finding>, DbError> {
        const CHECK: &str = "tax.vat_ids";
        let own = config.seller.vat_id();
        let Some(vies) = self.0.vies() else {
            return Ok(vec![Finding::ok(CHECK, "VIES is not asked about VAT IDs of customers")]);
        };
        let mut found = Vec::new();
        if own.as_ref().and_then(VatId::member_state).is_none() {
            let message = "VIES is asked, but the shop has no VAT ID of its own: nobody is sold to without tax";
            let fix = "write the VAT ID of your company, such as \"NL004495445B01\", to `seller.tax_id`, or set `tax.vies = false`";
            found.push(Finding::warning(CHECK, message, fix));
        }
        let is_own = own.is_some();
        // Any number will do to see whether it answers.
        let id = own.or_else(|| VatId::parse("DE136695976"));
        let base = vies.base();
        found.push(match id.as_ref().map(|id| vies.ask(id)) {
            Some(asked) => match asked.await {
                Ok(Verdict::Invalid) if is_own => Finding::failure(
                    CHECK,
                    "VIES does not know the VAT ID of the shop",
                    "look at `seller.tax_id`, and ask your tax office whether it is registered for trade in the European Union",
                ),
                Ok(Verdict::Valid { .. } | Verdict::Invalid) => Finding::ok(CHECK, format!("VIES answers at {base}")),
                Err(reason) => Finding::warning(
                    CHECK,
                    format!("VIES cannot be asked at {base}, so business customers abroad pay tax: {}", without_number(reason.to_string())),
                    format!("look whether this machine reaches {base}, and at `tax.vies_base`; VIES itself is away at times"),
                ),
            },
            None => Finding::ok(CHECK, format!("VIES is asked at {base}")),
        });
        Ok(found)
    }
}
