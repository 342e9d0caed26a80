//! `?w=W`: pictures in the width that a page needs.
//!
//! A copy is made when somebody first asks for it, once however many ask, in a thread of its own and few at a time. Until there is
//! one, and where there can be none, the file itself is sent: it is what was asked for, only larger.

use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::UNIX_EPOCH;

use sha2::{Digest, Sha256};
use tokio::sync::{OnceCell, Semaphore};

use stoa_kernel::config::MediaConfig;
use stoa_kernel::http::error::ApiError;
use stoa_kernel::text;

use super::kept::KeptCopies;
use super::scale::scale;

/// The widths that copies have, in pixels.
const WIDTHS: [u32; 6] = [160, 320, 640, 960, 1280, 1920];

/// Copies that are made at once: each takes a core, and memory for a whole picture.
const AT_ONCE: usize = 2;

/// Copies that may wait to be made. Whoever comes then gets the file itself.
const MOST_WAITING: usize = 64;

/// Pictures that are remembered to have no copy.
const MOST_REMEMBERED: usize = 20_000;

/// Changed when copies are made in another way.
const MADE: &str = "1";

/// Makes copies and keeps them. Cloning is cheap.
#[derive(Clone)]
pub(super) struct ScaledPictures(Arc<Inner>);

struct Inner {
    kept: KeptCopies,
    making: Mutex<HashMap<String, Making>>,
    /// Those that are sent as they are.
    originals: Mutex<HashSet<String>>,
    places: Semaphore,
    queue: Semaphore,
}

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
    pub(super) fn new(config: &MediaConfig) -> Self {
        let most_bytes = config.scaled_megabytes.saturating_mul(1024 * 1024);
        Self(Arc::new(Inner {
            kept: KeptCopies::new(&config.scaled_folder, most_bytes),
            making: Mutex::default(),
            originals: Mutex::default(),
            places: Semaphore::new(AT_ONCE),
            queue: Semaphore::new(MOST_WAITING),
        }))
    }

    /// The name of the copy of a file below the folder of copies; none where the file itself is to be sent. What was begun is
    /// finished, whoever hangs up.
    pub(super) async fn copy_of(&self, file: PathBuf, width: u32) -> Option<String> {
        if !self.0.kept.is_on() {
            return None;
        }
        let inner = Arc::clone(&self.0);
        tokio::spawn(async move { inner.copy_of(file, width).await }).await.ok().flatten()
    }
}

impl Inner {
    async fn copy_of(self: Arc<Self>, file: PathBuf, width: u32) -> Option<String> {
        let (inner, asked) = (Arc::clone(&self), file.clone());
        let looked = tokio::task::spawn_blocking(move || {
            let key = key_of(&asked, width)?;
            let found = inner.kept.find(&key);
            Some((key, found))
        });
        let (key, found) = looked.await.ok().flatten()?;
        if found.is_some() || open(&self.originals).contains(&key) {
            return found;
        }
        let making = Arc::clone(open(&self.making).entry(key.clone()).or_default());
        let name = making.get_or_init(|| Arc::clone(&self).make(key.clone(), file, width)).await.clone();
        open(&self.making).remove(&key);
        name
    }

    async fn make(self: Arc<Self>, key: String, file: PathBuf, width: u32) -> Option<String> {
        let _waiting = self.queue.try_acquire().ok()?;
        let _place = self.places.acquire().await.ok()?;
        let inner = Arc::clone(&self);
        let made = tokio::task::spawn_blocking(move || {
            match scale(&file, width) {
                Ok(Some(copy)) => match inner.kept.put(&key, &copy) {
                    Ok(name) => return Some(name),
                    Err(error) => {
                        let error = &error as &dyn std::error::Error;
                        tracing::warn!(error, "a scaled picture could not be kept in `media.scaled_folder`");
                        return None;
                    }
                },
                Ok(None) => {}
                Err(error) => {
                    let error = &error as &dyn std::error::Error;
                    tracing::debug!(file = %file.display(), error, "a picture cannot be scaled");
                }
            }
            let mut originals = open(&inner.originals);
            if originals.len() >= MOST_REMEMBERED {
                originals.clear();
            }
            originals.insert(key);
            None
        });
        made.await.ok().flatten()
    }
}

/// What names the copy of a file as it is now; none for what is no file.
fn key_of(file: &Path, width: u32) -> Option<String> {
    let metadata = std::fs::metadata(file).ok().filter(std::fs::Metadata::is_file)?;
    let changed = metadata.modified().ok()?.duration_since(UNIX_EPOCH).unwrap_or_default().as_nanos();
    let mut hash = Sha256::new();
    hash.update(format!("{MADE} {width} {} {changed} ", metadata.len()));
    hash.update(file.as_os_str().as_encoded_bytes());
    Some(hex::encode(&hash.finalize()[..16]))
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
