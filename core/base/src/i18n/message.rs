//! What the API has to say to people, before it is put into words.

use std::borrow::Cow;
use std::fmt;

use super::text::Text;
use super::{Language, Texts, Violation};
use crate::__text;
use crate::excerpt::excerpt;

/// Something to tell a person, in no language yet.
///
/// The first group stands for the error codes of S7 and contract 2, whose `message` they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// Nobody is signed in, or the access token is not valid (401 `unauthenticated`).
    Unauthenticated,
    /// The caller may not do this (403 `unauthorized`).
    Unauthorized,
    /// The access token lacks an ability (403 `insufficient_scope`).
    InsufficientScope {
        /// The ability that the route requires, such as `orders.read`.
        ability: Cow<'static, str>,
    },
    /// The access token may not be used from the caller's address (403 `ip_not_allowed`).
    IpNotAllowed,
    /// No ability protects the route, so nobody may use it (403 `unmapped_api_route`).
    UnmappedApiRoute,
    /// There is no such thing, or none that the caller may know of (404 `not_found`).
    NotFound,
    /// The path exists, the method on it does not (405 `method_not_allowed`).
    MethodNotAllowed,
    /// The state of things does not permit this (409 and 422 `invalid_state`).
    InvalidState,
    /// Some of the input is missing or wrong; details stand beside it (422 `validation_error`).
    ValidationError,
    /// The payment provider refused or could not be reached (422 `payment_failed`).
    PaymentFailed,
    /// A rate limit is exceeded (429 `rate_limited`).
    RateLimited {
        /// Seconds until the next request is accepted, the value of `Retry-After`.
        seconds: u64,
    },
    /// The body is larger than is read (413 `payload_too_large`).
    PayloadTooLarge,
    /// The body is not declared as JSON, or is compressed (415 `unsupported_media_type`).
    UnsupportedMediaType,
    /// What came is no HTTP, or broke off (400 `bad_request`).
    BadRequest,
    /// The client stopped sending (408 `request_timeout`).
    RequestTimeout,
    /// The request's target is longer than is read (414 `uri_too_long`).
    UriTooLong,
    /// There are more headers than are read, or longer ones (431 `request_header_fields_too_large`).
    HeaderFieldsTooLarge,
    /// The body is encoded in another way than by chunks (501 `not_implemented`).
    TransferCodingUnknown,
    /// Something failed that is not the caller's fault (500 `server_error`).
    ServerError,

    /// The body cannot be parsed as JSON.
    MalformedJson {
        /// Line of the first error, from 1.
        line: usize,
        /// Column of the first error, from 1.
        column: usize,
    },
    /// Arrays and objects of the body contain each other too many times.
    NestingTooDeep {
        /// The number of levels that is accepted.
        max: usize,
    },
    /// The body is JSON, but no object.
    BodyNotObject,
    /// E-mail address and password do not belong together (S5.2 rule 5).
    InvalidCredentials,
    /// A session's write does not repeat the cookie `XSRF-TOKEN` in its header (reason `csrf_token_mismatch`).
    CsrfTokenMismatch,
    /// A session's write was made by a page of another site (reason `foreign_origin`).
    ForeignOrigin,

    /// A link that was sent by mail is unknown, used, expired or replaced by a newer one.
    InvalidLink,

    /// There is less of a product than was asked for (reason `insufficient_stock`).
    InsufficientStock {
        /// The product's name.
        product: Cow<'static, str>,
        /// How many there are.
        left: i64,
    },
    /// There is nothing in the cart to order (reason `cart_empty`).
    CartEmpty,
    /// The cart has room for no more lines (reason `too_many_cart_lines`).
    TooManyCartLines {
        /// The most lines of a cart.
        max: u32,
    },
    /// The total is not the one that the customer expects (reason `total_changed`).
    TotalChanged,
    /// The order needs no payment any more (reason `already_paid`).
    AlreadyPaid,
    /// The idempotency key came with another body before (reason `idempotency_key_reused`).
    IdempotencyKeyReused,
    /// A line of the cart cannot be sold any more (reason `line_unavailable`).
    LineUnavailable {
        /// The product's name.
        product: Cow<'static, str>,
    },
    /// The amounts are larger than can be charged (reason `total_too_large`).
    TotalTooLarge,
    /// The order was cancelled and can not be paid (reason `order_cancelled`).
    OrderCancelled,
    /// A payment of the order is on its way (reason `payment_processing`).
    PaymentProcessing,
    /// The customer can save no more addresses (reason `too_many_addresses`).
    TooManyAddresses {
        /// The most that a customer can save.
        max: u32,
    },

    /// A field of the input breaks a rule; made by [`Violation::on`].
    Field {
        /// The field's name as it stands in `errors`, such as `billing.city` or `abilities.3`.
        field: Cow<'static, str>,
        /// The rule that is broken.
        violation: Violation,
    },
    /// A text of a feature or module; made by [`text!`](crate::text!).
    Text(Box<Text>),
}

impl Message {
    /// The key of what is said, and what is put in.
    pub(super) fn text(&self) -> Cow<'_, Text> {
        Cow::Owned(match self {
            Self::Text(text) => return Cow::Borrowed(text),
            Self::Field { field, violation } => violation.text(field),
            Self::Unauthenticated => __text!("error-unauthenticated"),
            Self::Unauthorized => __text!("error-unauthorized"),
            Self::InsufficientScope { ability } => __text!("error-insufficient-scope", ability = excerpt(ability)),
            Self::IpNotAllowed => __text!("error-ip-not-allowed"),
            Self::UnmappedApiRoute => __text!("error-unmapped-api-route"),
            Self::NotFound => __text!("error-not-found"),
            Self::MethodNotAllowed => __text!("error-method-not-allowed"),
            Self::InvalidState => __text!("error-invalid-state"),
            Self::ValidationError => __text!("error-validation-error"),
            Self::PaymentFailed => __text!("error-payment-failed"),
            Self::RateLimited { seconds } => __text!("error-rate-limited", seconds = *seconds),
            Self::PayloadTooLarge => __text!("error-payload-too-large"),
            Self::UnsupportedMediaType => __text!("error-unsupported-media-type"),
            Self::BadRequest => __text!("error-bad-request"),
            Self::RequestTimeout => __text!("error-request-timeout"),
            Self::UriTooLong => __text!("error-uri-too-long"),
            Self::HeaderFieldsTooLarge => __text!("error-header-fields-too-large"),
            Self::TransferCodingUnknown => __text!("error-transfer-coding-unknown"),
            Self::ServerError => __text!("error-server-error"),
            Self::MalformedJson { line, column } => __text!("error-malformed-json", line = *line, column = *column),
            Self::NestingTooDeep { max } => __text!("error-nesting-too-deep", max = *max),
            Self::BodyNotObject => __text!("error-body-not-object"),
            Self::InvalidCredentials => __text!("error-invalid-credentials"),
            Self::CsrfTokenMismatch => __text!("error-csrf-token-mismatch"),
            Self::ForeignOrigin => __text!("error-foreign-origin"),
            Self::InvalidLink => __text!("error-invalid-link"),
            Self::InsufficientStock { product, left } => {
                __text!("error-insufficient-stock", product = excerpt(product), left = *left)
            }
            Self::CartEmpty => __text!("error-cart-empty"),
            Self::TooManyCartLines { max } => __text!("error-too-many-cart-lines", max = *max),
            Self::TotalChanged => __text!("error-total-changed"),
            Self::AlreadyPaid => __text!("error-already-paid"),
            Self::IdempotencyKeyReused => __text!("error-idempotency-key-reused"),
            Self::LineUnavailable { product } => __text!("error-line-unavailable", product = excerpt(product)),
            Self::TotalTooLarge => __text!("error-total-too-large"),
            Self::OrderCancelled => __text!("error-order-cancelled"),
            Self::PaymentProcessing => __text!("error-payment-processing"),
            Self::TooManyAddresses { max } => __text!("error-too-many-addresses", max = *max),
        })
    }
}

impl From<Text> for Message {
    fn from(text: Text) -> Self {
        Self::Text(Box::new(text))
    }
}

/// In English, as the program comes with it: for developers, logs and commands.
impl fmt::Display for Message {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&Texts::built_in().say(self, Language::EN))
    }
}

#[cfg(test)]
mod tests {
    use std::iter::successors;

    use super::*;
    use crate::{text, texts};

    texts! {
        en: "test-lamp-lit = The lamp is lit.",
        de: "test-lamp-lit = Die Lampe brennt.",
        nl: "test-lamp-lit = De lamp brandt.",
    }

    /// One of each message: an exhaustive chain, so that a new message without a place in it does not compile.
    fn next(message: &Message) -> Option<Message> {
        Some(match message {
            Message::Unauthenticated => Message::Unauthorized,
            Message::Unauthorized => Message::InsufficientScope { ability: "orders.read".into() },
            Message::InsufficientScope { .. } => Message::IpNotAllowed,
            Message::IpNotAllowed => Message::UnmappedApiRoute,
            Message::UnmappedApiRoute => Message::NotFound,
            Message::NotFound => Message::MethodNotAllowed,
            Message::MethodNotAllowed => Message::InvalidState,
            Message::InvalidState => Message::ValidationError,
            Message::ValidationError => Message::PaymentFailed,
            Message::PaymentFailed => Message::RateLimited { seconds: 42 },
            Message::RateLimited { .. } => Message::PayloadTooLarge,
            Message::PayloadTooLarge => Message::UnsupportedMediaType,
            Message::UnsupportedMediaType => Message::BadRequest,
            Message::BadRequest => Message::RequestTimeout,
            Message::RequestTimeout => Message::UriTooLong,
            Message::UriTooLong => Message::HeaderFieldsTooLarge,
            Message::HeaderFieldsTooLarge => Message::TransferCodingUnknown,
            Message::TransferCodingUnknown => Message::ServerError,
            Message::ServerError => Message::MalformedJson { line: 3, column: 17 },
            Message::MalformedJson { .. } => Message::NestingTooDeep { max: 64 },
            Message::NestingTooDeep { .. } => Message::BodyNotObject,
            Message::BodyNotObject => Message::InvalidCredentials,
            Message::InvalidCredentials => Message::CsrfTokenMismatch,
            Message::CsrfTokenMismatch => Message::ForeignOrigin,
            Message::ForeignOrigin => Message::InvalidLink,
            Message::InvalidLink => Message::InsufficientStock { product: "Desk lamp".into(), left: 3 },
            Message::InsufficientStock { .. } => Message::CartEmpty,
            Message::CartEmpty => Message::TooManyCartLines { max: 100 },
            Message::TooManyCartLines { .. } => Message::TotalChanged,
            Message::TotalChanged => Message::AlreadyPaid,
            Message::AlreadyPaid => Message::IdempotencyKeyReused,
            Message::IdempotencyKeyReused => Message::LineUnavailable { product: "Desk lamp".into() },
            Message::LineUnavailable { .. } => Message::TotalTooLarge,
            Message::TotalTooLarge => Message::OrderCancelled,
            Message::OrderCancelled => Message::PaymentProcessing,
            Message::PaymentProcessing => Message::TooManyAddresses { max: 100 },
            Message::TooManyAddresses { .. } => Violation::Required.on("name"),
            Message::Field { .. } => text!("test-lamp-lit"),
            Message::Text(_) => return None,
        })
    }

    fn said(message: &Message, language: Language) -> String {
        Texts::built_in().say(message, language)
    }

    fn every_message() -> impl Iterator<Item = Message> {
        successors(Some(Message::Unauthenticated), next)
    }

    #[test]
    fn every_message_is_a_sentence_in_every_language() {
        for message in every_message() {
            for language in Language::BUILT_IN {
                let text = said(&message, language);
                assert!(text.ends_with('.'), "{language:?} {text:?}");
                assert!(text.chars().next().is_some_and(char::is_uppercase), "{language:?} {text:?}");
                assert!(!text.contains(['{', '}', '\n']) && !text.contains("  "), "{language:?} {text:?}");
            }
        }
    }

    #[test]
    fn every_message_is_translated() {
        for message in every_message() {
            let [en, de, nl] = Language::BUILT_IN.map(|language| said(&message, language));
            assert!(en != de && de != nl && nl != en, "{en:?} {de:?} {nl:?}");
        }
    }

    #[test]
    fn no_two_messages_sound_alike() {
        for language in Language::BUILT_IN {
            let texts: Vec<_> = every_message().map(|message| said(&message, language)).collect();
            let distinct: std::collections::HashSet<_> = texts.iter().collect();
            assert_eq!(distinct.len(), texts.len(), "{language:?}");
        }
    }

    #[test]
    fn parameters_appear_in_every_language() {
        for (message, parameters) in [
            (Message::InsufficientScope { ability: "orders.read".into() }, ["orders.read", "."]),
            (Message::RateLimited { seconds: 42 }, ["42", "."]),
            (Message::MalformedJson { line: 3, column: 17 }, ["3", "17"]),
            (Message::NestingTooDeep { max: 64 }, ["64", "."]),
            (Message::InsufficientStock { product: "Desk lamp".into(), left: 3 }, ["Desk lamp", "3"]),
            (Message::TooManyAddresses { max: 97 }, ["97", "."]),
            (Message::TooManyCartLines { max: 98 }, ["98", "."]),
        ] {
            for language in Language::BUILT_IN {
                let text = said(&message, language);
                assert!(parameters.iter().all(|parameter| text.contains(parameter)), "{language:?} {text}");
            }
        }
    }

    #[test]
    fn one_second_is_singular() {
        let [en, de, nl] = Language::BUILT_IN.map(|language| said(&Message::RateLimited { seconds: 1 }, language));
        assert!(en.ends_with("in 1 second."), "{en}");
        assert!(de.ends_with("in einer Sekunde noch einmal."), "{de}");
        assert!(nl.ends_with("over 1 seconde nog eens."), "{nl}");
    }

    #[test]
    fn of_what_is_short_one_reads_how_many_are_left() {
        let short = |left| Message::InsufficientStock { product: "Lamp".into(), left };
        for (left, sentences) in [
            (0, ["“Lamp” is sold out.", "„Lamp“ ist ausverkauft.", "‘Lamp’ is uitverkocht."]),
            (1, ["Only one “Lamp” is left.", "Von „Lamp“ ist nur noch eins da.", "Er is nog maar één ‘Lamp’."]),
            (4, ["Only 4 of “Lamp” are left.", "Von „Lamp“ sind nur noch 4 da.", "Er zijn nog maar 4 van ‘Lamp’."]),
        ] {
            assert_eq!(Language::BUILT_IN.map(|language| said(&short(left), language)), sentences);
        }
    }

    #[test]
    fn names_from_outside_cannot_flood_a_message() {
        let message = Message::InsufficientStock { product: "x\n".repeat(100_000).into(), left: 3 };
        for language in Language::BUILT_IN {
            let text = said(&message, language);
            assert!(text.len() < 500 && !text.contains('\n'), "{text}");
        }
    }
}
