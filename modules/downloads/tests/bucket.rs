//! The files in a bucket of an S3-compatible server, for which a small one stands in.

mod kit;

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use chrono::TimeDelta;
use http::{Method, StatusCode, header};
use http_body_util::BodyExt;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::doctor::State as Finding;
use stoa_core::jobs::run_job;
use stoa_core::testing::{TestShop, both_databases};

use kit::{attach, buy, bytes, command, customer, digital, newest, path, range, sha256};

const SECRET: &str = "the-secret-of-the-key";

/// What the fake keeps.
#[derive(Default)]
struct StoredObjects {
    objects: BTreeMap<String, Vec<u8>>,
    uploads: HashMap<String, BTreeMap<u32, Vec<u8>>>,
    /// Requests without a signature, or with what nobody should send.
    suspicious: Vec<String>,
}

type Bucket = Arc<Mutex<StoredObjects>>;

fn locked(bucket: &Bucket) -> std::sync::MutexGuard<'_, StoredObjects> {
    bucket.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn answer(State(bucket): State<Bucket>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = body.collect().await.expect("the body can be read").to_bytes().to_vec();
    let query = parts.uri.query().unwrap_or_default().to_owned();
    let value =
        |name: &str| query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')).map(str::to_owned);
    let key = parts.uri.path().trim_start_matches("/files").trim_start_matches('/').to_owned();
    let mut kept = locked(&bucket);
    let signature = parts.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok()).unwrap_or_default();
    let is_signed = signature.starts_with("AWS4-HMAC-SHA256 Credential=the-key/");
    if !is_signed || format!("{:?}", parts.headers).contains(SECRET) {
        kept.suspicious.push(format!("{} {}", parts.method, parts.uri));
    }
    match parts.method {
        Method::POST if query.starts_with("uploads") => {
            let id = format!("upload-{}", kept.uploads.len());
            kept.uploads.insert(id.clone(), BTreeMap::new());
            format!("<InitiateMultipartUploadResult><UploadId>{id}</UploadId></InitiateMultipartUploadResult>")
                .into_response()
        }
        Method::PUT => {
            let (id, number) = (value("uploadId").expect("an upload"), value("partNumber").expect("a part"));
            let parts = kept.uploads.get_mut(&id).expect("a known upload");
            parts.insert(number.parse().expect("a number"), body);
            ([(header::ETAG, format!("\"part-{number}\""))], "").into_response()
        }
        Method::POST => {
            let parts = kept.uploads.remove(&value("uploadId").expect("an upload")).expect("a known upload");
            kept.objects.insert(key, parts.into_values().flatten().collect());
            let done = "<CompleteMultipartUploadResult><ETag>\"whole\"</ETag></CompleteMultipartUploadResult>";
            done.into_response()
        }
        Method::DELETE => {
            kept.objects.remove(&key);
            StatusCode::NO_CONTENT.into_response()
        }
        _ if query.contains("list-type=2") => list(&kept).into_response(),
        method => read(kept.objects.get(&key), method == Method::HEAD, parts.headers.get(header::RANGE)),
    }
}

fn list(kept: &StoredObjects) -> String {
    let mut text = String::from("<ListBucketResult><IsTruncated>false</IsTruncated>");
    for (key, content) in &kept.objects {
        let size = content.len();
        let _ = write!(
            text,
            "<Contents><Key>{key}</Key><LastModified>2026-01-15T12:00:00.000Z</LastModified><ETag>\"e\"</ETag>\
             <Size>{size}</Size></Contents>"
        );
    }
    text + "</ListBucketResult>"
}

fn read(object: Option<&Vec<u8>>, head_only: bool, range: Option<&http::HeaderValue>) -> Response {
    let Some(content) = object else { return StatusCode::NOT_FOUND.into_response() };
    let modified = (header::LAST_MODIFIED, String::from("Thu, 15 Jan 2026 12:00:00 GMT"));
    let etag = (header::ETAG, String::from("\"whole\""));
    if head_only {
        let length = (header::CONTENT_LENGTH, content.len().to_string());
        return ([modified, etag, length], Body::empty()).into_response();
    }
    let range = range.and_then(|range| range.to_str().ok()?.strip_prefix("bytes=")?.split_once('-'));
    let (first, last) = range.expect("the module asks for ranges");
    let (first, last) = (first.parse::<usize>().expect("a number"), last.parse::<usize>().expect("a number"));
    let last = last.min(content.len() - 1);
    let described = (header::CONTENT_RANGE, format!("bytes {first}-{last}/{}", content.len()));
    (StatusCode::PARTIAL_CONTENT, [modified, etag, described], content[first..=last].to_vec()).into_response()
}

/// A bucket, and a shop that keeps its files there.
async fn shop(backend: Backend) -> (TestShop, Bucket) {
    let bucket = Bucket::default();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("there is a port");
    let address = listener.local_addr().expect("it has an address");
    let router = Router::new().fallback(answer).with_state(Arc::clone(&bucket));
    tokio::spawn(async move { axum::serve(listener, router).await });
    let config = format!(
        "[modules.downloads.s3]\nbucket = 'files'\nendpoint = 'http://{address}'\nprefix = 'own/shop'\n\
         access_key_id = 'the-key'\nsecret_access_key = '{SECRET}'"
    );
    let shop = kit::builder(backend).config(&config).open().await;
    shop.stock(&[digital("songs", &json!({}))]).await;
    (shop, bucket)
}

both_databases!(files_are_kept_in_a_bucket);
async fn files_are_kept_in_a_bucket(backend: Backend) {
    let (shop, bucket) = shop(backend).await;
    // More than two parts of 8 MiB.
    let content = bytes(17 * 1024 * 1024 + 5);
    attach(&shop, "songs", "songs.zip", &content, &["--limit", "2"]).await;
    let keys = locked(&bucket).objects.keys().cloned().collect::<Vec<_>>();
    assert!(keys.len() == 1 && keys[0].starts_with("own/shop/") && !keys[0].contains("songs"), "{keys:?}");
    assert!(!shop.folder().join("data/downloads").exists());
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    let file = path(&newest(&ada).await);
    let first = range(&ada, &file, "bytes=0-9999999").await.expect_status(206);
    let second = range(&ada, &file, "bytes=10000000-").await.expect_status(206);
    assert_eq!(sha256(&[first.body, second.body].concat()), sha256(&content));
    assert_eq!(newest(&ada).await["download_count"], 1);
    ada.get(&file).await.expect_status(200);
    ada.get(&file).await.expect_error(409, "invalid_state");
    range(&ada, &file, "bytes=10000000-").await.expect_error(409, "invalid_state");
    assert_eq!(command(&shop, &["check"]).await["checked"], 1);
    assert_eq!(locked(&bucket).suspicious, [""; 0]);
}

both_databases!(a_bucket_that_fails_costs_no_download);
async fn a_bucket_that_fails_costs_no_download(backend: Backend) {
    let (shop, bucket) = shop(backend).await;
    attach(&shop, "songs", "songs.zip", b"one", &["--limit", "1"]).await;
    attach(&shop, "songs", "songs.zip", b"two", &[]).await;
    shop.advance(TimeDelta::days(31));
    let cleaned = run_job(&shop.parts, &shop.registry.jobs, "downloads.cleanup", shop.clock.clone()).await;
    cleaned.expect("it can be run");
    assert_eq!(locked(&bucket).objects.values().collect::<Vec<_>>(), [b"two"]);
    let (_, ada) = customer(&shop).await;
    buy(&shop, &ada, "songs", 1).await;
    let file = path(&newest(&ada).await);
    let object = std::mem::take(&mut locked(&bucket).objects);
    let told = ada.get(&file).await.expect_error(503, "server_error");
    assert!(!told.text().contains("files") && !told.text().contains("127.0.0.1"), "{}", told.text());
    locked(&bucket).objects = object;
    assert_eq!(newest(&ada).await["download_count"], 0);
    assert_eq!(ada.get(&file).await.expect_status(200).text(), "two");
    for examination in shop.registry.examinations.iter() {
        let found = examination.run(&shop.parts).await.expect("the database can be read");
        assert!(found.iter().all(|finding| finding.state == Finding::Ok), "{found:?}");
    }
}
