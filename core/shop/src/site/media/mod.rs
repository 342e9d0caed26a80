//! `GET /media/…`: images from the media folder, and nothing that lies elsewhere or is hidden in it; with `?w=W` scaled.

mod bucket;
mod kept;
mod scale;
mod scaled;

use std::convert::Infallible;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use axum::BoxError;
use axum::body::{Body, Bytes, HttpBody};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, HeaderValue, Method, Request, StatusCode, Uri, header};
use percent_encoding::percent_decode_str;
use tower_http::services::ServeDir;
use tower_service::Service;

use self::bucket::BucketMedia;
use self::scaled::{Original, ScaledPictures, wanted_width};
use stoa_kernel::config::MediaConfig;
use stoa_kernel::http::error::ApiError;
use stoa_kernel::http::file::FILE_POLICY;
use stoa_kernel::storage::MediaStore;

/// Serves the files of the media folder, with ranges and conditional requests.
#[derive(Clone)]
pub(super) struct Media {
    folder: Arc<Path>,
    files: ServeDir,
    scaled: ScaledPictures,
    copies: ServeDir,
    /// What takes the place of the folders, if anything does.
    bucket: Option<BucketMedia>,
}

/// The service for the folders of the configuration, which need not exist yet.
pub(super) fn service(config: &MediaConfig) -> Media {
    let serve =
        |folder: &Path| ServeDir::new(folder).append_index_html_on_directories(false).ignore_multi_range_requests(true);
    let store = MediaStore::of(config);
    let scaled = ScaledPictures::new(config, &store);
    Media {
        folder: config.folder.as_path().into(),
        files: serve(&config.folder),
        copies: serve(&config.scaled_folder),
        bucket: match &store {
            MediaStore::Bucket(storage) => Some(BucketMedia::new(storage.clone(), scaled.clone())),
            MediaStore::Folder(_) => None,
        },
        scaled,
    }
}

impl Service<Request<Body>> for Media {
    type Response = Response;
    type Error = Infallible;
    type Future = std::pin::Pin<Box<dyn Future<Output = Result<Response, Infallible>> + Send>>;

    fn poll_ready(&mut self, _: &mut std::task::Context<'_>) -> std::task::Poll<Result<(), Infallible>> {
        std::task::Poll::Ready(Ok(()))
    }

    fn call(&mut self, request: Request<Body>) -> Self::Future {
        let media = self.clone();
        Box::pin(async move { Ok(media.serve(request).await.unwrap_or_else(IntoResponse::into_response)) })
    }
}

impl Media {
    async fn serve(mut self, request: Request<Body>) -> Result<Response, ApiError> {
        let width = wanted_width(request.uri().query())?;
        let path = percent_decode_str(request.uri().path()).decode_utf8_lossy().into_owned();
        if let Some(bucket) = &self.bucket {
            if has_hidden(Path::new(path.trim_start_matches('/'))) {
                return Err(ApiError::not_found());
            }
            return bucket.serve(request, path.trim_start_matches('/'), width).await;
        }
        let folder = Arc::clone(&self.folder);
        let found = tokio::task::spawn_blocking(move || find(&folder, &path)).await.map_err(ApiError::internal)?;
        let file = match found {
            Found::Closed => return Err(ApiError::not_found()),
            Found::Nothing => None,
            Found::File(file) => Some(file),
        };
        if let (Some(width), Some(file)) = (width, file)
            && matches!(*request.method(), Method::GET | Method::HEAD)
            && let Some(name) = self.scaled.copy_of(Original::File(file), width).await
            && let Some(copied) = for_copy(&request, &name)
        {
            let copy = self.copies.try_call(copied).await;
            // It may have made room for others just now.
            if copy.as_ref().is_ok_and(|copy| copy.status() != StatusCode::NOT_FOUND) {
                return answer(copy);
            }
        }
        answer(self.files.try_call(request).await)
    }
}

/// The same request for a copy: with its conditions and ranges.
fn for_copy(request: &Request<Body>, name: &str) -> Option<Request<Body>> {
    let mut copied = Request::new(Body::empty());
    *copied.method_mut() = request.method().clone();
    *copied.uri_mut() = format!("/{name}").parse::<Uri>().ok()?;
    copied.headers_mut().clone_from(request.headers());
    Some(copied)
}

/// What a path leads to.
enum Found {
    /// What visitors must not have: a hidden file, such as `.env`, or one outside of the folder, to which a link leads.
    Closed,
    /// Nothing, or a folder.
    Nothing,
    /// The file itself, whatever links lead to it.
    File(PathBuf),
}

fn find(folder: &Path, path: &str) -> Found {
    let asked = Path::new(path.trim_start_matches('/'));
    if has_hidden(asked) {
        return Found::Closed;
    }
    let (Ok(root), Ok(file)) = (folder.canonicalize(), folder.join(asked).canonicalize()) else {
        return Found::Nothing;
    };
    match file.strip_prefix(&root) {
        Ok(inner) if !has_hidden(inner) => Found::File(file),
        _ => Found::Closed,
    }
}

/// Whether any part of a path begins with a dot.
fn has_hidden(path: &Path) -> bool {
    path.components().any(|part| part.as_os_str().as_encoded_bytes().starts_with(b"."))
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
    mark(response.headers_mut());
    Ok(response)
}

/// What every file says of itself.
fn mark(headers: &mut HeaderMap) {
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(FILE_POLICY));
    headers.insert(header::CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"));
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
