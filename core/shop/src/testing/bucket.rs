//! A bucket of an S3-compatible server that stands in for a real one.

use std::collections::{BTreeMap, HashMap};
use std::fmt::Write;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use axum::Router;
use axum::body::Body;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use http::{HeaderMap, Method, StatusCode, header};
use http_body_util::BodyExt;
use sha2::{Digest, Sha256};

/// The bucket's name.
const NAME: &str = "files";

/// The secret part of its key, which nobody may send.
const SECRET: &str = "the-secret-of-the-key";

/// How a bucket behaves.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum BucketMood {
    /// As it should.
    #[default]
    Well,
    /// Whatever is asked, it says 500.
    Failing,
    /// It refuses whatever would write.
    ReadOnly,
}

#[derive(Default)]
struct Kept {
    objects: BTreeMap<String, Vec<u8>>,
    uploads: HashMap<String, BTreeMap<u32, Vec<u8>>>,
    suspicious: Vec<String>,
    mood: BucketMood,
    requests: usize,
}

/// The bucket. Cloning gives the same one.
#[derive(Clone)]
pub struct TestBucket {
    kept: Arc<Mutex<Kept>>,
    endpoint: String,
}

impl TestBucket {
    /// An empty bucket with a server in front of it.
    pub async fn new() -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("there is a port");
        let endpoint = format!("http://{}", listener.local_addr().expect("it has an address"));
        let kept = Arc::<Mutex<Kept>>::default();
        let router = Router::new().fallback(answer).with_state(Arc::clone(&kept));
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { kept, endpoint }
    }

    fn kept(&self) -> MutexGuard<'_, Kept> {
        locked(&self.kept)
    }

    /// What `[modules.downloads.s3]`, or another section that names a bucket, has to say.
    pub fn own_settings(&self, prefix: &str) -> String {
        format!("bucket = '{NAME}'\nprefix = '{prefix}'\n{}", self.access())
    }

    /// `[media]` with the bucket.
    pub fn media_settings(&self, prefix: &str) -> String {
        format!("[media]\nurl = 's3://{NAME}/{prefix}'\n[media.s3]\n{}", self.access())
    }

    fn access(&self) -> String {
        let endpoint = &self.endpoint;
        format!("endpoint = '{endpoint}'\naccess_key_id = 'the-key'\nsecret_access_key = '{SECRET}'\n")
    }

    /// Has it behave so from now on.
    pub fn behave(&self, mood: BucketMood) {
        self.kept().mood = mood;
    }

    /// All objects by key.
    pub fn objects(&self) -> BTreeMap<String, Vec<u8>> {
        self.kept().objects.clone()
    }

    /// The keys of all objects.
    pub fn keys(&self) -> Vec<String> {
        self.kept().objects.keys().cloned().collect()
    }

    /// Puts an object there, as somebody else would.
    pub fn put(&self, key: &str, content: &[u8]) {
        self.kept().objects.insert(key.to_owned(), content.to_owned());
    }

    /// Takes all objects away.
    pub fn take_all(&self) -> BTreeMap<String, Vec<u8>> {
        std::mem::take(&mut self.kept().objects)
    }

    /// Puts objects back.
    pub fn put_all(&self, objects: BTreeMap<String, Vec<u8>>) {
        self.kept().objects.extend(objects);
    }

    /// How many requests there were.
    pub fn requests(&self) -> usize {
        self.kept().requests
    }

    /// Requests without a signature, or with what nobody should send.
    pub fn suspicious(&self) -> Vec<String> {
        self.kept().suspicious.clone()
    }
}

fn locked(kept: &Mutex<Kept>) -> MutexGuard<'_, Kept> {
    kept.lock().unwrap_or_else(PoisonError::into_inner)
}

async fn answer(State(kept): State<Arc<Mutex<Kept>>>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = body.collect().await.expect("the body can be read").to_bytes().to_vec();
    let mood = {
        let mut kept = locked(&kept);
        kept.requests += 1;
        let signature = parts.headers.get(header::AUTHORIZATION).and_then(|value| value.to_str().ok());
        let is_signed = signature.is_some_and(|text| text.starts_with("AWS4-HMAC-SHA256 Credential=the-key/"));
        if !is_signed || format!("{:?}", parts.headers).contains(SECRET) {
            kept.suspicious.push(format!("{} {}", parts.method, parts.uri));
        }
        kept.mood
    };
    match mood {
        BucketMood::Failing => return StatusCode::INTERNAL_SERVER_ERROR.into_response(),
        BucketMood::ReadOnly if !matches!(parts.method, Method::GET | Method::HEAD) => {
            return StatusCode::FORBIDDEN.into_response();
        }
        BucketMood::ReadOnly | BucketMood::Well => {}
    }
    let query = parts.uri.query().unwrap_or_default().to_owned();
    let value = |name: &str| query.split('&').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('=')).map(decoded);
    let path = decoded(parts.uri.path());
    let key = path.trim_start_matches(&format!("/{NAME}")).trim_start_matches('/').to_owned();
    let mut kept = locked(&kept);
    match parts.method {
        Method::POST if query.starts_with("uploads") => {
            let id = format!("upload-{}", kept.uploads.len());
            kept.uploads.insert(id.clone(), BTreeMap::new());
            format!("<InitiateMultipartUploadResult><UploadId>{id}</UploadId></InitiateMultipartUploadResult>")
                .into_response()
        }
        Method::PUT => match value("uploadId") {
            Some(id) => {
                let number = value("partNumber").expect("a part");
                let parts = kept.uploads.get_mut(&id).expect("a known upload");
                parts.insert(number.parse().expect("a number"), body);
                ([(header::ETAG, format!("\"part-{number}\""))], "").into_response()
            }
            None if parts.headers.contains_key(header::IF_NONE_MATCH) && kept.objects.contains_key(&key) => {
                StatusCode::PRECONDITION_FAILED.into_response()
            }
            None => {
                let etag = etag_of(&body);
                kept.objects.insert(key, body);
                ([(header::ETAG, etag)], "").into_response()
            }
        },
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
        _ if query.contains("list-type=2") => list(&kept, &value("prefix").unwrap_or_default()).into_response(),
        method => read(kept.objects.get(&key), method == Method::HEAD, &parts.headers),
    }
}

fn decoded(text: &str) -> String {
    percent_encoding::percent_decode_str(text).decode_utf8_lossy().into_owned()
}

fn etag_of(content: &[u8]) -> String {
    format!("\"{}\"", hex::encode(&Sha256::digest(content)[..16]))
}

fn list(kept: &Kept, prefix: &str) -> String {
    let mut text = String::from("<ListBucketResult><IsTruncated>false</IsTruncated>");
    for (key, content) in kept.objects.iter().filter(|(key, _)| key.starts_with(prefix)) {
        let size = content.len();
        let _ = write!(
            text,
            "<Contents><Key>{key}</Key><LastModified>2026-01-15T12:00:00.000Z</LastModified><ETag>\"e\"</ETag>\
             <Size>{size}</Size></Contents>"
        );
    }
    text + "</ListBucketResult>"
}

fn read(object: Option<&Vec<u8>>, head_only: bool, headers: &HeaderMap) -> Response {
    let Some(content) = object else { return StatusCode::NOT_FOUND.into_response() };
    let modified = (header::LAST_MODIFIED, String::from("Thu, 15 Jan 2026 12:00:00 GMT"));
    let etag = (header::ETAG, etag_of(content));
    let range =
        headers.get(header::RANGE).and_then(|range| range.to_str().ok()?.strip_prefix("bytes=")?.split_once('-'));
    match range {
        _ if head_only => {
            let length = (header::CONTENT_LENGTH, content.len().to_string());
            ([modified, etag, length], Body::empty()).into_response()
        }
        None => ([modified, etag], content.clone()).into_response(),
        Some((first, last)) => {
            let (first, last) = (first.parse::<usize>().expect("a number"), last.parse::<usize>().expect("a number"));
            let last = last.min(content.len() - 1);
            let described = (header::CONTENT_RANGE, format!("bytes {first}-{last}/{}", content.len()));
            let part = content[first..=last].to_vec();
            (StatusCode::PARTIAL_CONTENT, [modified, etag, described], part).into_response()
        }
    }
}
