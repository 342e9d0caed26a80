//! What a request for a file asks for besides the file: a part of it, or only what is new (RFC 9110, 13 and 14).

use std::convert::Infallible;

use axum::extract::FromRequestParts;
use http::request::Parts;
use http::{HeaderMap, HeaderName, Method, header};
use stoa_core::http::shape::Takes;
use stoa_core::http::table::{HeaderParameter, Operation};

use crate::range::{RangeRequest, wanted};

/// The method and the headers that decide what is sent.
#[derive(Debug, Clone)]
pub(crate) struct Conditions {
    /// Whether only the headers are asked for.
    pub(crate) head_only: bool,
    headers: HeaderMap,
}

impl Conditions {
    fn of(method: &Method, headers: &HeaderMap) -> Self {
        let mut kept = HeaderMap::new();
        for name in [header::RANGE, header::IF_RANGE, header::IF_NONE_MATCH] {
            for value in headers.get_all(&name) {
                kept.append(&name, value.clone());
            }
        }
        Self { head_only: method == Method::HEAD, headers: kept }
    }

    /// The value of a header that came once.
    fn only(&self, name: &HeaderName) -> Option<&str> {
        let mut values = self.headers.get_all(name).iter();
        let value = values.next()?.to_str().ok()?;
        values.next().is_none().then_some(value)
    }

    /// Whether the client has what this validator stands for.
    pub(crate) fn is_known(&self, etag: &str) -> bool {
        let values = self.headers.get_all(header::IF_NONE_MATCH).iter().filter_map(|value| value.to_str().ok());
        // A weak one will do: 304 only says that nothing has changed.
        let mut known = values.flat_map(|value| value.split(',')).map(str::trim);
        known.any(|one| one == "*" || one.strip_prefix("W/").unwrap_or(one) == etag)
    }

    /// Which bytes of a file of this size and validator are wanted.
    pub(crate) fn wanted(&self, size: u64, etag: &str) -> RangeRequest {
        // Ranges are for `GET` alone.
        let Some(range) = self.only(&header::RANGE).filter(|_| !self.head_only) else { return RangeRequest::Whole };
        // A part of another content must not be put to what the client has. Dates are not given, so none is known.
        if self.headers.contains_key(header::IF_RANGE) && self.only(&header::IF_RANGE) != Some(etag) {
            return RangeRequest::Whole;
        }
        wanted(range, size)
    }
}

impl<S: Send + Sync> FromRequestParts<S> for Conditions {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &S) -> Result<Self, Infallible> {
        Ok(Self::of(&parts.method, &parts.headers))
    }
}

impl Takes for Conditions {
    fn takes(operation: &mut Operation) {
        operation.headers.extend([
            HeaderParameter {
                name: "Range",
                description: "One range of bytes. Several at once are answered with the whole file.",
                pattern: "^bytes=([0-9]+-[0-9]*|-[0-9]+)$",
                example: "bytes=1048576-",
            },
            HeaderParameter {
                name: "If-Range",
                description: "The `ETag` that the range belongs to; with another one the whole file is sent.",
                pattern: "^\"[0-9a-f]{64}\"$",
                example: "\"9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08\"",
            },
        ]);
    }
}

#[cfg(test)]
mod tests {
    use http::HeaderValue;

    use super::*;

    fn conditions(method: &Method, headers: &[(&'static str, &'static str)]) -> Conditions {
        let mut map = HeaderMap::new();
        for (name, value) in headers {
            map.append(HeaderName::from_static(name), HeaderValue::from_static(value));
        }
        Conditions::of(method, &map)
    }

    #[test]
    fn a_part_is_given_only_of_the_content_that_the_client_means() {
        for (headers, expected) in [
            (&[("range", "bytes=1-")][..], RangeRequest::Part(1..9)),
            (&[("range", "bytes=1-"), ("if-range", "\"a\"")], RangeRequest::Part(1..9)),
            (&[("range", "bytes=1-"), ("if-range", "\"b\"")], RangeRequest::Whole),
            (&[("range", "bytes=1-"), ("if-range", "W/\"a\"")], RangeRequest::Whole),
            (&[("range", "bytes=1-"), ("if-range", "Thu, 15 Jan 2026 12:00:00 GMT")], RangeRequest::Whole),
            (&[("range", "bytes=9-"), ("if-range", "\"b\"")], RangeRequest::Whole),
            (&[("range", "bytes=9-")], RangeRequest::Unsatisfiable),
            (&[("range", "bytes=1-"), ("range", "bytes=2-")], RangeRequest::Whole),
            (&[], RangeRequest::Whole),
        ] {
            assert_eq!(conditions(&Method::GET, headers).wanted(9, "\"a\""), expected, "{headers:?}");
        }
        assert_eq!(conditions(&Method::HEAD, &[("range", "bytes=9-")]).wanted(9, "\"a\""), RangeRequest::Whole);
    }

    #[test]
    fn what_the_client_has_is_recognized() {
        for (header, is_known) in [
            ("\"a\"", true),
            ("\"b\", \"a\"", true),
            ("W/\"a\"", true),
            ("*", true),
            ("\"b\"", false),
            ("a", false),
            ("", false),
        ] {
            assert_eq!(conditions(&Method::GET, &[("if-none-match", header)]).is_known("\"a\""), is_known, "{header}");
        }
        assert!(!conditions(&Method::GET, &[]).is_known("\"a\""));
    }
}
