//! Pictures that people send: decoded as far as a picture of a camera goes, whatever its head promises.

use std::io::Cursor;

use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageError, ImageFormat, ImageReader, Limits};

/// Pixels of the largest picture that is decoded: what cameras make, and not what only takes the memory away.
pub const MOST_PIXELS: u64 = 50_000_000;

/// Memory for decoding one picture, in bytes.
const MOST_MEMORY: u64 = 256 * 1024 * 1024;

/// Why a picture cannot be used: sentences without their beginning.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub enum PictureRefused {
    /// Its kind is another, or it is no picture.
    #[error("is no JPEG, PNG or WebP picture")]
    Kind,
    /// It would take too much memory.
    #[error("has more than {} million pixels", MOST_PIXELS / 1_000_000)]
    TooLarge,
    /// It says what it is and is not.
    #[error("is broken")]
    Broken,
}

impl From<ImageError> for PictureRefused {
    fn from(error: ImageError) -> Self {
        match error {
            ImageError::Limits(_) => Self::TooLarge,
            _ => Self::Broken,
        }
    }
}

/// What decoders may take.
pub fn limits() -> Limits {
    let mut limits = Limits::default();
    limits.max_alloc = Some(MOST_MEMORY);
    limits
}

/// A JPEG, PNG or WebP picture, its format, and how it is to be turned. It blocks and takes a while, so asynchronous callers run it on
/// a thread for blocking work.
///
/// # Errors
///
/// If it is none of these, too large, or broken.
pub fn decode(content: &[u8]) -> Result<(DynamicImage, ImageFormat, Orientation), PictureRefused> {
    let format = image::guess_format(content).map_err(|_| PictureRefused::Kind)?;
    if !matches!(format, ImageFormat::Jpeg | ImageFormat::Png | ImageFormat::WebP) {
        return Err(PictureRefused::Kind);
    }
    let mut reader = ImageReader::with_format(Cursor::new(content), format);
    reader.limits(limits());
    let mut decoder = reader.into_decoder()?;
    let (wide, high) = decoder.dimensions();
    if u64::from(wide) * u64::from(high) > MOST_PIXELS {
        return Err(PictureRefused::TooLarge);
    }
    let orientation = decoder.orientation()?;
    Ok((DynamicImage::from_decoder(decoder)?, format, orientation))
}
