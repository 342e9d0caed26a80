//! Photos that come from a person's device: looked at, freed of what they tell of that person, and put where pictures lie.

mod strip;

use std::io::Cursor;

use bytes::Bytes;
use image::metadata::Orientation;
use image::{DynamicImage, ImageFormat};

use stoa_kernel::pictures::decode;
use stoa_kernel::storage::{MediaStore, NewFile, StorageError};

use super::images::MAX_IMAGE_BYTES;

/// The folder below the media folder that holds a folder for each product.
const FOLDER: &str = "products";

/// Endings of pictures that are kept without a look into them, since no browser runs what is in them there.
const OTHER_KINDS: [&str; 3] = ["avif", "gif", "svg"];

/// A picture on its way into the media folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Photo {
    /// Letters, digits and dashes, and the ending of its kind.
    name: String,
    content: Vec<u8>,
}

impl Photo {
    /// A JPEG, PNG or WebP picture, decoded to see that it is one. Place and time where it was taken, and all else that cameras
    /// and programs write beside the picture, are taken out; how it is to be turned stays.
    ///
    /// It blocks and takes a while, so asynchronous callers run it on a thread for blocking work. The error is a sentence without
    /// its beginning, such as "is empty".
    pub fn read(file_name: &str, content: &[u8]) -> Result<Self, String> {
        if content.is_empty() {
            return Err(String::from("is empty"));
        }
        if content.len() as u64 > MAX_IMAGE_BYTES {
            return Err(format!("has more than {} MiB", MAX_IMAGE_BYTES / (1024 * 1024)));
        }
        let (picture, format, orientation) = decode(content).map_err(|refused| refused.to_string())?;
        let broken = || String::from("is broken");
        let (content, ending) = match format {
            ImageFormat::Jpeg => (strip::jpeg(content, orientation).ok_or_else(broken)?, "jpg"),
            ImageFormat::WebP => (strip::webp(content, orientation).ok_or_else(broken)?, "webp"),
            // Browsers do not turn it as it says.
            _ if orientation != Orientation::NoTransforms => (turned(picture, orientation)?, "png"),
            _ => (strip::png(content).ok_or_else(broken)?, "png"),
        };
        Ok(Self { name: format!("{}.{ending}", stem_of(file_name)), content })
    }

    /// An operator's own file as it is, if its kind is one that [`read`](Self::read) does not know.
    pub fn of_other_kind(file_name: &str, content: &[u8]) -> Option<Self> {
        let (_, ending) = file_name.rsplit_once('.')?;
        let ending = OTHER_KINDS.into_iter().find(|kind| ending.eq_ignore_ascii_case(kind))?;
        Some(Self { name: format!("{}.{ending}", stem_of(file_name)), content: content.to_owned() })
    }

    /// Writes it where pictures lie under its name, or under the next that is free, and returns its path there. One that is there
    /// already is not written again.
    pub async fn keep(&self, slug: &str, media: &MediaStore) -> Result<String, StorageError> {
        let (stem, ending) = self.name.rsplit_once('.').unwrap_or((&self.name, ""));
        let content = Bytes::from(self.content.clone());
        let mut number = 1;
        loop {
            let name = if number == 1 { self.name.clone() } else { format!("{stem}-{number}.{ending}") };
            let path = format!("{FOLDER}/{slug}/{name}");
            match media.put_new(&path, content.clone()).await? {
                NewFile::Kept => return Ok(path),
                NewFile::Taken => number += 1,
            }
        }
    }
}

fn turned(mut picture: DynamicImage, orientation: Orientation) -> Result<Vec<u8>, String> {
    picture.apply_orientation(orientation);
    let mut content = Vec::new();
    picture.write_to(&mut Cursor::new(&mut content), ImageFormat::Png).map_err(|_| String::from("is broken"))?;
    Ok(content)
}

/// A file's name without its ending, of letters, digits and dashes, as addresses have them.
fn stem_of(file_name: &str) -> String {
    const LONGEST: usize = 60;
    let file_name = file_name.rsplit(['/', '\\']).next().unwrap_or(file_name);
    let stem = file_name.rsplit_once('.').map_or(file_name, |(stem, _)| stem);
    let dashed = stem.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' });
    let words = dashed.take(LONGEST).collect::<String>();
    let plain = words.split('-').filter(|part| !part.is_empty()).collect::<Vec<_>>().join("-");
    if plain.is_empty() { String::from("photo") } else { plain }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn picture(format: ImageFormat) -> Vec<u8> {
        let mut content = Vec::new();
        let picture = DynamicImage::new_rgb8(4, 2);
        picture.write_to(&mut Cursor::new(&mut content), format).expect("it can be written");
        content
    }

    #[test]
    fn a_photo_gets_a_name_that_stands_in_an_address_and_the_ending_of_its_kind() {
        for (given, stem) in
            [("Mein Bild (1).JPG", "Mein-Bild-1"), ("größe.png", "gr-e"), ("...", "photo"), ("C:\\a\\b.x", "b")]
        {
            assert_eq!(stem_of(given), stem, "{given}");
        }
        let photo = Photo::read("lamp.jpg", &picture(ImageFormat::Png)).expect("a picture");
        assert_eq!(photo.name, "lamp.png");
        assert_eq!(Photo::of_other_kind("a.SVG", b"<svg/>").expect("a kind").name, "a.svg");
        assert_eq!(Photo::of_other_kind("a.jpg", b"x"), None);
    }

    #[test]
    fn what_says_nothing_but_its_picture_stays_as_it_is() {
        for format in [ImageFormat::Jpeg, ImageFormat::Png, ImageFormat::WebP] {
            let content = picture(format);
            assert_eq!(Photo::read("a", &content).expect("a picture").content, content, "{format:?}");
        }
    }

    #[test]
    fn what_is_no_picture_is_refused() {
        let mut bomb = picture(ImageFormat::Png);
        bomb[16..24].copy_from_slice(&[0, 0, 0xff, 0xff, 0, 0, 0xff, 0xff]);
        let half = picture(ImageFormat::Jpeg);
        let cases = [
            (Vec::new(), "is empty"),
            (b"<svg onload='alert(1)'/>".to_vec(), "is no JPEG, PNG or WebP picture"),
            (b"\xff\xd8\xff\xe0 not at all".to_vec(), "is broken"),
            (half[..half.len() / 2].to_vec(), "is broken"),
        ];
        for (content, reason) in cases {
            assert_eq!(Photo::read("a.jpg", &content), Err(reason.to_owned()));
        }
        assert!(Photo::read("a.png", &bomb).is_err());
    }

    #[tokio::test]
    async fn a_photo_is_kept_once_and_beside_another_of_its_name() {
        let folder = tempfile::TempDir::new().expect("a temporary folder");
        let media = MediaStore::Folder(folder.path().to_owned());
        let one = Photo::read("a.jpg", &picture(ImageFormat::Jpeg)).expect("a picture");
        let other = Photo { name: one.name.clone(), content: b"other".to_vec() };
        let mut kept = Vec::new();
        for photo in [&one, &other, &one] {
            kept.push(photo.keep("lamp", &media).await.expect("it is ours"));
        }
        assert_eq!(kept, ["products/lamp/a.jpg", "products/lamp/a-2.jpg", "products/lamp/a.jpg"]);
    }
}
