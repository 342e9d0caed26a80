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
use stoa_core::db::{Db, DbError};
use stoa_core::http::file::{DISPOSITION, attachment};
use stoa_core::http::shape::DescribesAnswer;
use stoa_core::http::table::{AnswerShape, HeaderParameter, Operation};

use crate::content::Content;
use crate::counters::Counters;
use crate::file_name::media_type;
use crate::model::GrantedFile;
use crate::storage::StorageError;
use crate::transfer;

/// Whatever is in the file, it does nothing with this shop's pages when a browser shows it all the same.
const POLICY: &str = "default-src 'none'; sandbox";

/// How many times at least it is written down how far a transfer is, and the fewest and most bytes from one time to the next:
/// what is written down and not sent when a transfer breaks off may have to be sent again.
const STEPS: u64 = 16;
const SHORTEST_STEP: u64 = 256 * 1024;
const LONGEST_STEP: u64 = 8 * 1024 * 1024;

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
        transfer: Transfer,
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
        let sending = Sending { first, content, transfer, size, counters };
        let status = if part.is_some() { StatusCode::PARTIAL_CONTENT } else { StatusCode::OK };
        Self { status, headers, body: sending.into_body() }
    }
}

fn headers(file: &GrantedFile) -> HeaderMap {
    let mut headers = HeaderMap::new();
    headers.insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type(&file.filename)));
    headers.insert(header::CONTENT_DISPOSITION, attachment(&file.filename));
    headers.insert(header::ACCEPT_RANGES, HeaderValue::from_static("bytes"));
    headers.insert(header::X_CONTENT_TYPE_OPTIONS, HeaderValue::from_static("nosniff"));
    headers.insert(header::CONTENT_SECURITY_POLICY, HeaderValue::from_static(POLICY));
    headers.extend(HeaderValue::try_from(file.etag()).ok().map(|etag| (header::ETAG, etag)));
    headers
}

/// A transfer as it was started.
pub(crate) struct Transfer {
    pub(crate) id: i64,
    pub(crate) grant_id: i64,
    /// The byte that comes next.
    pub(crate) at: u64,
    /// The byte before which it may send, as it is written down.
    pub(crate) sent_to: u64,
    /// The byte behind its last one.
    pub(crate) end: u64,
    pub(crate) db: Db,
}

/// Why a transfer ends before its time.
#[derive(Debug, thiserror::Error)]
enum CutError {
    #[error(transparent)]
    Storage(#[from] StorageError),
    #[error(transparent)]
    Db(#[from] DbError),
    /// Another transfer sends what follows.
    #[error("another transfer goes on with it")]
    Stopped,
}

impl Transfer {
    /// Writes down that these bytes are sent; how many of them may be.
    async fn let_out(&mut self, bytes: u64, size: u64) -> Result<u64, CutError> {
        let to = self.at + bytes;
        if to == self.end && self.sent_to < to {
            // Before the last piece goes out, so that whoever has it all has it noted.
            if transfer::end(&self.db, self.id, self.grant_id, to, to == size).await? {
                self.sent_to = to;
            }
        }
        if self.sent_to < to {
            // Some pieces at once, so that the database is asked a few times for each file.
            let step = ((self.end - self.at) / STEPS).clamp(SHORTEST_STEP, LONGEST_STEP).max(bytes);
            // The last byte is noted with the end.
            let wanted = (self.at + step).min(self.end - 1).max(to);
            self.sent_to = transfer::let_out(&self.db, self.id, wanted).await?.unwrap_or(self.at).max(self.at);
        }
        Ok(self.sent_to.min(to) - self.at)
    }
}

/// A transfer that runs.
struct Sending {
    first: Option<Bytes>,
    content: Content,
    transfer: Transfer,
    /// Bytes of the file.
    size: u64,
    counters: Arc<Counters>,
}

impl Sending {
    fn into_body(self) -> Body {
        Body::from_stream(stream::try_unfold(self, async |mut sending| {
            match sending.next().await {
                Ok(Some(piece)) => Ok(Some((piece, sending))),
                Ok(None) => Ok(None),
                Err(error) => {
                    sending.note(&error);
                    // The client sees that the answer is shorter than was said; why is for the log alone.
                    Err(io::Error::other("the file cannot be read on"))
                }
            }
        }))
    }

    async fn next(&mut self) -> Result<Option<Bytes>, CutError> {
        let piece = match self.first.take() {
            Some(first) => Some(first),
            None => self.content.next().await?,
        };
        let Some(mut piece) = piece else { return Ok(None) };
        let allowed = self.transfer.let_out(length(&piece), self.size).await?;
        if allowed == 0 {
            return Err(CutError::Stopped);
        }
        // What is cut off here another transfer sends, and the next piece finds that nothing is allowed any more.
        piece.truncate(usize::try_from(allowed).unwrap_or(usize::MAX));
        self.transfer.at += length(&piece);
        self.counters.sent(piece.len());
        Ok(Some(piece))
    }

    fn note(&self, error: &CutError) {
        let id = self.transfer.grant_id;
        if matches!(error, CutError::Stopped) {
            tracing::debug!(download.id = id, "a transfer was cut: another one goes on with it");
            return;
        }
        self.counters.failed();
        let error = error as &dyn std::error::Error;
        tracing::error!(download.id = id, error, "a transfer was cut: the file cannot be read on");
    }
}

/// Bytes of a piece.
pub(crate) fn length(piece: &Bytes) -> u64 {
    u64::try_from(piece.len()).unwrap_or(u64::MAX)
}

impl IntoResponse for FileAnswer {
    fn into_response(self) -> Response {
        (self.status, self.headers, self.body).into_response()
    }
}

impl DescribesAnswer for FileAnswer {
    fn answers(operation: &mut Operation) {
        operation.answer =
            Some(AnswerShape { status: 200, description: "The file", schema: |_| json!({"type": "string"}) });
        operation.files.push("application/octet-stream");
        operation.only_files = true;
        operation.ranges = true;
        operation.cached = true;
        operation.answer_headers.extend([
            DISPOSITION,
            HeaderParameter {
                name: "Accept-Ranges",
                description: "Parts can be asked for.",
                pattern: "^bytes$",
                example: "bytes",
            },
            HeaderParameter {
                name: "Content-Security-Policy",
                description: "Whatever is in the file, a browser runs nothing of it.",
                pattern: "^default-src 'none'; sandbox$",
                example: POLICY,
            },
        ]);
    }
}
