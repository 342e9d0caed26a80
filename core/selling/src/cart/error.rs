//! Why a cart was not changed.

use stoa_kernel::db::DbError;
use stoa_kernel::http::error::{ApiError, FieldProblems};
use stoa_kernel::i18n::{Message, Violation};

use super::store::{MAX_LINES, MAX_QUANTITY};

/// Why a cart was not changed.
#[derive(Debug, thiserror::Error)]
pub(super) enum CartError {
    /// There is no such line.
    #[error("there is no such line")]
    NoLine,
    /// The product does not exist, or cannot be bought now.
    #[error("the product cannot be bought")]
    Unavailable,
    /// The product's options do not allow the selections.
    #[error("the selections are refused")]
    Selections(FieldProblems),
    /// The line would have more than [`MAX_QUANTITY`] units.
    #[error("a line has at most {MAX_QUANTITY} units")]
    TooManyUnits,
    /// The cart would have more than [`MAX_LINES`] lines.
    #[error("a cart has at most {MAX_LINES} lines")]
    TooManyLines,
    /// The amounts could not be counted any more.
    #[error("the amounts are too large")]
    AmountOverflow,
    /// The customer was anonymized in between.
    #[error("there is no such customer")]
    NoCustomer,
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

impl From<CartError> for ApiError {
    fn from(error: CartError) -> Self {
        let invalid = |field: &'static str, violation: Violation| Self::invalid_field(field, violation.on(field));
        match error {
            CartError::NoLine => Self::not_found(),
            CartError::Unavailable => invalid("product_id", Violation::UnavailableProduct),
            CartError::Selections(problems) => Self::validation(problems),
            CartError::TooManyUnits => invalid("quantity", Violation::TooManyInCart { max: MAX_QUANTITY }),
            CartError::TooManyLines => {
                Self::invalid_state(Message::TooManyCartLines { max: MAX_LINES }, "too_many_cart_lines")
            }
            CartError::AmountOverflow => invalid("quantity", Violation::NumberOutOfRange),
            CartError::NoCustomer => Self::unauthenticated(),
            CartError::Db(error) => error.into(),
        }
    }
}
