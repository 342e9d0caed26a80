//! `GET /media/…?w=W`: pictures in the width that a page needs.

use std::fs;
use std::io::Cursor;
use std::path::{Path, PathBuf};

use futures_util::future::join_all;
use http::Method;
use image::codecs::jpeg::JpegEncoder;
use image::imageops::FilterType;
use image::{DynamicImage, ImageEncoder, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, TestResponse, TestShop, both_databases};

async fn get(client: &TestClient, path: &str) -> TestResponse {
    client.send(client.site_request(Method::GET, path, "")).await
}

/// A picture that cannot be compressed to nothing: each pixel differs from the next.
fn photo(width: u32, height: u32) -> DynamicImage {
    let shade = |x: u32, y: u32| u8::try_from((x * 7 + y * 13 + (x * y) % 31) % 256).expect("a byte");
    RgbImage::from_fn(width, height, |x, y| Rgb([shade(x, y), shade(y, x), shade(x + y, x)])).into()
}

fn encoded(picture: &DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).expect("it can be written");
    bytes.into_inner()
}

/// A JPEG that says that it is to be turned by a quarter (EXIF orientation 6).
fn lying_photo(width: u32, height: u32) -> Vec<u8> {
    let exif = [b"II*\0\x08\0\0\0".as_slice(), b"\x01\0\x12\x01\x03\0\x01\0\0\0\x06\0\0\0\0\0\0\0"].concat();
    let mut bytes = Vec::new();
    let mut encoder = JpegEncoder::new_with_quality(&mut bytes, 90);
    encoder.set_exif_metadata(exif).expect("it takes such data");
    photo(width, height).write_with_encoder(encoder).expect("it can be written");
    bytes
}

async fn shop_with(backend: Backend, name: &str, content: &[u8]) -> TestShop {
    let shop = TestShop::new(backend).await;
    put(&shop, name, content);
    shop
}

fn put(shop: &TestShop, name: &str, content: &[u8]) {
    let path = shop.parts.config.media.folder.join(name);
    fs::create_dir_all(path.parent().expect("a folder")).expect("the folder can be made");
    fs::write(path, content).expect("the picture can be written");
}

fn size_of(answer: &TestResponse) -> (u32, u32) {
    let picture = image::load_from_memory(&answer.body).expect("it is a picture");
    (picture.width(), picture.height())
}

/// The copies that are kept.
fn copies(folder: &Path) -> Vec<PathBuf> {
    let shelves = fs::read_dir(folder).into_iter().flatten().flatten();
    let files = shelves.flat_map(|shelf| fs::read_dir(shelf.path()).into_iter().flatten().flatten());
    files.map(|file| file.path()).collect()
}

both_databases!(a_picture_comes_in_the_width_that_is_asked_for);
async fn a_picture_comes_in_the_width_that_is_asked_for(backend: Backend) {
    let shop = shop_with(backend, "lamps/a b.jpg", &encoded(&photo(1000, 500), ImageFormat::Jpeg)).await;
    let clear = RgbaImage::from_fn(800, 800, |x, y| {
        Rgba([x.to_le_bytes()[0], y.to_le_bytes()[0], (x * y).to_le_bytes()[0], 90])
    });
    put(&shop, "clear.png", &encoded(&clear.clone().into(), ImageFormat::Png));
    put(&shop, "clear.webp", &encoded(&clear.into(), ImageFormat::WebP));
    put(&shop, "photo.webp", &encoded(&photo(800, 400), ImageFormat::WebP));
    let client = shop.client();
    for (path, media_type, size) in [
        ("/media/lamps/a%20b.jpg?w=320", "image/jpeg", (320, 160)),
        ("/media/lamps/a%20b.jpg?w=640", "image/jpeg", (640, 320)),
        ("/media/clear.png?w=160", "image/png", (160, 160)),
        ("/media/clear.webp?w=160", "image/webp", (160, 160)),
        ("/media/photo.webp?w=160", "image/jpeg", (160, 80)),
    ] {
        let answer = get(&client, path).await.expect_status(200);
        assert_eq!(answer.header("content-type"), Some(media_type), "{path}");
        assert_eq!(size_of(&answer), size, "{path}");
        assert_eq!(answer.header("cache-control"), Some("public, max-age=3600"), "{path}");
        assert!(answer.header("content-security-policy").is_some_and(|policy| policy.contains("sandbox")), "{path}");
    }
}

both_databases!(a_copy_of_a_photo_has_no_bytes_that_nobody_sees);
async fn a_copy_of_a_photo_has_no_bytes_that_nobody_sees(backend: Backend) {
    let original = encoded(&photo(1280, 1280), ImageFormat::Jpeg);
    let shop = shop_with(backend, "a.jpg", &original).await;
    let copy = get(&shop.client(), "/media/a.jpg?w=640").await.expect_status(200);
    let scaled = image::load_from_memory(&original).expect("a picture").resize_exact(640, 640, FilterType::Lanczos3);
    let mut fine = Vec::new();
    scaled.write_with_encoder(JpegEncoder::new_with_quality(&mut fine, 82)).expect("it can be written");
    assert!(copy.body.len() * 4 < fine.len() * 3, "{} of {}", copy.body.len(), fine.len());
}

both_databases!(a_picture_is_never_made_larger_and_what_cannot_be_scaled_comes_as_it_is);
async fn a_picture_is_never_made_larger_and_what_cannot_be_scaled_comes_as_it_is(backend: Backend) {
    let small = encoded(&photo(300, 300), ImageFormat::Png);
    let shop = shop_with(backend, "small.png", &small).await;
    put(&shop, "broken.jpg", b"\xff\xd8\xff\xe0 no picture");
    put(&shop, "drawing.svg", b"<svg/>");
    put(&shop, "mislabeled.png", &encoded(&photo(700, 700), ImageFormat::Jpeg));
    let client = shop.client();
    assert_eq!(get(&client, "/media/small.png?w=640").await.expect_status(200).body, small);
    let broken = get(&client, "/media/broken.jpg?w=160").await.expect_status(200);
    assert_eq!(&broken.body[..], b"\xff\xd8\xff\xe0 no picture");
    assert_eq!(get(&client, "/media/drawing.svg?w=160").await.expect_status(200).text(), "<svg/>");
    assert_eq!(size_of(&get(&client, "/media/mislabeled.png?w=320").await.expect_status(200)), (320, 320));
}

both_databases!(a_picture_that_lies_on_its_side_is_turned);
async fn a_picture_that_lies_on_its_side_is_turned(backend: Backend) {
    let shop = shop_with(backend, "lying.jpg", &lying_photo(800, 400)).await;
    let answer = get(&shop.client(), "/media/lying.jpg?w=160").await.expect_status(200);
    assert_eq!(size_of(&answer), (160, 320));
}

both_databases!(other_widths_are_refused_with_those_that_there_are);
async fn other_widths_are_refused_with_those_that_there_are(backend: Backend) {
    let shop = shop_with(backend, "a.png", &encoded(&photo(700, 700), ImageFormat::Png)).await;
    for wrong in ["641", "0", "-1", "many", "", "99999999999999999999"] {
        let refused = get(&shop.client(), &format!("/media/a.png?w={wrong}")).await.expect_error(400, "bad_request");
        let message = refused.text();
        assert!(message.contains("160, 320, 640, 960, 1280, 1920"), "{message}");
    }
    get(&shop.client(), "/media/none.png?w=640").await.expect_error(404, "not_found");
    get(&shop.client(), "/media/.hidden.png?w=640").await.expect_error(404, "not_found");
}

both_databases!(a_copy_is_made_once_and_kept);
async fn a_copy_is_made_once_and_kept(backend: Backend) {
    let shop = shop_with(backend, "a.png", &encoded(&photo(900, 900), ImageFormat::Png)).await;
    let client = shop.client();
    let answers = join_all((0..12).map(|_| get(&client, "/media/a.png?w=160"))).await;
    for answer in answers {
        assert_eq!(size_of(&answer.expect_status(200)), (160, 160));
    }
    let folder = &shop.parts.config.media.scaled_folder;
    let kept = copies(folder);
    assert_eq!(kept.len(), 1, "{kept:?}");
    // What is kept is what is sent.
    fs::write(&kept[0], "kept").expect("the folder is ours");
    assert_eq!(get(&client, "/media/a.png?w=160").await.expect_status(200).text(), "kept");
    // A picture that was replaced has another copy.
    put(&shop, "a.png", &encoded(&photo(901, 901), ImageFormat::Png));
    assert_eq!(size_of(&get(&client, "/media/a.png?w=160").await.expect_status(200)), (160, 160));
}

both_databases!(a_copy_is_sent_in_parts_and_only_when_it_has_changed);
async fn a_copy_is_sent_in_parts_and_only_when_it_has_changed(backend: Backend) {
    let shop = shop_with(backend, "a.png", &encoded(&photo(900, 900), ImageFormat::Png)).await;
    let whole = get(&shop.client(), "/media/a.png?w=320").await.expect_status(200);
    let changed = whole.header("last-modified").expect("it says when").to_owned();
    let part = get(&shop.client().with_header("range", "bytes=0-9"), "/media/a.png?w=320").await.expect_status(206);
    assert_eq!(part.body, whole.body[..10]);
    get(&shop.client().with_header("if-modified-since", &changed), "/media/a.png?w=320").await.expect_status(304);
}

both_databases!(a_picture_that_would_fill_the_memory_is_not_decoded);
async fn a_picture_that_would_fill_the_memory_is_not_decoded(backend: Backend) {
    // A file of a few kilobytes that says that it is 30,000 pixels wide and high.
    let mut bomb = encoded(&photo(2, 2), ImageFormat::Png);
    bomb[16..24].copy_from_slice(&[0, 0, 0x75, 0x30, 0, 0, 0x75, 0x30]);
    let crc = crc_of(&bomb[12..29]).to_be_bytes();
    bomb[29..33].copy_from_slice(&crc);
    let shop = shop_with(backend, "bomb.png", &bomb).await;
    assert_eq!(get(&shop.client(), "/media/bomb.png?w=160").await.expect_status(200).body, bomb);
}

/// The checksum of a chunk of PNG.
fn crc_of(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xedb8_8320 } else { crc >> 1 })
    })
}

both_databases!(without_room_for_copies_pictures_come_as_they_are);
async fn without_room_for_copies_pictures_come_as_they_are(backend: Backend) {
    let shop = TestShop::builder(backend).config("[media]\nscaled_megabytes = 0").open().await;
    let original = encoded(&photo(900, 900), ImageFormat::Png);
    put(&shop, "a.png", &original);
    assert_eq!(get(&shop.client(), "/media/a.png?w=160").await.expect_status(200).body, original);
    assert!(copies(&shop.parts.config.media.scaled_folder).is_empty());
}
