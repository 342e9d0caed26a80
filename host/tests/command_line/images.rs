//! `stoa import --fetch-images`, and what is told of images that stay where they are.

use std::net::SocketAddr;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use axum::Router;
use axum::body::{Body, Bytes};
use axum::extract::State;
use axum::http::{Response, StatusCode, Uri, header};
use futures_util::stream;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use super::import::exported;
use super::place::ShopFolder;

const PNG: &[u8] = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR";

/// An old shop with images; how often it was asked.
struct OldShop {
    address: SocketAddr,
    asked: Arc<AtomicUsize>,
}

impl OldShop {
    async fn open() -> Self {
        let asked = Arc::new(AtomicUsize::new(0));
        let app = Router::new().fallback(answer).with_state(Arc::clone(&asked));
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port is free");
        let address = listener.local_addr().expect("it is bound");
        tokio::spawn(async move { axum::serve(listener, app).await });
        Self { address, asked }
    }

    fn image(&self, name: &str) -> String {
        format!("http://{}/{name}", self.address)
    }

    /// An export of Shopify: a row for each product with its image.
    fn export(&self, names: &[&str]) -> String {
        let row = |(index, name): (usize, &&str)| format!("p{index},P,1.00,{}\n", self.image(name));
        let rows = names.iter().enumerate().map(row).collect::<String>();
        format!("Handle,Title,Variant Price,Image Src\n{rows}")
    }
}

async fn answer(State(asked): State<Arc<AtomicUsize>>, uri: Uri) -> Response<Body> {
    asked.fetch_add(1, Ordering::SeqCst);
    let (status, location, body) = match uri.path() {
        "/lamp.png" | "/chair.png" => (StatusCode::OK, None, Body::from(PNG)),
        "/page.png" => (StatusCode::OK, None, Body::from("<!doctype html><title>Sorry</title>")),
        "/large.png" => (StatusCode::OK, None, Body::from([PNG, &vec![0; 21 * 1024 * 1024]].concat())),
        "/untold.png" => (StatusCode::OK, None, untold()),
        "/moved.png" => (StatusCode::FOUND, Some("/lamp.png"), Body::empty()),
        "/circle.png" => (StatusCode::FOUND, Some("/circle.png"), Body::empty()),
        _ => (StatusCode::NOT_FOUND, None, Body::empty()),
    };
    let mut answer = Response::builder().status(status);
    if let Some(location) = location {
        answer = answer.header(header::LOCATION, location);
    }
    answer.body(body).expect("a response")
}

/// An image that is as large, and whose size nobody is told.
fn untold() -> Body {
    let parts = std::iter::once(Bytes::from_static(PNG)).chain(std::iter::repeat_n(Bytes::from(vec![0; 65_536]), 336));
    Body::from_stream(stream::iter(parts.map(Ok::<_, std::io::Error>)))
}

/// A place that may ask servers on this machine.
async fn open_place(backend: Backend) -> ShopFolder {
    ShopFolder::migrated(backend).await.variable("STOA_WEBHOOKS__ALLOW_PRIVATE_DESTINATIONS", "true")
}

async fn image(place: &ShopFolder, slug: &str) -> String {
    exported(place, slug).await["images"][0].as_str().expect("an image").to_owned()
}

both_databases!(images_are_copied_once_and_the_copies_take_their_place);
async fn images_are_copied_once_and_the_copies_take_their_place(backend: Backend) {
    let (place, shop) = (open_place(backend).await, OldShop::open().await);
    place.write("s.csv", shop.export(&["lamp.png", "lamp.png", "chair.png", "moved.png"]));
    let import = ["import", "s.csv", "--fetch-images"];
    let tried = place.run(["import", "s.csv", "--fetch-images", "--dry-run"]).await.succeeded();
    assert_eq!(shop.asked.load(Ordering::SeqCst), 0, "a dry run fetches nothing");
    assert!(tried.out.contains("4 images lie on other servers (127.0.0.1)"), "{}", tried.out);
    let told = place.run(import).await.succeeded();
    assert_eq!(
        (told.out.lines().nth(1), told.err.as_str()),
        (Some("3 images in the media folder"), ""),
        "{}",
        told.out
    );
    assert_eq!(shop.asked.load(Ordering::SeqCst), 4, "each address once, and where one has moved to");
    let lamp = image(&place, "p0").await;
    assert!(lamp.starts_with("imported/") && lamp.ends_with("-lamp.png"), "{lamp}");
    assert_eq!(image(&place, "p1").await, lamp);
    let folder = place.path().join("data/media");
    assert_eq!(std::fs::read(folder.join(&lamp)).expect("the copy"), PNG);
    let names = std::fs::read_dir(folder.join("imported")).expect("the folder").count();
    assert_eq!(names, 3, "nothing else is left there");
    let again = place.run(import).await.succeeded();
    assert!(again.out.starts_with("created 0, updated 0, unchanged 4 products"), "{}", again.out);
    assert_eq!(shop.asked.load(Ordering::SeqCst), 4, "what is there is not fetched again");
}

both_databases!(images_that_cannot_be_copied_are_named_and_keep_their_address);
async fn images_that_cannot_be_copied_are_named_and_keep_their_address(backend: Backend) {
    let (place, shop) = (open_place(backend).await, OldShop::open().await);
    let names = ["gone.png", "page.png", "large.png", "untold.png", "circle.png", "lamp.png"];
    place.write("s.csv", shop.export(&names));
    let told = place.run(["import", "s.csv", "--fetch-images"]).await.succeeded();
    let remark = |(index, reason): (usize, &&str)| {
        let address = shop.image(names[index]);
        format!("s.csv: line {}, images: notice: the image {address} {reason}; its address is kept", index + 2)
    };
    let reasons = [
        "answers with 404 Not Found",
        "is no JPEG, PNG, GIF, WebP or AVIF image",
        "has more than 20 MiB",
        "has more than 20 MiB",
        "is redirected more than 5 times",
    ];
    let expected = reasons.iter().enumerate().map(remark).collect::<Vec<_>>();
    assert_eq!(told.err.lines().collect::<Vec<_>>(), expected);
    assert_eq!(
        told.out.lines().skip(1).collect::<Vec<_>>(),
        ["1 image in the media folder", "5 images lie on other servers (127.0.0.1) and will be gone with them"]
    );
    assert_eq!(image(&place, "p2").await, shop.image("large.png"));
    let left = std::fs::read_dir(place.path().join("data/media/imported")).expect("the folder").count();
    assert_eq!(left, 1, "no half of an image is left");
}

#[tokio::test]
async fn images_on_private_addresses_are_not_asked_for() {
    let (place, shop) = (ShopFolder::migrated(Backend::Sqlite).await, OldShop::open().await);
    place.write("s.csv", shop.export(&["lamp.png"]));
    let told = place.run(["import", "s.csv", "--fetch-images"]).await.succeeded();
    assert!(
        told.err.contains("is not fetched: 127.0.0.1 is not a public address; its address is kept"),
        "{}",
        told.err
    );
    assert_eq!(shop.asked.load(Ordering::SeqCst), 0);
    assert!(!place.path().join("data/media/imported").exists());
}

#[tokio::test]
async fn what_stays_elsewhere_and_what_is_left_out_are_told_at_the_end() {
    let place = ShopFolder::migrated(Backend::Sqlite).await;
    let text =
        "Handle,Title,Type,Tags,Variant Price,Image Src\nlamp,Lamp,Lamps,\"new, red\",1,https://cdn.example/a.jpg\n";
    place.write("s.csv", text);
    let told = place.run(["import", "s.csv"]).await.succeeded();
    let expected = [
        "created 1 product and 1 category, updated 0, unchanged 0, refused 0",
        "not taken over: `Tags` (1 row); --tags-as-categories makes categories of tags",
        "1 image lies on other servers (cdn.example) and will be gone with them; --fetch-images copies it into the media folder",
    ];
    assert_eq!(told.out.lines().collect::<Vec<_>>(), expected);
    let told = place.run(["import", "s.csv", "--tags-as-categories", "--json"]).await.succeeded().json();
    assert_eq!(told["categories"]["created"], 2);
    assert_eq!(
        (&told["columns_left_out"], &told["pictures"]["elsewhere"]),
        (&serde_json::json!([]), &serde_json::json!(1))
    );
    place.write("catalog.jsonl", "{\"type\": \"product\", \"slug\": \"a\", \"name\": \"A\", \"price_amount\": 1}\n");
    place.run(["import", "catalog.jsonl", "--tags-as-categories"]).await.refused(1, &["for exports of Shopify"]);
}
