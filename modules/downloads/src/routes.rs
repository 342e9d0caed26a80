//! `/downloads`: a customer's own files.

use std::sync::Arc;

use serde_json::{Value, json};
use stoa_core::auth::LimitClass;
use stoa_core::http::RangeRequest;
use stoa_core::http::conditions::FileConditions;
use stoa_core::prelude::*;

use crate::answer::{FileAnswer, Transfer, length};
use crate::config::Config;
use crate::content::Content;
use crate::counters::Counters;
use crate::model::{DownloadResource, Grant, GrantedFile};
use crate::storage::{Storage, StorageError};
use crate::{queries, transfer};

/// What the routes, jobs and commands of the module share.
#[derive(Clone)]
pub(crate) struct DownloadsState {
    pub(crate) config: Arc<Config>,
    pub(crate) storage: Storage,
    pub(crate) counters: Arc<Counters>,
}

const EXAMPLE_TOKEN: &str = "q7Zr2mX0cV9nB4kL8sT1wY6uE3oP5aDfGhJiKxCvMbNyRtQz";

pub(crate) fn download_routes() -> Routes<DownloadsState> {
    routes()
        .get("downloads.index", "/downloads", index)
        .summary("List own downloads")
        .description(
            "The newest first, 20 on a page, one for each unit and file that was bought. Those that are used up, expired \
             or revoked stay in the list, with the reason.",
        )
        .example(|| example_page("/downloads", &example()))
        .get("downloads.file", "/downloads/{token}", file)
        .summary("Download a file")
        .path_parameter("The `token` of an own download, as the list has it.", EXAMPLE_TOKEN)
        .description(
            "The newest version of the file, as an attachment. `HEAD` costs nothing. A `GET` of the whole file is counted as \
             a download. Parts are fetched with `Range` from what a counted download has left, for a day, so an \
             interrupted transfer goes on without being counted; a part for which nothing is left is a download of its own. \
             409 has the reasons `used_up`, `expired`, `suspended` and `revoked`.",
        )
        .fails_with(&[409])
        .limited(LimitClass::Checkout)
}

fn example() -> Value {
    json!({
        "token": EXAMPLE_TOKEN, "label": "Songs from the Colonnade",
        "filename": "songs.zip", "size": 73_400_320,
        "sha256": "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08",
        "download_count": 1, "download_limit": 3, "expires_at": "2026-02-14T12:00:00Z", "can_download": true,
        "unavailable_reason": null, "version": 2, "granted_at": "2026-01-15T12:00:00Z", "order_id": 42,
    })
}

async fn index(buyer: Buyer, db: ListDb, page: PageRequest) -> ApiResult<Paged<DownloadResource>> {
    let total = db.read(queries::COUNT_OWN).bought_by(buyer).scalar::<i64>().await?;
    let grants = db.read(queries::LIST_OWN).bought_by(buyer).bind(page.limit()).bind(page.offset());
    let now = db.now();
    let grants = grants.all::<Grant>().await?;
    Ok(page.answer(grants.iter().map(|grant| grant.shown(now)).collect(), total))
}

async fn file(
    State(state): State<DownloadsState>,
    buyer: Buyer,
    db: Db,
    Name(token): Name,
    conditions: FileConditions,
) -> ApiResult<FileAnswer> {
    let found = db.read(queries::FIND_OWN_FILE).bought_by(buyer).bind(token).optional::<GrantedFile>().await?;
    let file = found.ok_or_else(ApiError::not_found)?;
    let (size, etag) = (file.length(), file.etag());
    let wanted = conditions.range(size, &etag);
    let range = match &wanted {
        RangeRequest::Part(range) => range.clone(),
        RangeRequest::Whole | RangeRequest::Unsatisfiable => 0..size,
    };
    let refusal = match &wanted {
        // Whether something is left to go on with is seen when it starts.
        RangeRequest::Part(_) => file.standing.withheld(db.now()),
        RangeRequest::Whole | RangeRequest::Unsatisfiable => file.standing.refusal(db.now()),
    };
    if let Some(refusal) = refusal {
        return Err(refusal.into());
    }
    if conditions.is_known(&etag) {
        return Ok(FileAnswer::unchanged(&file));
    }
    if conditions.head_only {
        return Ok(FileAnswer::headers_of(&file));
    }
    if wanted == RangeRequest::Unsatisfiable {
        return Err(ApiError::range_not_satisfiable(size));
    }
    // What cannot be read is found before anything is counted.
    let mut content = open(&state, &file, &range).await?;
    let first = content.next().await.map_err(|error| unreadable(&state, &file, error))?;
    let sent_to = range.start + first.as_ref().map_or(0, length);
    let id = transfer::start(&db, &state.config, &file, &range, sent_to).await?;
    state.counters.started();
    let is_part = matches!(wanted, RangeRequest::Part(_));
    let transfer = Transfer { id, grant_id: file.grant_id, at: range.start, sent_to, end: range.end, db };
    Ok(FileAnswer::content(&file, is_part.then_some(&range), first, content, transfer, state.counters))
}

async fn open(state: &DownloadsState, file: &GrantedFile, range: &std::ops::Range<u64>) -> ApiResult<Content> {
    let opened = Content::open(&state.storage, &file.storage_key, range.clone()).await;
    opened.map_err(|error| unreadable(state, file, error))
}

/// 503 without details: the operator finds them in the log.
fn unreadable(state: &DownloadsState, file: &GrantedFile, error: StorageError) -> ApiError {
    state.counters.failed();
    tracing::error!(
        download.id = file.grant_id,
        filename = file.filename,
        object = file.storage_key.as_str(),
        "a file that was sold cannot be read; `stoa downloads check` looks at all of them"
    );
    ApiError::unavailable(error)
}
