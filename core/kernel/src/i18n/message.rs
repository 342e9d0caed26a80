//! What the API has to say to people, before it is put into words.

use std::borrow::Cow;

use super::{Language, Violation, dutch, english, german};

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
    /// A text of a module's own; made by [`Message::custom`].
    Custom(Box<Translations>),
}

impl Message {
    /// Brings a text that is not in the catalog, in every language; for modules.
    ///
    /// Whole sentences, please, and the polite form of address: "Sie" in German, "u" in Dutch.
    pub fn custom(
        en: impl Into<Cow<'static, str>>,
        de: impl Into<Cow<'static, str>>,
        nl: impl Into<Cow<'static, str>>,
    ) -> Self {
        Self::Custom(Box::new(Translations { en: en.into(), de: de.into(), nl: nl.into() }))
    }

    /// Puts the message into words.
    pub fn text(&self, language: Language) -> Cow<'static, str> {
        match language {
            Language::En => english::message(self),
            Language::De => german::message(self),
            Language::Nl => dutch::message(self),
        }
    }
}

/// One text in every language.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Translations {
    /// The text in English.
    pub en: Cow<'static, str>,
    /// The text in German.
    pub de: Cow<'static, str>,
    /// The text in Dutch.
    pub nl: Cow<'static, str>,
}

#[cfg(test)]
mod tests {
    use std::iter::successors;

    use super::*;

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
            Message::InvalidLink => Message::InsufficientStock { product: "Desk lamp".into() },
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
            Message::Field { .. } => Message::custom("Not today.", "Heute nicht.", "Vandaag niet."),
            Message::Custom(_) => return None,
        })
    }

    fn every_message() -> impl Iterator<Item = Message> {
        successors(Some(Message::Unauthenticated), next)
    }

    #[test]
    fn every_message_is_a_sentence_in_every_language() {
        for message in every_message() {
            for language in Language::ALL {
                let text = message.text(language);
                assert!(text.ends_with('.'), "{language:?} {text:?}");
                assert!(text.chars().next().is_some_and(char::is_uppercase), "{language:?} {text:?}");
                assert!(!text.contains(['{', '}', '\n']) && !text.contains("  "), "{language:?} {text:?}");
            }
        }
    }

    #[test]
    fn every_message_is_translated() {
        for message in every_message() {
            let [en, de, nl] = Language::ALL.map(|language| message.text(language));
            assert!(en != de && de != nl && nl != en, "{en:?} {de:?} {nl:?}");
        }
    }

    #[test]
    fn no_two_messages_sound_alike() {
        for language in Language::ALL {
            let texts: Vec<_> = every_message().map(|message| message.text(language)).collect();
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
            (Message::InsufficientStock { product: "Desk lamp".into() }, ["Desk lamp", "."]),
            (Message::TooManyAddresses { max: 97 }, ["97", "."]),
            (Message::TooManyCartLines { max: 98 }, ["98", "."]),
        ] {
            for language in Language::ALL {
                let text = message.text(language);
                assert!(parameters.iter().all(|parameter| text.contains(parameter)), "{language:?} {text}");
            }
        }
    }

    #[test]
    fn one_second_is_singular() {
        let [en, de, nl] = Language::ALL.map(|language| Message::RateLimited { seconds: 1 }.text(language));
        assert!(en.ends_with("in 1 second."), "{en}");
        assert!(de.ends_with("in einer Sekunde noch einmal."), "{de}");
        assert!(nl.ends_with("over 1 seconde nog eens."), "{nl}");
    }

    #[test]
    fn a_module_brings_its_own_text() {
        let texts = Language::ALL.map(|language| Message::custom("One.", "Eins.".to_owned(), "Een.").text(language));
        assert_eq!(texts, ["One.", "Eins.", "Een."]);
    }

    #[test]
    fn names_from_outside_cannot_flood_a_message() {
        let message = Message::InsufficientStock { product: "x\n".repeat(100_000).into() };
        for language in Language::ALL {
            let text = message.text(language);
            assert!(text.len() < 500 && !text.contains('\n'), "{text}");
        }
    }
}
