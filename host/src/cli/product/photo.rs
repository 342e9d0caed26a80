//! Images of this machine that are copied into the media folder.

use std::fs;
use std::path::{Path, PathBuf};

use stoa_core::catalog::Photo;
use stoa_core::doctor::without_number;
use stoa_core::error_chain;
use stoa_core::storage::{MediaStore, StorageError};

use crate::failure::{Failure, in_words};

/// Endings of images that browsers show, in lower case.
const ENDINGS: [&str; 7] = ["jpg", "jpeg", "png", "webp", "avif", "gif", "svg"];

/// Copies images into the media folder, and returns their paths below it. All of them are looked at before the first is
/// copied.
pub(super) async fn keep_photos(photos: &[PathBuf], slug: &str, media: &MediaStore) -> Result<Vec<String>, Failure> {
    let photos = photos.iter().map(|photo| read(photo)).collect::<Result<Vec<_>, _>>()?;
    let cannot = |error: StorageError| {
        Failure::operation(format!(
            "cannot keep pictures in {}: {}",
            media.shown(),
            without_number(error_chain(&error))
        ))
    };
    let mut kept = Vec::new();
    for photo in &photos {
        kept.push(photo.keep(slug, media).await.map_err(cannot)?);
    }
    Ok(kept)
}

fn read(photo: &Path) -> Result<Photo, Failure> {
    let refused = |reason: &str| Failure::operation(format!("--photo: {}: {reason}", photo.display()));
    let ending = photo.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    if !ENDINGS.contains(&ending.as_str()) {
        return Err(refused(&format!("this is no image; its name must end in .{}", ENDINGS.join(", ."))));
    }
    let content = fs::read(photo).map_err(|error| refused(&in_words(&error)))?;
    let name = photo.file_name().map(|name| name.to_string_lossy()).unwrap_or_default();
    match Photo::of_other_kind(&name, &content) {
        Some(_) if content.is_empty() => Err(refused("this file is empty")),
        Some(photo) => Ok(photo),
        None => Photo::read(&name, &content).map_err(|reason| refused(&format!("it {reason}"))),
    }
}
