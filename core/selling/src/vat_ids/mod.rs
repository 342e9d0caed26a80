//! VAT identification numbers of customers: whether they are any, and what VIES knows of them (C10.4).

mod answers;
mod ask;
mod check;
mod error;
mod examine;
mod vies;

pub(crate) use check::{VAT_ID, VatIds};

use examine::ExamineVatIds;
use stoa_kernel::module::ModuleContext;

/// What `stoa doctor` looks at of this feature.
pub(crate) fn register(cx: &mut ModuleContext<'_>, vat_ids: &VatIds) {
    cx.examine_database("tax.vat_ids", ExamineVatIds::new(vat_ids.clone()));
}
