//! Where pictures lie: whether they can be read, and in a bucket also written and deleted.

use std::path::Path;

use stoa_core::config::MediaConfig;
use stoa_core::error_chain;
use stoa_core::storage::MediaStore;

use super::finding::Finding;

const CHECK: &str = "files.media";

/// Looks into the media folder, or talks to the bucket.
pub(super) async fn state(config: &MediaConfig) -> Finding {
    let media = MediaStore::of(config);
    let storage = match &media {
        MediaStore::Folder(folder) => return media_folder(folder),
        MediaStore::Bucket(storage) => storage,
    };
    match storage.probe(".stoa-probe").await {
        Ok(()) => Finding::ok(CHECK, format!("{} can be read, written and deleted from", media.shown())),
        Err((act, error)) => Finding::failure(
            CHECK,
            format!("{} cannot be {act}: {}", media.shown(), error_chain(&error)),
            "check `media.url`, [media.s3] and what its key may do: read, write, delete and list",
        ),
    }
}

/// The folder with the images, which need not exist.
fn media_folder(folder: &Path) -> Finding {
    match std::fs::read_dir(folder) {
        Ok(_) => Finding::ok(CHECK, format!("{} can be read", folder.display())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            Finding::ok(CHECK, format!("{} does not exist yet", folder.display()))
        }
        Err(error) => {
            let message = format!("{} cannot be read: {error}", folder.display());
            Finding::failure(CHECK, message, "let `media.folder` name a folder that this user can read")
        }
    }
}
