//! `GET /media/…`: pictures from the media folder.

use std::convert::Infallible;
use std::path::Path;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use http::{HeaderValue, Request, header};
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
    Media { files: ServeDir::new(folder).append_index_html_on_directories(false) }
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
            let Ok(found) = files.call(request).await;
            if found.status() == http::StatusCode::METHOD_NOT_ALLOWED {
                let allow = found.headers().get(header::ALLOW).cloned();
                let refused = ApiError::method_not_allowed();
                return Ok(match allow {
                    Some(allow) => refused.with_header(header::ALLOW, allow).into_response(),
                    None => refused.into_response(),
                });
            }
            if found.status().is_client_error() && found.status() != http::StatusCode::RANGE_NOT_SATISFIABLE {
                return Ok(ApiError::not_found().into_response());
            }
            let mut response = found.map(Body::new);
            let headers = response.headers_mut();
            headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
            headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
            headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"));
            Ok(response)
        })
    }
}
