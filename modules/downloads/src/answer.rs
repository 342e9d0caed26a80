//! The answer that is a file, or a part of one.

use std::io;
use std::ops::Range;
use std::sync::Arc;

use axum::body::Body;
use axum::response::{IntoResponse, Response};
use bytes::Bytes;
use futures_util::stream;
use http::{HeaderMap, HeaderValue, StatusCode, header};
use serde_json::json;
use stoa_core::db::Db;
use stoa_core::http::shape::Answers;
use stoa_core::http::table::{AnswerShape, HeaderParameter, Operation};

use crate::content::Content;
use crate::counters::Counters;
use crate::file_name::{disposition, media_type};
use crate::model::GrantedFile;
use crate::storage::StorageError;
use crate::transfer;

/// Whatever is in the file, it does nothing with this shop's pages when a browser shows it all the same.
const POLICY: &str = "default-src 'none'; sandbox";

/// A file, its headers alone, or that it has not changed.
pub(crate) struct FileAnswer {
    status: StatusCode,
    headers: HeaderMap,
    body: Body,
}

impl FileAnswer {
    /// 304.
    pub(crate) fn unchanged(file: &GrantedFile) -> Self {
        let mut headers = HeaderMap::new();
        headers.extend(HeaderValue::try_from(file.etag()).ok().map(|etag| (header::ETAG, etag)));
        Self { status: StatusCode::NOT_MODIFIED, headers, body: Body::empty() }
    }

    /// 200 as `GET` would answer it, without the file.
    pub(crate) fn headers_of(file: &GrantedFile) -> Self {
        let mut headers = headers(file);
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(file.length()));
        Self { status: StatusCode::OK, headers, body: Body::empty() }
    }

    /// 200 with the file, or 206 with a part of it, of which `first` was read already.
    pub(crate) fn content(
        file: &GrantedFile,
        part: Option<&Range<u64>>,
        first: Option<Bytes>,
        content: Content,
        db: Db,
        counters: Arc<Counters>,
    ) -> Self {
        let size = file.length();
        let range = part.cloned().unwrap_or(0..size);
        let mut headers = headers(file);
        headers.insert(header::CONTENT_LENGTH, HeaderValue::from(range.end - range.start));
        if part.is_some() {
            let text = format!("bytes {}-{}/{size}", range.start, range.end - 1);
            headers.extend(HeaderValue::try_from(text).ok().map(|text| (header::CONTENT_RANGE, text)));
        }
        let sending = Sending { first, content, completes: range.end == size, grant_id: file.grant_id, db, counters };
        let status = if part.is_some() { StatusCode::PARTIAL_CONTENT } else { StatusCode::OK };
        Self { status, headers, body: sending.into_body() }
    }
}

fn headers(file: &GrantedFile) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type(&file.filename)));
    headers.insert(header::CONTENT_DISPOSITION, disposition(&file.filename));
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.extend(HeaderValue::try_from(file.etag()).ok().map(|etag| (header::ETAG, etag)));
    headers
}

/// A transfer that runs.
struct Sending {
    first: Option<Bytes>,
    content: Content,
    /// Whether the last byte of the file is among those that are sent.
    completes: bool,
    grant_id: i64,
    db: Db,
    counters: Arc<Counters>,
}

impl Sending {
    fn into_body(self) -> Body {
        Body::from_stream(stream::try_unfold(self, async |mut sending| {
            match sending.next().await {
                Ok(Some(piece)) => Ok(Some((piece, sending))),
                Ok(None) => Ok(None),
                Err(error) => {
                    sending.counters.failed();
                    tracing::error!(
                        download.id = sending.grant_id,
                        error = &error as &dyn std::error::Error,
                        "a transfer was cut: the file cannot be read on"
                    );
                    // The client sees that the answer is shorter than was said; why is for the log alone.
                    Err(io::Error::other("the file cannot be read on"))
                }
            }
        }))
    }

    async fn next(&mut self) -> Result<Option<Bytes>, StorageError> {
        let piece = match self.first.take() {
            Some(first) => Some(first),
            None => self.content.next().await?,
        };
        let Some(piece) = piece else { return Ok(None) };
        if self.completes && self.content.remaining() == 0 {
            // Before the last piece goes out, so that whoever has it all has it noted.
            if let Err(error) = transfer::complete(&self.db, self.grant_id).await {
                let error = &error as &dyn std::error::Error;
                tracing::warn!(download.id = self.grant_id, error, "the end of a transfer could not be noted");
            }
        }
        self.counters.sent(piece.len());
        Ok(Some(piece))
    }
}

impl IntoResponse for FileAnswer {
    fn into_response(self) -> Response {
        (self.status, self.headers, self.body).into_response()
    }
}

impl Answers for FileAnswer {
    fn answers(operation: &mut Operation) {
        operation.answer =
            Some(AnswerShape { status: 200, description: "The file", schema: |_| json!({"type": "string"}) });
        operation.files.push("application/octet-stream");
        operation.only_files = true;
        operation.ranges = true;
        operation.cached = true;
        operation.answer_headers.extend([
            HeaderParameter {
                name: "Content-Disposition",
                description: "Says that the file is to be saved, and under which name.",
                pattern: "^attachment; filename=\".*\"; filename\\*=UTF-8''.*$",
                example: "attachment; filename=\"songs.zip\"; filename*=UTF-8''songs.zip",
            },
            HeaderParameter {
                name: "Accept-Ranges",
                description: "Parts can be asked for.",
                pattern: "^bytes$",
                example: "bytes",
            },
        ]);
    }
}
