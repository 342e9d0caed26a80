//! `GET /media/…`: pictures from the media folder.

use std::convert::Infallible;
use std::io::{self, ErrorKind};
use std::path::Path;

use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, Request, StatusCode, header};
use tower_http::services::ServeDir;
use tower_service::Service;

use crate::http::error::ApiError;

/// A picture cannot run anything, even when an SVG holds a script and is opened by itself.
const POLICY: &str = "default-src 'none'; style-src 'unsafe-inline'; sandbox";

/// Serves the files of the media folder, with ranges and conditional requests.
#[derive(Clone)]
pub(super) struct Media {
    files: ServeDir,
}

/// The service for a folder, which need not exist yet.
pub(super) fn service(folder: &Path) -> Media {
    Media { files: ServeDir::new(folder).append_index_html_on_directories(false).ignore_multi_range_requests(true) }
}

impl Service<Request<Body>> for Media {
    type Response = Response;
    type Error = Infallible;
    type Future = std::pin::Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut std::task::Context<'_>) -> std::task::Poll<Result<(), Infallible>> {
        std::task::Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let mut files = self.files.clone();
        Box::pin(async move {
            let found = files.try_call(request).await;
            Ok(answer(found).unwrap_or_else(IntoResponse::into_response))
        })
    }
}

/// The file, or the part of it that was asked for; everything else becomes an error of the shop's own.
fn answer<B>(found: io::Result<Response<B>>) -> Result<Response, ApiError>
where
    B: HttpBody<Data = Bytes, Error: Into<BoxError>> + Send + 'static,
{
    let found =
        found.map_err(|error| if names_nothing(&error) { ApiError::not_found() } else { ApiError::internal(error) })?;
    match found.status() {
        StatusCode::METHOD_NOT_ALLOWED => {
            let refused = ApiError::method_not_allowed();
            return Err(match found.headers().get(header::ALLOW) {
                Some(allow) => refused.with_header(header::ALLOW, allow.clone()),
                None => refused,
            });
        }
        StatusCode::RANGE_NOT_SATISFIABLE => {
            return Err(match size_of(found.headers()) {
                Some(size) => ApiError::range_not_satisfiable(size),
                None => ApiError::internal("the media folder refuses a range of a file without a size"),
            });
        }
        StatusCode::PRECONDITION_FAILED => return Err(ApiError::precondition_failed()),
        status if status.is_client_error() => return Err(ApiError::not_found()),
        status if status.is_server_error() => {
            return Err(ApiError::internal(format!("the media folder answers with {status}")));
        }
        _ => {}
    }
    let mut response = found.map(Body::new);
    let headers = response.headers_mut();
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"));
    Ok(response)
}

/// Whether an error says that there is no such file for visitors: the file system does not even take every name, such as
/// one of more than 255 bytes.
fn names_nothing(error: &io::Error) -> bool {
    use ErrorKind::{InvalidFilename, NotADirectory, NotFound, PermissionDenied};
    matches!(error.kind(), NotFound | PermissionDenied | NotADirectory | InvalidFilename)
}

/// The size of a file of which a range was refused, as `Content-Range: bytes */1000` tells it.
fn size_of(headers: &HeaderMap) -> Option<u64> {
    headers.get(header::CONTENT_RANGE)?.to_str().ok()?.strip_prefix("bytes */")?.parse().ok()
}
