//! Taking out of a picture's file what is not the picture: where and when it was taken, with which camera, and by whom.
//!
//! The picture itself is not written anew, so that it loses nothing.

use image::metadata::Orientation;

/// Nothing but how the picture is to be turned, as Exif says it: one entry of a table of big-endian numbers.
fn exif(orientation: Orientation) -> Vec<u8> {
    let mut table = b"MM\0\x2a\0\0\0\x08\0\x01\x01\x12\0\x03\0\0\0\x01\0".to_vec();
    table.extend([orientation.to_exif(), 0, 0, 0, 0, 0, 0]);
    table
}

fn is_turned(orientation: Orientation) -> bool {
    orientation != Orientation::NoTransforms
}

fn big_endian(bytes: &[u8]) -> usize {
    bytes.iter().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

fn little_endian(bytes: &[u8]) -> usize {
    bytes.iter().rev().fold(0, |number, byte| number << 8 | usize::from(*byte))
}

/// A JPEG picture without its segments for other programs, and without what stands behind it.
pub(super) fn jpeg(content: &[u8], orientation: Orientation) -> Option<Vec<u8>> {
    let mut rest = content.strip_prefix(b"\xff\xd8")?;
    let mut kept = b"\xff\xd8".to_vec();
    if is_turned(orientation) {
        let table = exif(orientation);
        let length = u16::try_from(2 + 6 + table.len()).ok()?;
        kept.extend(b"\xff\xe1");
        kept.extend(length.to_be_bytes());
        kept.extend(b"Exif\0\0");
        kept.extend(table);
    }
    loop {
        let [0xff, marker, behind @ ..] = rest else { return None };
        match marker {
            // A marker may stand behind any number of these.
            0xff => rest = &rest[1..],
            0xd9 => {
                kept.extend(b"\xff\xd9");
                return Some(kept);
            }
            _ => {
                let length = big_endian(behind.get(..2)?);
                let segment = behind.get(2..length)?;
                if is_of_picture(*marker, segment) {
                    kept.extend(&rest[..2 + length]);
                }
                rest = &behind[length..];
                if *marker == 0xda {
                    let scan = scan_length(rest)?;
                    kept.extend(&rest[..scan]);
                    rest = &rest[scan..];
                }
            }
        }
    }
}

/// Whether a segment is needed to see the picture: all but those of programs and comments, of which only the one that names the
/// format, the profile of the colours, and Adobe's kind of colours are.
fn is_of_picture(marker: u8, segment: &[u8]) -> bool {
    match marker {
        0xe0 | 0xee => true,
        0xe2 => segment.starts_with(b"ICC_PROFILE\0"),
        0xe1..=0xef | 0xfe => false,
        _ => true,
    }
}

/// How far the compressed picture goes: to the next marker that is none of its own.
fn scan_length(scan: &[u8]) -> Option<usize> {
    let is_end = |pair: &[u8]| pair[0] == 0xff && !matches!(pair[1], 0 | 0xd0..=0xd7 | 0xff);
    scan.windows(2).position(is_end)
}

/// A PNG picture without its chunks of text, time and Exif, and without what stands behind it.
pub(super) fn png(content: &[u8]) -> Option<Vec<u8>> {
    const BEGIN: usize = 8;
    let mut kept = content.get(..BEGIN)?.to_vec();
    let mut rest = &content[BEGIN..];
    loop {
        let length = big_endian(rest.get(..4)?);
        let kind = rest.get(4..8)?;
        let chunk = rest.get(..length.checked_add(12)?)?;
        if !matches!(kind, b"eXIf" | b"tEXt" | b"zTXt" | b"iTXt" | b"tIME") {
            kept.extend(chunk);
        }
        if kind == b"IEND" {
            return Some(kept);
        }
        rest = &rest[chunk.len()..];
    }
}

/// A WebP picture without its chunks of Exif and XMP.
pub(super) fn webp(content: &[u8], orientation: Orientation) -> Option<Vec<u8>> {
    const HAS_EXIF: u8 = 0b1000;
    const HAS_XMP: u8 = 0b0100;
    let length = little_endian(content.get(4..8)?);
    let mut rest = content.get(12..length.checked_add(8)?)?;
    let mut chunks = b"WEBP".to_vec();
    let mut flags = None;
    while !rest.is_empty() {
        let kind = rest.get(..4)?;
        let length = little_endian(rest.get(4..8)?);
        let padded = length.checked_add(length % 2)?.checked_add(8)?;
        let chunk = rest.get(..padded)?;
        if kind == b"VP8X" {
            flags = Some(chunks.len() + 8);
        }
        if !matches!(kind, b"EXIF" | b"XMP ") {
            chunks.extend(chunk);
        }
        rest = &rest[padded..];
    }
    if let Some(flags) = flags.and_then(|place| chunks.get_mut(place)) {
        *flags &= !(HAS_EXIF | HAS_XMP);
        if is_turned(orientation) {
            *flags |= HAS_EXIF;
            let table = exif(orientation);
            chunks.extend(b"EXIF");
            chunks.extend(u32::try_from(table.len()).ok()?.to_le_bytes());
            chunks.extend(table);
        }
    }
    let mut kept = b"RIFF".to_vec();
    kept.extend(u32::try_from(chunks.len()).ok()?.to_le_bytes());
    kept.extend(chunks);
    Some(kept)
}

#[cfg(test)]
mod tests {
    use std::io::Cursor;

    use image::codecs::jpeg::{JpegDecoder, JpegEncoder};
    use image::codecs::png::{PngDecoder, PngEncoder};
    use image::codecs::webp::{WebPDecoder, WebPEncoder};
    use image::{DynamicImage, ImageDecoder, ImageEncoder};

    use super::*;

    /// Exif that says how to turn the picture, and where it was taken.
    fn telling() -> Vec<u8> {
        let mut table =
            b"MM\0\x2a\0\0\0\x08\0\x02\x01\x12\0\x03\0\0\0\x01\0\x06\0\0\x01\x0f\0\x02\0\0\0\x08\0\0\0\x26\0\0\0\0"
                .to_vec();
        table.extend(b"at home\0");
        table
    }

    fn written(mut encoder: impl ImageEncoder) {
        encoder.set_exif_metadata(telling()).expect("it can be said");
        DynamicImage::new_rgb8(6, 2).write_with_encoder(encoder).expect("it can be written");
    }

    fn tells(content: &[u8]) -> bool {
        content.windows(7).any(|text| text == b"at home")
    }

    #[test]
    fn a_jpeg_keeps_how_it_is_turned_and_tells_no_place() {
        let mut content = Vec::new();
        written(JpegEncoder::new(&mut content));
        content.extend(b"and at home behind it");
        assert!(tells(&content));
        let kept = jpeg(&content, Orientation::Rotate90).expect("a picture");
        assert!(!tells(&kept));
        let mut decoder = JpegDecoder::new(Cursor::new(&kept)).expect("a picture");
        assert_eq!(decoder.orientation().expect("it says so"), Orientation::Rotate90);
        assert_eq!(DynamicImage::from_decoder(decoder).expect("a picture").width(), 6);
    }

    #[test]
    fn a_png_tells_no_place() {
        let mut content = Vec::new();
        written(PngEncoder::new(&mut content));
        content.extend(b"and at home behind it");
        assert!(tells(&content));
        let kept = png(&content).expect("a picture");
        assert!(!tells(&kept));
        let decoder = PngDecoder::new(Cursor::new(&kept)).expect("a picture");
        assert_eq!(DynamicImage::from_decoder(decoder).expect("a picture").width(), 6);
    }

    #[test]
    fn a_webp_keeps_how_it_is_turned_and_tells_no_place() {
        let mut content = Vec::new();
        written(WebPEncoder::new_lossless(&mut content));
        assert!(tells(&content));
        let kept = webp(&content, Orientation::Rotate90).expect("a picture");
        assert!(!tells(&kept));
        let mut decoder = WebPDecoder::new(Cursor::new(&kept)).expect("a picture");
        assert_eq!(decoder.orientation().expect("it says so"), Orientation::Rotate90);
        assert_eq!(DynamicImage::from_decoder(decoder).expect("a picture").width(), 6);
    }

    #[test]
    fn what_breaks_off_is_no_picture() {
        let mut content = Vec::new();
        written(JpegEncoder::new(&mut content));
        for end in 0..content.len() {
            assert_eq!(jpeg(&content[..end], Orientation::NoTransforms), None, "{end}");
        }
        for end in [0, 3, 9, 20] {
            assert_eq!(png(&content[..end]), None);
            assert_eq!(webp(&content[..end], Orientation::NoTransforms), None);
        }
    }
}
