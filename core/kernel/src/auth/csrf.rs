//! Protection of session writes against forged requests from other sites (S5.1 rule 2, contract 2.4).
//!
//! The token is signed, so that nobody can plant one of their own making, and bound to the session
//! that the browser presents, so that one that was given to somebody else is of no use.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use hmac::{Hmac, KeyInit, Mac};
use http::{HeaderMap, HeaderName, HeaderValue, header};
use sha2::Sha256;
use subtle::ConstantTimeEq;
use url::{Origin, Url};

use super::cookies::{presented_csrf, presented_session};
use super::session::SessionSecret;
use crate::config::{Config, WebOrigin};
use crate::encryption::Cipher;
use crate::http::error::ApiError;
use crate::i18n::Message;
use crate::random::Random;

/// The header that repeats the cookie's value.
const CSRF_HEADER: HeaderName = HeaderName::from_static("x-xsrf-token");

const SEC_FETCH_SITE: HeaderName = HeaderName::from_static("sec-fetch-site");

/// Random bytes that make each token different.
const NONCE: usize = 16;

/// The value of the cookie `XSRF-TOKEN`.
#[derive(Debug, Clone)]
pub struct CsrfToken(String);

impl CsrfToken {
    /// A new token for whoever presents this session, or none.
    pub fn new(random: &Random, cipher: &Cipher, session: Option<&SessionSecret>) -> Self {
        let nonce = random.bytes::<NONCE>();
        let signature = mac(cipher, &nonce, session).finalize().into_bytes();
        Self(URL_SAFE_NO_PAD.encode([nonce.as_slice(), signature.as_slice()].concat()))
    }

    /// The text of cookie and header.
    pub fn as_str(&self) -> &str {
        &self.0
    }
}

fn mac(cipher: &Cipher, nonce: &[u8], session: Option<&SessionSecret>) -> Hmac<Sha256> {
    let key = cipher.derive("csrf");
    let mut mac = Hmac::<Sha256>::new_from_slice(&key).expect("a key of any length is fine");
    mac.update(nonce);
    if let Some(session) = session {
        mac.update(&session.hash());
    }
    mac
}

/// Refuses a write that the shop's own pages did not make: 403 `unauthorized`.
pub fn check_forgery(cipher: &Cipher, config: &Config, base_url: &str, headers: &HeaderMap) -> Result<(), ApiError> {
    if !comes_from_own_page(config, base_url, headers) {
        return Err(ApiError::forbidden(Message::ForeignOrigin, "foreign_origin"));
    }
    let sent = headers.get(&CSRF_HEADER).and_then(|value| value.to_str().ok());
    let session = presented_session(headers, base_url);
    let right = sent.zip(presented_csrf(headers)).is_some_and(|(sent, cookie)| {
        bool::from(sent.as_bytes().ct_eq(cookie.as_bytes())) && is_ours(cipher, sent, session.as_ref())
    });
    if right { Ok(()) } else { Err(ApiError::forbidden(Message::CsrfTokenMismatch, "csrf_token_mismatch")) }
}

/// Refuses a form that a page of another site has sent, for forms whose content alone proves who sends them.
///
/// The shop's pages with such forms tell browsers to send no referrer, for which browsers send the
/// origin `null`: it says nothing, and what they say about the site decides.
pub(crate) fn refuse_foreign_page(config: &Config, base_url: &str, headers: &HeaderMap) -> Result<(), ApiError> {
    let is_own = match headers.get(&SEC_FETCH_SITE).map(HeaderValue::as_bytes) {
        Some(site) => matches!(site, b"same-origin" | b"none"),
        None => {
            headers.get(header::ORIGIN).is_none_or(|origin| origin == "null")
                || comes_from_own_page(config, base_url, headers)
        }
    };
    if is_own { Ok(()) } else { Err(ApiError::forbidden(Message::ForeignOrigin, "foreign_origin")) }
}

/// Whether a token is one of ours for whoever presents this session.
pub(crate) fn is_ours(cipher: &Cipher, token: &str, session: Option<&SessionSecret>) -> bool {
    let Ok(bytes) = URL_SAFE_NO_PAD.decode(token) else { return false };
    let Some((nonce, signature)) = bytes.split_at_checked(NONCE) else { return false };
    mac(cipher, nonce, session).verify_slice(signature).is_ok()
}

/// The second wall: what browsers say about where a request comes from.
///
/// A client that says nothing is no browser of the last ten years, and has the token to show.
fn comes_from_own_page(config: &Config, base_url: &str, headers: &HeaderMap) -> bool {
    comes_from_page_of(&config.server.allowed_origins, base_url, headers)
}

/// The same for the pages of these origins besides the shop's own.
pub(crate) fn comes_from_page_of(origins: &[WebOrigin], base_url: &str, headers: &HeaderMap) -> bool {
    let Some(origin) = headers.get(header::ORIGIN) else {
        let site = headers.get(&SEC_FETCH_SITE).map(HeaderValue::as_bytes);
        return matches!(site, None | Some(b"same-origin" | b"none"));
    };
    let Ok(origin) = origin.to_str() else { return false };
    if origins.iter().any(|allowed| allowed.as_str() == origin) {
        return true;
    }
    let Some(theirs) = tuple(origin) else { return false };
    let Some(ours) = tuple(base_url) else { return false };
    // The shop may be reached by more names than its public one. A page of another site cannot have
    // a browser send that site's name as `Host` and the shop's cookies.
    theirs == ours || (theirs.1 != ours.1 && Some(theirs.1.as_str()) == host(headers))
}

/// Scheme, and host with port as `Host` has it, of a web address.
fn tuple(address: &str) -> Option<(String, String)> {
    let url = Url::parse(address).ok()?;
    let Origin::Tuple(scheme, host, _) = url.origin() else { return None };
    let port = url.port().map(|port| format!(":{port}")).unwrap_or_default();
    Some((scheme, format!("{host}{port}")))
}

fn host(headers: &HeaderMap) -> Option<&str> {
    headers.get(header::HOST).and_then(|value| value.to_str().ok())
}
