//! Images of this machine that are copied into the media folder.

use std::fs::{self, Permissions};
use std::io::{ErrorKind, Write};
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};

use crate::failure::{Failure, in_words};

/// Endings of images that browsers show, in lower case.
const ENDINGS: [&str; 7] = ["jpg", "jpeg", "png", "webp", "avif", "gif", "svg"];

/// The folder below the media folder that holds a folder for each product.
const FOLDER: &str = "products";

/// Copies images into the media folder, and returns their paths below it. All of them are looked at before the first is
/// copied.
pub(super) fn keep_photos(photos: &[PathBuf], slug: &str, media: &Path) -> Result<Vec<String>, Failure> {
    let photos = photos.iter().map(|photo| read(photo)).collect::<Result<Vec<_>, _>>()?;
    photos.iter().map(|(name, content)| copy_photo(name, content, slug, media)).collect()
}

/// The name that an image gets, and what is in it.
fn read(photo: &Path) -> Result<(String, Vec<u8>), Failure> {
    let refused = |reason: &str| Failure::operation(format!("--photo: {}: {reason}", photo.display()));
    let ending = photo.extension().map(|ending| ending.to_string_lossy().to_lowercase()).unwrap_or_default();
    if !ENDINGS.contains(&ending.as_str()) {
        return Err(refused(&format!("this is no image; its name must end in .{}", ENDINGS.join(", ."))));
    }
    let content = fs::read(photo).map_err(|error| refused(&in_words(&error)))?;
    if content.is_empty() {
        return Err(refused("this file is empty"));
    }
    let stem = photo.file_stem().map(|stem| plain(&stem.to_string_lossy())).unwrap_or_default();
    let stem = if stem.is_empty() { "photo" } else { stem.as_str() };
    Ok((format!("{stem}.{ending}"), content))
}

/// Letters, digits and dashes, as addresses have them.
fn plain(name: &str) -> String {
    let dashed = name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' });
    dashed.collect::<String>().split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-")
}

/// Writes an image under its name, or under the next that is free; one that is there already is not written again.
fn copy_photo(name: &str, content: &[u8], slug: &str, media: &Path) -> Result<String, Failure> {
    let below = format!("{FOLDER}/{slug}");
    let folder = media.join(&below);
    let cannot = |error: std::io::Error| {
        Failure::operation(format!("cannot write into the media folder {}: {}", folder.display(), in_words(&error)))
    };
    fs::create_dir_all(&folder).map_err(cannot)?;
    let (stem, ending) = name.rsplit_once('.').unwrap_or((name, ""));
    let mut number = 1;
    loop {
        let name = if number == 1 { name.to_owned() } else { format!("{stem}-{number}.{ending}") };
        let path = folder.join(&name);
        if fs::read(&path).is_ok_and(|there| there == content) {
            return Ok(format!("{below}/{name}"));
        }
        // As a whole or not at all, and readable for the server, whoever runs it.
        let mut file = tempfile::Builder::new();
        let file = file.prefix(".stoa-").permissions(Permissions::from_mode(0o644));
        let mut file = file.tempfile_in(&folder).map_err(cannot)?;
        file.write_all(content).map_err(cannot)?;
        match file.persist_noclobber(&path) {
            Ok(_) => return Ok(format!("{below}/{name}")),
            Err(taken) if taken.error.kind() == ErrorKind::AlreadyExists => number += 1,
            Err(failed) => return Err(cannot(failed.error)),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_image_gets_a_name_that_stands_in_an_address() {
        assert_eq!(plain("Mein Bild (1)"), "Mein-Bild-1");
        assert_eq!(plain("größe"), "gr-e");
        assert_eq!(plain("..."), "");
    }
}
