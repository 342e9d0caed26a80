//! The VAT identification number of an order, and what was found out about it.

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use stoa_kernel::states;
use stoa_kernel::vat_id::VatId;

states! {
    /// What is known of a customer's VAT identification number.
    VatIdStatus, "status of a VAT identification number":
    /// VIES says that it was given to somebody.
    Valid = "valid",
    /// VIES has not answered.
    Unavailable = "unavailable",
    /// It has the right form, and VIES was not asked: the shop does not, or the number is from elsewhere.
    Unchecked = "unchecked",
}

/// What was found out about a customer's VAT identification number.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
pub struct VatIdCheck {
    /// What is known.
    pub status: VatIdStatus,
    /// Whose it is, as VIES says; null where its member state does not tell.
    pub name: Option<String>,
    /// When VIES was asked, or the form was looked at.
    pub checked_at: DateTime<Utc>,
    /// What proves that VIES was asked; null unless the shop has a VAT identification number of its own.
    pub consultation_number: Option<String>,
}

/// A VAT identification number that a customer orders with.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct CheckedVatId {
    pub(crate) id: VatId,
    pub(crate) check: VatIdCheck,
}
