//! `?w=W`: pictures in the width that a page needs.
//!
//! A copy is made when somebody first asks for it, once however many ask, in a thread of its own and few at a time. Until there is
//! one, and where there can be none, the file itself is sent: it is what was asked for, only larger.

use std::collections::{HashMap, HashSet};
use std::fs::File;
use std::io::{BufReader, Cursor};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::UNIX_EPOCH;

use bytes::Bytes;
use image::ImageResult;
use sha2::{Digest, Sha256};
use tokio::sync::{OnceCell, Semaphore};

use stoa_kernel::config::MediaConfig;
use stoa_kernel::http::error::ApiError;
use stoa_kernel::storage::{MediaStore, Storage, StorageError};
use stoa_kernel::text;

use super::kept::{KeptCopies, name_of};
use super::scale::{Copy, scale};

/// The widths that copies have, in pixels.
const WIDTHS: [u32; 6] = [160, 320, 640, 960, 1280, 1920];

/// Copies that are made at once: each takes a core, and memory for a whole picture.
const AT_ONCE: usize = 2;

/// Copies that may wait to be made. Whoever comes then gets the file itself.
const MOST_WAITING: usize = 64;

/// Pictures that are remembered to have no copy, and copies that are remembered to be in a bucket.
const MOST_REMEMBERED: usize = 20_000;

/// Largest picture of a bucket that a copy is made of, in bytes; it is held in memory for that.
const MOST_BYTES: u64 = 50 * 1024 * 1024;

/// Changed when copies are made in another way.
const MADE: &str = "1";

/// The folder of a bucket that copies lie in, which nobody can ask for by name.
const BUCKET_FOLDER: &str = ".scaled";

/// The kinds of copies, by what their first bytes say to browsers anyway.
const MEDIA_TYPES: [(&str, &str); 3] = [("jpg", "image/jpeg"), ("png", "image/png"), ("webp", "image/webp")];

/// Makes copies and keeps them. Cloning is cheap.
#[derive(Clone)]
pub(super) struct ScaledPictures(Arc<Inner>);

struct Inner {
    copies: Copies,
    making: Mutex<HashMap<String, Making>>,
    /// Those that are sent as they are.
    originals: Mutex<HashSet<String>>,
    /// Copies that were seen in a bucket, which is not asked again.
    seen: Mutex<HashMap<String, String>>,
    places: Semaphore,
    queue: Semaphore,
}

/// Where copies are kept.
enum Copies {
    Nowhere,
    Folder(KeptCopies),
    Bucket(Storage),
}

/// A picture as it is now.
#[derive(Debug, Clone)]
pub(super) enum Original {
    /// A file of the media folder.
    File(PathBuf),
    /// An object of the bucket, with the tag and size of its content.
    Object { key: String, tag: String, size: u64 },
}

/// What a copy is made of.
enum Content {
    OnDisk(PathBuf),
    Read(Bytes),
}

/// It cannot be found out whether there is a copy.
struct Unknown;

/// The name of a copy that is being made; none where there is to be none.
type Making = Arc<OnceCell<Option<String>>>;

/// The width that a query asks for; none without one.
pub(super) fn wanted_width(query: Option<&str>) -> Result<Option<u32>, ApiError> {
    let mut parameters = url::form_urlencoded::parse(query.unwrap_or_default().as_bytes());
    let Some((_, value)) = parameters.find(|(name, _)| name == "w") else { return Ok(None) };
    let known = WIDTHS.iter().find(|width| width.to_string() == value);
    known.map(|width| Some(*width)).ok_or_else(|| {
        let widths = WIDTHS.map(|width| width.to_string()).join(", ");
        ApiError::bad_parameter(text!("media-width-unknown", widths = widths))
    })
}

fn open<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

impl ScaledPictures {
    pub(super) fn new(config: &MediaConfig, store: &MediaStore) -> Self {
        let copies = match store {
            _ if config.scaled_megabytes == 0 => Copies::Nowhere,
            MediaStore::Bucket(storage) => Copies::Bucket(storage.clone()),
            MediaStore::Folder(_) => {
                let most_bytes = config.scaled_megabytes.saturating_mul(1024 * 1024);
                Copies::Folder(KeptCopies::new(&config.scaled_folder, most_bytes))
            }
        };
        Self(Arc::new(Inner {
            copies,
            making: Mutex::default(),
            originals: Mutex::default(),
            seen: Mutex::default(),
            places: Semaphore::new(AT_ONCE),
            queue: Semaphore::new(MOST_WAITING),
        }))
    }

    /// The name of the copy of a picture: below the folder of copies, or its key in the bucket. None where the picture itself is to
    /// be sent. What was begun is finished, whoever hangs up.
    pub(super) async fn copy_of(&self, original: Original, width: u32) -> Option<String> {
        if matches!(self.0.copies, Copies::Nowhere) {
            return None;
        }
        let inner = Arc::clone(&self.0);
        tokio::spawn(async move { inner.copy_of(original, width).await }).await.ok().flatten()
    }

    /// Forgets a copy that turned out to be gone.
    pub(super) fn forget(&self, name: &str) {
        open(&self.0.seen).retain(|_, seen| seen != name);
    }
}

impl Inner {
    async fn copy_of(self: Arc<Self>, original: Original, width: u32) -> Option<String> {
        let asked = original.clone();
        let key = tokio::task::spawn_blocking(move || key_of(&asked, width)).await.ok().flatten()?;
        let found = self.find(&key).await.ok()?;
        if found.is_some() || open(&self.originals).contains(&key) {
            return found;
        }
        let making = Arc::clone(open(&self.making).entry(key.clone()).or_default());
        let name = making.get_or_init(|| Arc::clone(&self).make(key.clone(), original, width)).await.clone();
        open(&self.making).remove(&key);
        name
    }

    /// The name of a copy that is there.
    async fn find(self: &Arc<Self>, key: &str) -> Result<Option<String>, Unknown> {
        match &self.copies {
            Copies::Nowhere => Err(Unknown),
            Copies::Folder(_) => {
                let (inner, key) = (Arc::clone(self), key.to_owned());
                let look = move || if let Copies::Folder(kept) = &inner.copies { kept.find(&key) } else { None };
                tokio::task::spawn_blocking(look).await.map_err(|_| Unknown)
            }
            Copies::Bucket(storage) => {
                if let Some(seen) = open(&self.seen).get(key) {
                    return Ok(Some(seen.clone()));
                }
                if open(&self.originals).contains(key) {
                    return Ok(None);
                }
                for (extension, _) in MEDIA_TYPES {
                    let name = in_bucket(key, extension);
                    match storage.head(&name).await {
                        Ok(_) => {
                            self.remember(key, &name);
                            return Ok(Some(name));
                        }
                        Err(StorageError::Missing(_)) => {}
                        Err(_) => return Err(Unknown),
                    }
                }
                Ok(None)
            }
        }
    }

    fn remember(&self, key: &str, name: &str) {
        let mut seen = open(&self.seen);
        if seen.len() >= MOST_REMEMBERED {
            seen.clear();
        }
        seen.insert(key.to_owned(), name.to_owned());
    }

    async fn make(self: Arc<Self>, key: String, original: Original, width: u32) -> Option<String> {
        let _waiting = self.queue.try_acquire().ok()?;
        let _place = self.places.acquire().await.ok()?;
        let content = self.content_of(&original).await?;
        let made = tokio::task::spawn_blocking(move || match content {
            Content::Read(bytes) => scale(Cursor::new(&bytes), bytes.len() as u64, width),
            Content::OnDisk(file) => scale_file(&file, width),
        });
        match made.await.ok()? {
            Ok(Some(copy)) => return self.keep(key, copy).await,
            Ok(None) => {}
            Err(error) => {
                let error = &error as &dyn std::error::Error;
                tracing::debug!(picture = ?original, error, "a picture cannot be scaled");
            }
        }
        let mut originals = open(&self.originals);
        if originals.len() >= MOST_REMEMBERED {
            originals.clear();
        }
        originals.insert(key);
        None
    }

    /// What is in a picture; none where it cannot be had.
    async fn content_of(&self, original: &Original) -> Option<Content> {
        match (&self.copies, original) {
            (Copies::Bucket(storage), Original::Object { key, size, .. }) if *size <= MOST_BYTES => {
                let read = async { Ok::<_, StorageError>(storage.read(key, None).await?.bytes().await?) };
                Some(Content::Read(read.await.ok()?))
            }
            (_, Original::File(file)) => Some(Content::OnDisk(file.clone())),
            (_, Original::Object { .. }) => None,
        }
    }

    async fn keep(self: &Arc<Self>, key: String, copy: Copy) -> Option<String> {
        let kept = match &self.copies {
            Copies::Nowhere => return None,
            Copies::Folder(_) => {
                let inner = Arc::clone(self);
                let put = move || match &inner.copies {
                    Copies::Folder(kept) => kept.put(&key, &copy).map(Some),
                    _ => Ok(None),
                };
                let put = tokio::task::spawn_blocking(put).await.ok()?;
                put.map_err(StorageError::from)
            }
            Copies::Bucket(storage) => {
                let name = in_bucket(&key, copy.extension);
                let media_type = MEDIA_TYPES.iter().find(|(extension, _)| *extension == copy.extension)?.1;
                let put = storage.put(&name, copy.content.into(), media_type).await;
                if put.is_ok() {
                    self.remember(&key, &name);
                }
                put.map(|()| Some(name))
            }
        };
        kept.unwrap_or_else(|error| {
            let error = &error as &dyn std::error::Error;
            tracing::warn!(error, "a scaled picture could not be kept");
            None
        })
    }
}

fn scale_file(file: &Path, width: u32) -> ImageResult<Option<Copy>> {
    let file = File::open(file)?;
    let size = file.metadata()?.len();
    scale(BufReader::new(file), size, width)
}

fn in_bucket(key: &str, extension: &str) -> String {
    format!("{BUCKET_FOLDER}/{}", name_of(key, extension))
}

/// What names the copy of a picture as it is now; none for what is no file.
fn key_of(original: &Original, width: u32) -> Option<String> {
    let mut hash = Sha256::new();
    match original {
        Original::File(file) => {
            let (size, changed) = stamp_of(file)?;
            hash.update(format!("{MADE} {width} {size} {changed} "));
            hash.update(file.as_os_str().as_encoded_bytes());
        }
        Original::Object { key, tag, size } => hash.update(format!("{MADE} {width} {size} {tag} {key}")),
    }
    Some(hex::encode(&hash.finalize()[..16]))
}

fn stamp_of(file: &Path) -> Option<(u64, u128)> {
    let metadata = std::fs::metadata(file).ok().filter(std::fs::Metadata::is_file)?;
    let changed = metadata.modified().ok()?.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    Some((metadata.len(), changed))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_some_widths_can_be_asked_for() {
        assert_eq!(wanted_width(None).ok(), Some(None));
        assert_eq!(wanted_width(Some("v=2")).ok(), Some(None));
        assert_eq!(wanted_width(Some("v=2&w=640")).ok(), Some(Some(640)));
        for wrong in ["w=", "w=641", "w=0640", "w=+640", "w=-1", "w=640px"] {
            assert!(wanted_width(Some(wrong)).is_err(), "{wrong}");
        }
    }
}
