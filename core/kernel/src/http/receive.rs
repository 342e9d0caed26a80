//! Receiving the body of a request, within a limit.

use std::error::Error;
use std::io;

use axum::body::{Body, Bytes};
use http::{HeaderMap, HeaderValue, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};

use super::error::ApiError;

/// Largest body of a write, in bytes.
pub(super) const MAX_BODY: usize = 1024 * 1024;

/// The whole body, which may have `most` bytes. A longer one is 413, one that the client stops sending 408, and one that
/// breaks off or is not framed as HTTP says 400: all are mistakes of the client's, so none is logged as a failure.
pub async fn receive_body(headers: &HeaderMap, body: Body, most: usize) -> Result<Bytes, ApiError> {
    let declared = headers.get(header::CONTENT_LENGTH).and_then(|value| value.to_str().ok()?.parse::<u64>().ok());
    if declared.is_some_and(|length| length > most as u64) {
        return Err(ApiError::payload_too_large());
    }
    match Limited::new(body, most).collect().await {
        Ok(collected) => Ok(collected.to_bytes()),
        Err(error) if error.is::<LengthLimitError>() => Err(ApiError::payload_too_large()),
        Err(error) => {
            tracing::debug!(error = &*error as &dyn Error, "a request body did not arrive");
            Err(if has_timed_out(&*error) { ApiError::request_timeout() } else { ApiError::bad_request() })
        }
    }
}

/// The body of a write within [`MAX_BODY`]; anything that is not JSON, or compressed, is refused (contract 2).
pub(super) async fn receive_json(headers: &HeaderMap, body: Body) -> Result<Bytes, ApiError> {
    let bytes = receive_body(headers, body, MAX_BODY).await?;
    if !bytes.is_empty() && (!is_json(headers.get(header::CONTENT_TYPE)) || is_encoded(headers)) {
        return Err(ApiError::unsupported_media_type());
    }
    Ok(bytes)
}

/// The fields of a form in their order, of which the whole may have `most` bytes. What is declared as anything else is 415.
pub async fn receive_form(headers: &HeaderMap, body: Body, most: usize) -> Result<Vec<(String, String)>, ApiError> {
    if !is_form(headers) {
        return Err(ApiError::unsupported_media_type());
    }
    let bytes = receive_body(headers, body, most).await?;
    Ok(form_fields(&bytes))
}

/// Whether a body is declared as a form without files.
pub(super) fn is_form(headers: &HeaderMap) -> bool {
    essence(headers.get(header::CONTENT_TYPE)).eq_ignore_ascii_case("application/x-www-form-urlencoded")
}

/// The fields of a form without files.
pub(super) fn form_fields(bytes: &[u8]) -> Vec<(String, String)> {
    url::form_urlencoded::parse(bytes).into_owned().collect()
}

/// A short text of a form with files, which must come before them.
pub(super) fn multipart_text(headers: &HeaderMap, bytes: &[u8], name: &str) -> Option<String> {
    let content_type = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
    if !essence(headers.get(header::CONTENT_TYPE)).eq_ignore_ascii_case("multipart/form-data") {
        return None;
    }
    let boundary = content_type.split(';').find_map(|part| part.trim().strip_prefix("boundary="))?;
    let opening = format!("--{}\r\n", boundary.trim_matches('"'));
    let part = bytes.strip_prefix(opening.as_bytes())?;
    // Texts are short, and those that come first are near.
    let part = String::from_utf8_lossy(&part[..part.len().min(2048)]).into_owned();
    let (head, rest) = part.split_once("\r\n\r\n")?;
    let is_named = head.lines().any(|line| {
        line.to_ascii_lowercase().starts_with("content-disposition:") && line.contains(&format!("name=\"{name}\""))
    });
    let (value, _) = rest.split_once("\r\n")?;
    is_named.then(|| value.to_owned())
}

/// Whether the server waited for more in vain, as it says by an I/O error of that kind.
fn has_timed_out(error: &(dyn Error + 'static)) -> bool {
    let is_here = error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::TimedOut);
    is_here || error.source().is_some_and(has_timed_out)
}

fn is_encoded(headers: &HeaderMap) -> bool {
    let mut codings = headers.get_all(header::CONTENT_ENCODING).into_iter();
    codings.any(|coding| !coding.as_bytes().trim_ascii().eq_ignore_ascii_case(b"identity"))
}

/// A media type without its parameters; empty where there is none.
fn essence(content_type: Option<&HeaderValue>) -> &str {
    let text = content_type.and_then(|value| value.to_str().ok()).unwrap_or_default();
    text.split(';').next().unwrap_or_default().trim()
}

fn is_json(content_type: Option<&HeaderValue>) -> bool {
    let essence = essence(content_type);
    essence.eq_ignore_ascii_case("application/json")
        || (essence.len() > 5 && essence[essence.len() - 5..].eq_ignore_ascii_case("+json"))
}
