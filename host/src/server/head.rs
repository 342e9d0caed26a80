//! What HTTP demands of the head of a request and hyper does not.

use http::header::{HOST, TRANSFER_ENCODING};
use http::uri::Authority;
use http::{HeaderValue, Request, StatusCode, Version};

/// The one transfer coding that is read.
const CHUNKED: &[u8] = b"chunked";

/// With what a request is refused whose head is not as HTTP demands (RFC 9112, 3.2 and 6.1), if it is. Whoever passed such a
/// head on may have taken it for another request.
pub(super) fn fault<B>(request: &Request<B>) -> Option<StatusCode> {
    let headers = request.headers();
    let mut codings = headers.get_all(TRANSFER_ENCODING).iter();
    if codings.next().is_some_and(|coding| !is_chunked(coding.as_bytes())) || codings.next().is_some() {
        return Some(StatusCode::NOT_IMPLEMENTED);
    }
    let mut hosts = headers.get_all(HOST).iter();
    let is_as_it_must_be = match (hosts.next(), hosts.next()) {
        // HTTP/1.0 has no such header, and HTTP/2 an own place for it.
        (None, _) => request.version() != Version::HTTP_11,
        (Some(host), None) => is_host(host),
        (Some(_), Some(_)) => false,
    };
    (!is_as_it_must_be).then_some(StatusCode::BAD_REQUEST)
}

/// Whether these bytes, the beginning of a head that hyper has refused, name a transfer coding that is not read.
pub(super) fn names_unknown_coding(head: &[u8]) -> bool {
    head.split(|byte| *byte == b'\n').skip(1).any(|line| {
        let Some(colon) = line.iter().position(|byte| *byte == b':') else { return false };
        let (name, value) = line.split_at(colon);
        name.eq_ignore_ascii_case(TRANSFER_ENCODING.as_str().as_bytes()) && !is_chunked(&value[1..])
    })
}

fn is_chunked(coding: &[u8]) -> bool {
    coding.trim_ascii().eq_ignore_ascii_case(CHUNKED)
}

/// A host with or without a port. Blank is what clients send that ask for no host in particular.
fn is_host(value: &HeaderValue) -> bool {
    value.is_empty() || (Authority::try_from(value.as_bytes()).is_ok() && !value.as_bytes().contains(&b'@'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_coding_is_found_in_its_own_header_alone() {
        for head in ["GET / HTTP/1.1\r\nTransfer-Encoding: gzip\r\n", "GET / HTTP/1.1\ntransfer-encoding:chunked, gzip"]
        {
            assert!(names_unknown_coding(head.as_bytes()), "{head:?}");
        }
        for head in [
            "",
            "GET / HTTP/1.1\r\nTransfer-Encoding: Chunked \r\n",
            "GET / HTTP/1.1\r\nX: Transfer-Encoding: gzip\r\n",
            "Transfer-Encoding: gzip\r\n",
        ] {
            assert!(!names_unknown_coding(head.as_bytes()), "{head:?}");
        }
    }
}
