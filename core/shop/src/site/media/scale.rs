//! One picture in another width: a pure function from its bytes to those of a copy.

use std::io::{BufRead, Seek};

use image::codecs::jpeg::JpegDecoder;
use image::codecs::png::{CompressionType, FilterType as PngFilter, PngDecoder, PngEncoder};
use image::codecs::webp::{WebPDecoder, WebPEncoder};
use image::error::EncodingError;
use image::imageops::FilterType;
use image::metadata::Orientation;
use image::{DynamicImage, ImageDecoder, ImageEncoder, ImageError, ImageFormat, ImageReader, ImageResult};
use jpeg_encoder::{ColorType, Encoder, SamplingFactor};

use stoa_kernel::pictures::{MOST_PIXELS, limits};

/// Of 100: nobody sees a difference at the size of a page, and a fifth of the bytes of 82 is saved.
const JPEG_QUALITY: u8 = 75;

/// A picture that is this many times as wide as its copy is first averaged, which is far quicker.
const MUCH_WIDER: u32 = 4;

/// A copy, ready to be kept.
#[derive(Debug)]
pub(super) struct Copy {
    pub(super) content: Vec<u8>,
    /// `jpg`, `png` or `webp`.
    pub(super) extension: &'static str,
}

/// A copy of a picture of so many bytes in this width, in pixels; none where the file itself is to be sent: it is no wider, moves, is of another
/// kind, or would not become smaller.
pub(super) fn scale(picture: impl BufRead + Seek, size: u64, width: u32) -> ImageResult<Option<Copy>> {
    let reader = ImageReader::new(picture).with_guessed_format()?;
    let format = reader.format();
    let source = reader.into_inner();
    let copy = match format {
        Some(ImageFormat::Jpeg) => copy_of(JpegDecoder::new(source)?, ImageFormat::Jpeg, width)?,
        Some(ImageFormat::Png) => still_png(source, width)?,
        Some(ImageFormat::WebP) => still_webp(source, width)?,
        _ => None,
    };
    Ok(copy.filter(|copy| u64::try_from(copy.content.len()).is_ok_and(|scaled| scaled < size)))
}

fn still_png(source: impl BufRead + Seek, width: u32) -> ImageResult<Option<Copy>> {
    let decoder = PngDecoder::with_limits(source, limits())?;
    if decoder.is_apng()? { Ok(None) } else { copy_of(decoder, ImageFormat::Png, width) }
}

fn still_webp(source: impl BufRead + Seek, width: u32) -> ImageResult<Option<Copy>> {
    let decoder = WebPDecoder::new(source)?;
    if decoder.has_animation() { Ok(None) } else { copy_of(decoder, ImageFormat::WebP, width) }
}

fn copy_of(mut decoder: impl ImageDecoder, format: ImageFormat, width: u32) -> ImageResult<Option<Copy>> {
    decoder.set_limits(limits())?;
    let (wide, high) = decoder.dimensions();
    let orientation = decoder.orientation()?;
    let is_turned = matches!(
        orientation,
        Orientation::Rotate90 | Orientation::Rotate270 | Orientation::Rotate90FlipH | Orientation::Rotate270FlipH
    );
    let shown = if is_turned { high } else { wide };
    if shown <= width || u64::from(wide) * u64::from(high) > MOST_PIXELS {
        return Ok(None);
    }
    let profile = decoder.icc_profile()?;
    let mut picture = DynamicImage::from_decoder(decoder)?;
    let (wide, high) = (scaled(wide, width, shown), scaled(high, width, shown));
    if shown / width >= MUCH_WIDER {
        picture = picture.thumbnail_exact(wide.saturating_mul(2), high.saturating_mul(2));
    }
    picture = picture.resize_exact(wide, high, FilterType::Lanczos3);
    // A copy has no tag that says how to turn it.
    picture.apply_orientation(orientation);
    written(picture, format, profile).map(Some)
}

/// A length of the picture in its copy; never nothing.
fn scaled(length: u32, width: u32, shown: u32) -> u32 {
    let scaled = (u64::from(length) * u64::from(width) + u64::from(shown) / 2) / u64::from(shown.max(1));
    u32::try_from(scaled).unwrap_or(u32::MAX).max(1)
}

fn written(picture: DynamicImage, format: ImageFormat, profile: Option<Vec<u8>>) -> ImageResult<Copy> {
    let mut content = Vec::new();
    let is_clear = picture.color().has_alpha();
    let extension = match format {
        ImageFormat::Png => {
            let mut encoder = PngEncoder::new_with_quality(&mut content, CompressionType::Default, PngFilter::Adaptive);
            tag(&mut encoder, profile);
            picture.write_with_encoder(encoder)?;
            "png"
        }
        ImageFormat::WebP if is_clear => {
            let mut encoder = WebPEncoder::new_lossless(&mut content);
            tag(&mut encoder, profile);
            DynamicImage::from(picture.into_rgba8()).write_with_encoder(encoder)?;
            "webp"
        }
        _ => {
            let written = write_jpeg(picture, &mut content, profile.as_deref());
            written.map_err(|error| ImageError::Encoding(EncodingError::new(ImageFormat::Jpeg.into(), error)))?;
            "jpg"
        }
    };
    Ok(Copy { content, extension })
}

/// Writes a JPEG as photos are for pages: colours in half of the width and height, in scans that show the whole picture early.
fn write_jpeg(
    picture: DynamicImage,
    content: &mut Vec<u8>,
    profile: Option<&[u8]>,
) -> Result<(), jpeg_encoder::EncodingError> {
    let mut encoder = Encoder::new(content, JPEG_QUALITY);
    encoder.set_sampling_factor(SamplingFactor::F_2_2);
    encoder.set_progressive(true);
    encoder.set_optimized_huffman_tables(true);
    if let Some(profile) = profile {
        encoder.add_icc_profile(profile)?;
    }
    // A JPEG has no more pixels than this each way, and so has no copy of one.
    let length = |pixels: u32| u16::try_from(pixels).unwrap_or(u16::MAX);
    let (wide, high) = (length(picture.width()), length(picture.height()));
    if picture.color().has_color() {
        encoder.encode(&picture.into_rgb8(), wide, high, ColorType::Rgb)
    } else {
        encoder.encode(&picture.into_luma8(), wide, high, ColorType::Luma)
    }
}

/// Says what the numbers of the colours stand for, as the original does.
fn tag(encoder: &mut impl ImageEncoder, profile: Option<Vec<u8>>) {
    if let Some(profile) = profile {
        // An encoder that knows no profiles writes the common colours.
        let _ = encoder.set_icc_profile(profile);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_copy_keeps_its_proportions_and_is_never_nothing() {
        assert_eq!(scaled(1000, 160, 2000), 80);
        assert_eq!(scaled(2000, 160, 2000), 160);
        assert_eq!(scaled(3, 160, 20_000), 1);
        assert_eq!(scaled(u32::MAX, 160, u32::MAX), 160);
    }
}
