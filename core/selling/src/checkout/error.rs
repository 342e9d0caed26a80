//! Why no order was placed, or no price told.

use serde_json::to_value;

use stoa_customers::guests::GuestIsGone;
use stoa_kernel::db::DbError;
use stoa_kernel::events::{ListenerError, Veto};
use stoa_kernel::http::error::{ApiError, FieldProblem, FieldProblems};
use stoa_kernel::i18n::{Message, Violation};

use super::rules::CONSENTS;
use super::totals::TotalsResource;
use crate::idempotency::KeyError;
use crate::pricing::AmountOverflow;

/// Why no order was placed, or no price told.
#[derive(Debug, thiserror::Error)]
pub(super) enum CheckoutError {
    /// Several things are wrong, which are told at once.
    #[error("the checkout is refused with status {}", .0.status())]
    Refused(ApiError),
    /// What a field asks for cannot be had.
    #[error("the field `{0}` is refused: {1:?}")]
    Field(&'static str, Violation),
    /// A consent is missing, unknown or outdated.
    #[error("the consents are refused")]
    Consents(Vec<Message>),
    /// There is nothing in the cart, or it is another customer's.
    #[error("the cart is empty")]
    CartEmpty,
    /// A line cannot be bought.
    #[error("`{product}` cannot be bought")]
    Unavailable {
        /// What customers call it.
        product: String,
        /// Whether that is because none is left.
        is_sold_out: bool,
    },
    /// It costs more than can be counted in minor units.
    #[error("the amounts are too large")]
    TooLarge(#[from] AmountOverflow),
    /// It costs something else than the customer has agreed to.
    #[error("the total has changed")]
    TotalChanged(Box<TotalsResource>),
    /// The key has placed no order.
    #[error("the key has placed no order")]
    NoOrder,
    /// The rules of addresses have let one without a country through.
    #[error("an address without a country was let through")]
    NoCountry,
    /// Whoever was a guest a moment ago has to come back as whoever they are now.
    #[error(transparent)]
    Guest(#[from] GuestIsGone),
    /// The idempotency key is refused.
    #[error(transparent)]
    Key(#[from] KeyError),
    /// A module refuses, or has failed.
    #[error(transparent)]
    Listener(#[from] ListenerError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

impl From<ApiError> for CheckoutError {
    fn from(error: ApiError) -> Self {
        Self::Refused(error)
    }
}

impl From<CheckoutError> for ApiError {
    fn from(error: CheckoutError) -> Self {
        match error {
            CheckoutError::Refused(error) => error,
            CheckoutError::Field(field, violation) => Self::invalid_field(field, violation.on(field)),
            CheckoutError::Consents(problems) => {
                let problems = problems.into_iter().map(FieldProblem::Message).collect();
                Self::validation(FieldProblems::from([(CONSENTS.to_owned(), problems)]))
            }
            CheckoutError::CartEmpty => Self::invalid_state(Message::CartEmpty, "cart_empty"),
            CheckoutError::Unavailable { product, is_sold_out } => {
                let message = Message::LineUnavailable { product: product.into() };
                // Said with the word for it, whether the module that knows has said so here or in its own check a
                // moment before.
                let reason = if is_sold_out { "insufficient_stock" } else { "line_unavailable" };
                Veto { field: String::from("cart"), message, reason: Some(reason) }.into()
            }
            CheckoutError::TooLarge(_) => Self::invalid_state(Message::TotalTooLarge, "total_too_large"),
            CheckoutError::TotalChanged(totals) => to_value(totals).map_or_else(Self::internal, |totals| {
                Self::conflict(Message::TotalChanged, "total_changed").with_member("totals", totals)
            }),
            CheckoutError::NoOrder => Self::not_found(),
            CheckoutError::NoCountry => Self::internal(error),
            CheckoutError::Guest(GuestIsGone::Gone) => Self::unauthenticated(),
            CheckoutError::Guest(GuestIsGone::Db(error)) | CheckoutError::Db(error) => error.into(),
            CheckoutError::Key(error) => error.into(),
            CheckoutError::Listener(error) => error.into(),
        }
    }
}
