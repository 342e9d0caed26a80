//! Pictures of a bucket, sent through the shop: with ranges and conditional requests, as those of a folder are.

use std::sync::Arc;
use std::time::Duration;

use axum::body::Body;
use axum::extract::FromRequestParts;
use axum::response::Response;
use futures_util::{StreamExt, TryStreamExt};
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, header};
use tokio::sync::Semaphore;

use stoa_kernel::http::RangeRequest;
use stoa_kernel::http::conditions::FileConditions;
use stoa_kernel::http::error::ApiError;
use stoa_kernel::storage::{ObjectMeta, Storage, StorageError, media_type};

use super::mark;
use super::scaled::{Original, ScaledPictures};

/// How long the server may take until it begins to answer.
const PATIENCE: Duration = Duration::from_secs(10);

/// Requests that wait for the server. More are turned away, so that one that does not answer leaves the shop its connections.
const AT_ONCE: usize = 64;

/// The pictures of a bucket. Cloning is cheap.
#[derive(Clone)]
pub(super) struct BucketMedia {
    storage: Storage,
    scaled: ScaledPictures,
    waiting: Arc<Semaphore>,
}

impl BucketMedia {
    pub(super) fn new(storage: Storage, scaled: ScaledPictures) -> Self {
        Self { storage, scaled, waiting: Arc::new(Semaphore::new(AT_ONCE)) }
    }

    /// Answers with a picture, or its copy of a width.
    pub(super) async fn serve(
        &self,
        request: Request<Body>,
        path: &str,
        width: Option<u32>,
    ) -> Result<Response, ApiError> {
        if !matches!(*request.method(), Method::GET | Method::HEAD) {
            return Err(ApiError::method_not_allowed().with_header(header::ALLOW, HeaderValue::from_static("GET,HEAD")));
        }
        let is_name = !path.is_empty() && path.split('/').all(|part| !part.is_empty() && !part.contains('\0'));
        if !is_name {
            return Err(ApiError::not_found());
        }
        let (mut parts, _) = request.into_parts();
        let Ok(conditions) = FileConditions::from_request_parts(&mut parts, &()).await;
        self.answer(path, width, &conditions).await.map_err(refused)?
    }

    /// Asks the server, for as long as patience lasts.
    async fn ask<T>(&self, asked: impl Future<Output = Result<T, StorageError>>) -> Result<T, StorageError> {
        let _waiting = self.waiting.try_acquire().map_err(|_| StorageError::Busy)?;
        tokio::time::timeout(PATIENCE, asked).await.unwrap_or(Err(StorageError::Slow(PATIENCE)))
    }

    async fn answer(
        &self,
        path: &str,
        width: Option<u32>,
        conditions: &FileConditions,
    ) -> Result<Result<Response, ApiError>, StorageError> {
        let meta = self.ask(self.storage.head(path)).await?;
        if let Some(copy) = self.copy_of(path, &meta, width).await {
            match self.ask(self.storage.head(&copy)).await {
                Ok(meta) => return self.send(&copy, &meta, conditions).await,
                // The server may have let go of it.
                Err(StorageError::Missing(_)) => self.scaled.forget(&copy),
                Err(error) => return Err(error),
            }
        }
        self.send(path, &meta, conditions).await
    }

    /// The key of the copy of a picture. One that is not there in time is made all the same, for whoever asks next.
    async fn copy_of(&self, path: &str, meta: &ObjectMeta, width: Option<u32>) -> Option<String> {
        let (key, size) = (path.to_owned(), meta.size);
        let tag = meta.e_tag.clone().unwrap_or_else(|| meta.last_modified.to_rfc3339());
        let copy = self.scaled.copy_of(Original::Object { key, tag, size }, width?);
        tokio::time::timeout(PATIENCE, copy).await.ok().flatten()
    }

    /// The object, the part of it that is wanted, or that the client has it.
    async fn send(
        &self,
        key: &str,
        meta: &ObjectMeta,
        conditions: &FileConditions,
    ) -> Result<Result<Response, ApiError>, StorageError> {
        let mut headers = headers_of(key, meta);
        let etag = meta.e_tag.as_deref().unwrap_or_default();
        if !etag.is_empty() && conditions.is_known(etag) {
            return Ok(Ok(response(StatusCode::NOT_MODIFIED, headers, Body::empty())));
        }
        let (status, range) = match conditions.range(meta.size, etag) {
            RangeRequest::Whole => (StatusCode::OK, 0..meta.size),
            RangeRequest::Part(range) => (StatusCode::PARTIAL_CONTENT, range),
            RangeRequest::Unsatisfiable => return Ok(Err(ApiError::range_not_satisfiable(meta.size))),
        };
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(range.end - range.start));
        if status == StatusCode::PARTIAL_CONTENT {
            let described = format!("bytes {}-{}/{}", range.start, range.end - 1, meta.size);
            headers.extend(HeaderValue::try_from(described).ok().map(|value| (header::CONTENT_RANGE, value)));
        }
        if conditions.head_only || range.is_empty() {
            return Ok(Ok(response(status, headers, Body::empty())));
        }
        // What fails before the first bytes is still an answer of its own.
        let opened = self.ask(async {
            let mut stream = self.storage.read(key, Some(range)).await?.into_stream();
            let first = stream.next().await.transpose()?;
            Ok((first, stream))
        });
        let (first, stream) = opened.await?;
        let stream = futures_util::stream::iter(first.map(Ok)).chain(stream);
        let body = Body::from_stream(stream.map_err(|error| {
            tracing::warn!(error = &error as &dyn std::error::Error, "a picture broke off while it was sent");
            std::io::Error::other("the picture cannot be read on")
        }));
        Ok(Ok(response(status, headers, body)))
    }
}

fn headers_of(key: &str, meta: &ObjectMeta) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type(key)));
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    let modified = meta.last_modified.format("%a, %d %b %Y %H:%M:%S GMT").to_string();
    headers.extend(HeaderValue::try_from(modified).ok().map(|value| (header::LAST_MODIFIED, value)));
    let etag = meta.e_tag.as_deref().and_then(|etag| HeaderValue::from_str(etag).ok());
    headers.extend(etag.map(|etag| (header::ETAG, etag)));
    mark(&mut headers);
    headers
}

fn response(status: StatusCode, headers: HeaderMap, body: Body) -> Response {
    let mut response = Response::new(body);
    *response.status_mut() = status;
    *response.headers_mut() = headers;
    response
}

/// 404 for what is not there, else 503 without details, which are in the log.
fn refused(error: StorageError) -> ApiError {
    match error {
        StorageError::Missing(_) => ApiError::not_found(),
        error => ApiError::unavailable(error),
    }
}
