//! Receiving the body of a request, within a limit.

use std::error::Error;
use std::io;

use axum::body::{Body, Bytes};
use http::{HeaderMap, header};
use http_body_util::{BodyExt, LengthLimitError, Limited};

use super::error::ApiError;

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

/// Whether the server waited for more in vain, as it says by an I/O error of that kind.
fn has_timed_out(error: &(dyn Error + 'static)) -> bool {
    let is_here = error.downcast_ref::<io::Error>().is_some_and(|error| error.kind() == io::ErrorKind::TimedOut);
    is_here || error.source().is_some_and(has_timed_out)
}
