//! Codes of tickets that are read from photos, for browsers that read none themselves.

use std::io::Cursor;

use image::{DynamicImage, ImageFormat, Luma};
use stoa_core::db::Backend;
use stoa_core::pages::qr::QrSquares;
use stoa_core::testing::{TestBrowser, TestResponse, both_databases};

use crate::modules::{Concert, concert};
use crate::shelf::{browser, csrf_of};

const DOOR: &str = "/console/m/event_tickets/events/check-in";

/// Codes on a table, each turned a little, as somebody takes them with a phone.
fn photo(codes: &[&str], format: ImageFormat) -> Vec<u8> {
    /// Pixels of a square of a code, and squares around a code.
    const SQUARE: i64 = 9;
    const MARGIN: i64 = 4;
    let codes = codes.iter().map(|code| QrSquares::of(code).expect("it is short"));
    let drawn = codes.map(|code| (i64::try_from(code.width()).expect("few"), code.into_dark())).collect::<Vec<_>>();
    let level = |x: u32, y: u32| {
        for (place, (width, dark)) in (0..).zip(&drawn) {
            let (right, down) = (i64::from(x) - place * 1100 - 600, i64::from(y) - 700);
            let column = (98 * right + 20 * down).div_euclid(100 * SQUARE) + width / 2;
            let row = (98 * down - 20 * right).div_euclid(100 * SQUARE) + width / 2;
            if (0..*width).contains(&column) && (0..*width).contains(&row) {
                let square = usize::try_from(row * width + column).expect("it is one of the code's");
                return if dark[square] { 40 } else { 220 };
            }
            let around = -MARGIN..width + MARGIN;
            if around.contains(&column) && around.contains(&row) {
                return 220;
            }
        }
        120 + u8::try_from((x * 7 + y * 13) % 60).expect("it is small")
    };
    let picture = image::GrayImage::from_fn(2300, 1400, |x, y| Luma([level(x, y)]));
    let mut content = Vec::new();
    DynamicImage::from(picture).write_to(&mut Cursor::new(&mut content), format).expect("it is written");
    content
}

/// Sends the form at the door as a phone does that has taken a photo.
async fn show(warehouse: &mut TestBrowser, typed: &str, name: &str, photo: &[u8]) -> TestResponse {
    let csrf = csrf_of(&warehouse.get(DOOR).await.expect_status(200).text());
    let fields = [("csrf", csrf.as_str()), ("code", typed), ("gate", "north")];
    warehouse.upload(DOOR, &fields, &[("photo", name, photo)]).await
}

both_databases!(a_photo_of_a_tickets_code_lets_its_holder_in);
async fn a_photo_of_a_tickets_code_lets_its_holder_in(backend: Backend) {
    let Concert { shop, customer, .. } = concert(backend).await;
    let tickets = customer.get("/event-tickets").await.expect_status(200).json();
    let codes = [0, 1].map(|place| tickets["data"][place]["qr"].as_str().expect("a code").to_owned());
    let mut warehouse = browser(&shop, "warehouse").await;
    let form = warehouse.get(DOOR).await.expect_status(200).text();
    assert!(form.contains("capture=\"environment\"") && form.contains("enctype=\"multipart/form-data\""), "{form}");

    let taken = photo(&[&codes[0]], ImageFormat::Jpeg);
    let next = show(&mut warehouse, "", "a.jpg", &taken).await.expect_status(303);
    let next = next.header("location").expect("the next one").to_owned();
    assert_eq!(next, format!("{DOOR}?gate=north"), "the next one is let in by the same page, at the same gate");
    let told = warehouse.get(&next).await.expect_status(200).text();
    assert!(told.contains("role=\"status\">Checked in, but "), "{told}");
    show(&mut warehouse, "", "a.jpg", &taken).await.expect_status(303);
    let told = warehouse.get(DOOR).await.expect_status(200).text();
    assert!(told.contains("role=\"alert\">Already used since"), "{told}");

    let both = photo(&[&codes[0], &codes[1]], ImageFormat::Png);
    let empty = photo(&[], ImageFormat::Png);
    for (photo, reason) in [
        (&both[..], "The photo shows several codes: take one of each alone."),
        (&empty, "The photo shows no code that can be read: take it again, closer and with more light."),
        (b"<svg onload='alert(1)'/>", "The photo is no JPEG, PNG or WebP picture."),
        (&taken[..taken.len() / 2], "The photo shows no code that can be read"),
        (b"\xff\xd8\xff\xe0 not at all", "The photo is broken."),
    ] {
        let page = show(&mut warehouse, "", "a.jpg", photo).await.expect_status(422).text();
        assert!(page.contains(reason) && page.contains("name=\"gate\" value=\"north\""), "{reason}: {page}");
    }
    let page = show(&mut warehouse, "", "", b"").await.expect_status(422).text();
    assert!(page.contains("id=\"code\"") && page.contains("aria-invalid=\"true\""), "{page}");
    show(&mut warehouse, "ET-000002", "a.jpg", &empty).await.expect_status(303);
}
