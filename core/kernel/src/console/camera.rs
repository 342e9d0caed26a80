//! The code in a photo, for forms that the camera fills: not every browser reads codes itself.

use std::collections::BTreeSet;

use image::GrayImage;
use rqrr::PreparedImage;

use crate::pictures::{PictureRefused, decode};

/// Pixels of the longer side of what is looked through: codes that are small in a photo need many, and large ones are found more easily
/// among few. All of them are, since of two codes one may be read in one size alone.
const SIZES: [u32; 4] = [u32::MAX, 1600, 1000, 700];

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
    let (picture, ..) = decode(photo)?;
    let longer = picture.width().max(picture.height());
    let sizes = SIZES.into_iter().filter(|size| *size < longer || *size == u32::MAX);
    let texts = sizes.flat_map(|size| {
        let grey = if size < longer { picture.thumbnail(size, size).into_luma8() } else { picture.to_luma8() };
        texts_in(&grey)
    });
    let mut texts = texts.collect::<BTreeSet<_>>();
    match (texts.pop_first(), texts.is_empty()) {
        (Some(text), true) => Ok(text),
        (Some(_), false) => Err(CodeUnread::Several),
        (None, _) => Err(CodeUnread::None),
    }
}

/// What all codes say that can be read.
fn texts_in(grey: &GrayImage) -> Vec<String> {
    let [width, height] = [grey.width(), grey.height()].map(|side| usize::try_from(side).unwrap_or_default());
    let levels = grey.as_raw();
    let mut prepared = PreparedImage::prepare_from_greyscale(width, height, |x, y| levels[y * width + x]);
    prepared.detect_grids().iter().filter_map(|grid| Some(grid.decode().ok()?.1)).collect()
}
