//! A shop that has something to lose, what it answers, and what is kept of it.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use bytes::Bytes;
use rustix::process::Signal;
use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::db::copy::{AppliedSet, TableDigest};
use stoa_core::testing::TestResponse;

use super::http;
use super::place::{Running, ShopFolder};

pub(crate) const EMAIL: &str = "ada@example.com";
pub(crate) const PASSWORD: &str = "a lovely password";

const CATALOG: &str = concat!(
    r#"{"type": "category", "slug": "lamps", "name": "Lamps", "image": "lamps/all.svg"}"#,
    "\n",
    r#"{"type": "product", "slug": "desk-lamp", "name": "Desk lamp", "price_amount": 4900, "category": "lamps", "#,
    r#""images": ["lamps/desk.svg"], "options": [{"key": "cable", "label": "Cable", "type": "select", "#,
    r#""choices": [{"value": "short", "label": "Short"}, {"value": "long", "label": "Lang \u00fcber alles"}]}]}"#,
    "\n",
    r#"{"type": "product", "slug": "floor-lamp", "name": "Floor lamp", "price_amount": 19900, "category": "lamps"}"#,
    "\n",
);

/// The picture of a product, in the media folder.
pub(crate) const PICTURE: &str = "data/media/lamps/desk.svg";

/// Paths whose answers together show the shop.
const PATHS: [&str; 6] = [
    "/api/v1/products",
    "/api/v1/products/desk-lamp",
    "/api/v1/categories",
    "/api/v1/categories/lamps",
    "/api/v1/search?q=floor",
    "/media/lamps/desk.svg",
];

/// A shop with products, a category, pictures, and a customer with a token.
pub(crate) struct Stocked {
    pub(crate) place: ShopFolder,
    pub(crate) token: String,
    /// The id of the customer.
    pub(crate) customer: i64,
}

impl Stocked {
    pub(crate) async fn on(backend: Backend) -> Self {
        let place = empty_place(backend).await;
        place.write("catalog.jsonl", CATALOG);
        place.run(["import", "catalog.jsonl"]).await.succeeded();
        fs::create_dir_all(place.path().join("data/media/lamps")).expect("the folder is ours");
        place.write(PICTURE, "<svg xmlns=\"http://www.w3.org/2000/svg\"/>");
        place.write("data/media/lamps/all.svg", "<svg/>");
        let create = ["customer", "create", "--email", EMAIL, "--name", "Ada", "--password", PASSWORD, "--json"];
        let customer = place.run(create).await.succeeded().json()["id"].as_i64().expect("an id");
        let create = ["token", "create", "--customer", EMAIL, "--name", "Laptop", "--json"];
        let token = place.run(create).await.succeeded().json()["token"].as_str().expect("the token").to_owned();
        Self { place, token, customer }
    }

    /// Backs the shop up into a file of its folder, and returns the file's whole path.
    pub(crate) async fn back_up(&self) -> String {
        self.place.run(["backup", "shop.tar.gz"]).await.succeeded();
        self.place.path().join("shop.tar.gz").to_str().expect("UTF-8").to_owned()
    }
}

/// A place for a shop whose answers do not tell where it is served.
pub(crate) async fn empty_place(backend: Backend) -> ShopFolder {
    ShopFolder::on(backend).await.variable("STOA_SERVER__BASE_URL", "http://shop.test")
}

/// What a place's shop answers to everybody.
pub(crate) async fn answers(place: &ShopFolder) -> Vec<Bytes> {
    let (shop, address) = serve(place).await;
    let mut answers = Vec::new();
    for path in PATHS {
        let answer = http::get(&address, path).await;
        assert_eq!(answer.status, 200, "{path}: {answer:?}");
        answers.push(answer.body);
    }
    stop(shop).await;
    answers
}

/// Starts a place's shop, and returns it with its address.
pub(crate) async fn serve(place: &ShopFolder) -> (Running, String) {
    let mut shop = place.start(["serve"]);
    let address = shop.line("listening on http://").await;
    (shop, address)
}

pub(crate) async fn stop(shop: Running) {
    let (code, log) = shop.stop(Signal::TERM).await;
    assert_eq!(code, Some(0), "{log}");
}

/// Asks for a new token with the customer's password.
pub(crate) async fn log_in(address: &str) -> TestResponse {
    let body = json!({"email": EMAIL, "password": PASSWORD, "name": "x"}).to_string();
    http::send(address, "POST /api/v1/auth/tokens", &[("Content-Type", "application/json")], &body).await
}

/// Revokes a token, which only itself can do.
pub(crate) async fn revoke(address: &str, token: &str) -> TestResponse {
    let authorization = format!("Bearer {token}");
    http::send(address, "DELETE /api/v1/auth/tokens", &[("Authorization", &authorization)], "").await
}

/// Everything that is kept of a shop.
#[derive(Debug, PartialEq)]
pub(crate) struct ShopSnapshot {
    /// The files of its folder with rights and content.
    files: BTreeMap<String, (u32, Vec<u8>)>,
    /// The names of the files beside a SQLite database.
    beside: Vec<String>,
    /// What is in the database, if there is one.
    tables: Option<(Vec<TableDigest>, Vec<AppliedSet>)>,
}

impl ShopSnapshot {
    /// The rows of the database, table by table, without the log that tells of restores.
    pub(crate) fn tables(&self) -> Vec<&TableDigest> {
        let tables = &self.tables.as_ref().expect("there is a database").0;
        tables.iter().filter(|table| table.table != "audit_log").collect()
    }
}

/// What is kept of the shop at a place, which nobody serves.
pub(crate) async fn snapshot(place: &ShopFolder) -> ShopSnapshot {
    let mut files = BTreeMap::new();
    collect(place.path(), "", &mut files);
    let url = place.database_url();
    let file = url.strip_prefix("sqlite://").map(Path::new);
    let mut tables = None;
    if file.is_none_or(Path::exists) {
        let db = place.db().await;
        let mut snapshot = db.snapshot().await.expect("it is read");
        let digests = snapshot.digests().await.expect("it is read");
        tables = Some((digests, snapshot.applied().await.expect("it is read")));
        drop(snapshot);
        db.close().await;
    }
    let beside = file.and_then(Path::parent).map(names).unwrap_or_default();
    ShopSnapshot { files, beside, tables }
}

/// The names in a folder, sorted.
pub(crate) fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).expect("the folder can be read");
    let mut names = entries
        .map(|entry| entry.expect("it can be read").file_name().to_string_lossy().into_owned())
        .collect::<Vec<_>>();
    names.sort();
    names
}

fn collect(folder: &Path, prefix: &str, files: &mut BTreeMap<String, (u32, Vec<u8>)>) {
    for name in names(folder) {
        let (path, shown) = (folder.join(&name), format!("{prefix}{name}"));
        let metadata = fs::metadata(&path).expect("it can be read");
        if metadata.is_dir() {
            files.insert(format!("{shown}/"), (metadata.permissions().mode(), Vec::new()));
            collect(&path, &format!("{shown}/"), files);
        } else {
            let content = fs::read(&path).expect("it can be read");
            files.insert(shown, (metadata.permissions().mode(), content));
        }
    }
}
