//! What can go wrong on the way to a provider.

use axum::body::Body;
use axum::extract::Request;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use http::StatusCode;
use http::header::CONTENT_LENGTH;

/// What becomes of one request.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// It is done and answered, so that the fault behind this one meets a later request.
    Pass,
    /// It is refused with this status before anything is done.
    Fail(u16),
    /// It is done, and answered with this status.
    DoAndFail(u16),
    /// It is done, and the connection breaks before the answer is whole.
    DoAndBreakOff,
    /// It is done, and never answered.
    DoAndHang,
    /// It is done, and the answer is no JSON.
    DoAndGarble,
    /// It is done, and the answer is larger than any that a provider sends.
    DoAndFlood,
}

impl Fault {
    /// Lets the request meet its fault. `problem` makes an error of the provider's form.
    pub(crate) async fn meet(self, request: Request, next: Next, problem: fn(u16) -> Vec<u8>) -> Response {
        match self {
            Self::Pass => next.run(request).await,
            Self::Fail(status) => answer(status, problem(status)),
            Self::DoAndFail(status) => {
                next.run(request).await;
                answer(status, problem(status))
            }
            Self::DoAndBreakOff => {
                next.run(request).await;
                let parts = [Ok(Bytes::from_static(b"{\"id\": \"")), Err(std::io::Error::other("broken off"))];
                ([(CONTENT_LENGTH, "500")], Body::from_stream(stream::iter(parts))).into_response()
            }
            Self::DoAndHang => {
                next.run(request).await;
                std::future::pending().await
            }
            Self::DoAndGarble => {
                next.run(request).await;
                answer(200, b"<html>down for maintenance</html>".to_vec())
            }
            Self::DoAndFlood => {
                next.run(request).await;
                answer(200, vec![b' '; 3 * 1024 * 1024])
            }
        }
    }
}

fn answer(status: u16, body: Vec<u8>) -> Response {
    let status = StatusCode::from_u16(status).unwrap_or(StatusCode::INTERNAL_SERVER_ERROR);
    (status, [("content-type", "application/json")], body).into_response()
}
