//! Cart tokens (contract 2.1): 64 hexadecimal digits, of which the database holds the first half.
//!
//! The second half is a MAC, so a token that the shop gave out is known without a row, and nothing in the database opens
//! a cart. A guest's token is random; that of a customer's own cart follows from the customer's id, under another key, so
//! that it is no guest's token for anybody.

use std::fmt;

use axum::extract::FromRequestParts;
use hmac::{Hmac, KeyInit, Mac};
use http::request::Parts;
use http::{HeaderMap, HeaderName, HeaderValue};
use sha2::Sha256;
use subtle::ConstantTimeEq;

use stoa_kernel::encryption::Cipher;
use stoa_kernel::http::error::ApiError;
use stoa_kernel::http::extract::Uses;
use stoa_kernel::http::shape::Takes;
use stoa_kernel::http::table::{HeaderParameter, Operation};
use stoa_kernel::random::Random;

/// The header of requests and answers.
pub(super) const HEADER: HeaderName = HeaderName::from_static("x-cart-token");

/// Digits of a token.
const LENGTH: usize = 64;

/// Digits of the half that the database holds.
const HANDLE: usize = LENGTH / 2;

/// A token that this shop has made.
#[derive(Clone, PartialEq, Eq)]
pub struct CartToken(String);

impl CartToken {
    /// A new one for a guest.
    pub(super) fn for_guest(random: &Random, cipher: &Cipher) -> Self {
        let handle = hex::encode(random.bytes::<{ HANDLE / 2 }>());
        let mac = mac_of_guest(cipher, &handle);
        Self(format!("{handle}{mac}"))
    }

    /// The one of a customer's own cart, always the same.
    pub(super) fn of_customer(cipher: &Cipher, customer_id: i64) -> Self {
        Self(mac(cipher, "own cart tokens", &customer_id.to_be_bytes()))
    }

    /// A guest's token that this shop gave out; everything else is none.
    fn known(cipher: &Cipher, text: &str) -> Option<Self> {
        let is_digit = |byte: u8| byte.is_ascii_digit() || matches!(byte, b'a'..=b'f');
        if text.len() != LENGTH || !text.bytes().all(is_digit) {
            return None;
        }
        let (handle, given) = text.split_at(HANDLE);
        let right = mac_of_guest(cipher, handle);
        bool::from(right.as_bytes().ct_eq(given.as_bytes())).then(|| Self(text.to_owned()))
    }

    /// The half that the database holds.
    pub(super) fn handle(&self) -> &str {
        &self.0[..HANDLE]
    }

    /// The whole token, which opens the cart.
    pub(super) fn expose(&self) -> &str {
        &self.0
    }

    /// The token as a header's value.
    pub(super) fn header_value(&self) -> HeaderValue {
        HeaderValue::from_str(&self.0).expect("hexadecimal digits are visible ASCII")
    }
}

/// Whoever has the token has the cart, so it is in no log.
impl fmt::Debug for CartToken {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "CartToken({}…)", self.handle())
    }
}

fn mac_of_guest(cipher: &Cipher, handle: &str) -> String {
    let mut mac = mac(cipher, "cart tokens", handle.as_bytes());
    mac.truncate(LENGTH - HANDLE);
    mac
}

fn mac(cipher: &Cipher, purpose: &'static str, message: &[u8]) -> String {
    let key = cipher.derive(purpose);
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("a key of any length is fine");
    mac.update(message);
    hex::encode(mac.finalize().into_bytes())
}

/// The guest's cart that a request names in `X-Cart-Token`; none for a header that is missing, unknown or somebody's own.
#[derive(Debug, Clone)]
pub struct PresentedCart(pub(crate) Option<CartToken>);

impl PresentedCart {
    /// The one that these headers name.
    pub fn of(cipher: &Cipher, headers: &HeaderMap) -> Self {
        let mut values = headers.get_all(&HEADER).into_iter();
        let only = match (values.next(), values.next()) {
            (Some(value), None) => value.to_str().ok(),
            // Which of two counts would be a matter of luck.
            (Some(_), Some(_)) | (None, _) => None,
        };
        Self(only.and_then(|text| CartToken::known(cipher, text)))
    }
}

impl<S: Send + Sync> FromRequestParts<S> for PresentedCart {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let Uses(cipher) = Uses::<Cipher>::from_request_parts(parts, state).await?;
        Ok(Self::of(&cipher, &parts.headers))
    }
}

impl Takes for PresentedCart {
    fn takes(operation: &mut Operation) {
        operation.headers.push(HeaderParameter {
            name: "X-Cart-Token",
            description: "The token of the last cart answer. Without one, or with one that the shop does not know, a guest \
                          gets a new, empty cart; a customer's own cart is found without.",
            ..DESCRIBED
        });
    }
}

/// What the document says about the header in both directions.
pub(super) const DESCRIBED: HeaderParameter = HeaderParameter {
    name: "X-Cart-Token",
    description: "The token of this cart, to be sent back with the next request about it.",
    pattern: "^[0-9a-f]{64}$",
    example: "8d7f3a0c5e9b1d2f4a6c8e0b7d9f1a3c5e7b9d0f2a4c6e8b1d3f5a7c9e0b2d4f",
};
