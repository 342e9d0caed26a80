//! The code in a photo, for forms that the camera fills: not every browser reads codes itself.

use rqrr::PreparedImage;

use crate::pictures::{PictureRefused, decode};

/// Pixels of the longer side of what is looked through: enough for a code that has a fifth of the photo's width.
const ENOUGH: u32 = 1600;

/// Why no code was read: a sentence without its beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(super) enum CodeUnread {
    #[error(transparent)]
    Picture(#[from] PictureRefused),
    #[error("shows no code that can be read: take it again, closer and with more light")]
    None,
    #[error("shows several codes: take one of each alone")]
    Several,
}

/// The text of the QR code in a photo. It blocks and takes a while, as [`decode`] does.
pub(super) fn read_code(photo: &[u8]) -> Result<String, CodeUnread> {
    let (mut picture, ..) = decode(photo)?;
    if picture.width().max(picture.height()) > ENOUGH {
        picture = picture.thumbnail(ENOUGH, ENOUGH);
    }
    let grey = picture.into_luma8();
    let [width, height] = [grey.width(), grey.height()].map(|side| usize::try_from(side).unwrap_or_default());
    let levels = grey.as_raw();
    let mut prepared = PreparedImage::prepare_from_greyscale(width, height, |x, y| levels[y * width + x]);
    let mut texts = prepared.detect_grids().iter().filter_map(|grid| Some(grid.decode().ok()?.1)).collect::<Vec<_>>();
    texts.dedup();
    match (texts.pop(), texts.is_empty()) {
        (Some(text), true) => Ok(text),
        (Some(_), false) => Err(CodeUnread::Several),
        (None, _) => Err(CodeUnread::None),
    }
}
