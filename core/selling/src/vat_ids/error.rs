//! Why a customer's number is not taken.

use stoa_kernel::auth::LimitReached;
use stoa_kernel::http::error::ApiError;
use stoa_kernel::text;

use super::check::VAT_ID;

/// Why a customer's number is not taken.
#[derive(Debug, thiserror::Error)]
pub(crate) enum VatIdError {
    /// It is no number of any country, or its check digits are wrong.
    #[error("the number is malformed")]
    Malformed,
    /// VIES does not know it.
    #[error("VIES does not know the number")]
    Unknown,
    /// Too many were asked for.
    #[error(transparent)]
    Limit(#[from] LimitReached),
}

impl From<VatIdError> for ApiError {
    fn from(error: VatIdError) -> Self {
        match error {
            VatIdError::Malformed => Self::invalid_field(VAT_ID, text!("checkout-vat-id-malformed")),
            VatIdError::Unknown => Self::invalid_field(VAT_ID, text!("checkout-vat-id-invalid")),
            VatIdError::Limit(error) => error.into(),
        }
    }
}
