//! The module in a whole shop, on both databases.

use stoa_core::chrono::TimeDelta;
use stoa_core::customers::{anonymize_customer, export_customer, find_account};
use stoa_core::db::Backend;
use stoa_core::module::ModuleEntry;
use stoa_core::serde_json::{Value, json};
use stoa_core::testing::{TestClient, TestShop, TestShopBuilder, both_databases, broken_rules};

use stoa_guest_book::GuestBookModule as TheModule;

/// The module's name.
const NAME: &str = "guest_book";

/// Where the routes are.
const PATH: &str = "/guest-book";

/// The abilities.
const READ: &str = "guest_book.read";
const WRITE: &str = "guest_book.write";

/// The command that lists entries.
const LIST: [&str; 2] = ["guest-book", "list"];

fn entry() -> ModuleEntry {
    let entry = ModuleEntry::of::<TheModule>(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"));
    entry.in_folder(env!("CARGO_MANIFEST_DIR"))
}

fn builder(backend: Backend) -> TestShopBuilder {
    TestShop::builder(backend).module::<TheModule>()
}

/// The operator's settings.
fn keeping(days: u32) -> String {
    format!("[modules.{NAME}]\nkeep_days = {days}")
}

async fn customer(shop: &TestShop) -> TestClient {
    shop.client().token(&shop.customer().await, &["*"]).await
}

/// Writes an entry, and gives back its path.
async fn written(client: &TestClient) -> String {
    let entry = client.post(PATH, &json!({"text": "A lovely shop."})).await.expect_status(201).json();
    format!("{PATH}/{}", entry["id"])
}

async fn texts(client: &TestClient) -> Vec<Value> {
    let list = client.get(PATH).await.expect_status(200).json();
    list["data"].as_array().into_iter().flatten().map(|entry| entry["text"].clone()).collect()
}

#[tokio::test]
async fn the_module_keeps_the_rules_of_all_modules() {
    assert_eq!(broken_rules(entry()).await, [""; 0]);
}

both_databases!(an_entry_holds_no_web_addresses);
async fn an_entry_holds_no_web_addresses(backend: Backend) {
    let shop = builder(backend).open().await;
    let client = customer(&shop).await;
    let refused = client.post(PATH, &json!({"text": "Look at https://tea.example."})).await.expect_status(422).json();
    assert_eq!(refused["errors"]["text"], json!(["Please write your entry without web addresses."]));
}

both_databases!(an_entry_can_be_written_read_and_deleted);
async fn an_entry_can_be_written_read_and_deleted(backend: Backend) {
    let shop = builder(backend).open().await;
    let ada = customer(&shop).await;
    let path = written(&ada).await;
    assert_eq!(ada.get(&path).await.expect_status(200).json()["data"]["text"], "A lovely shop.");
    ada.delete(&path).await.expect_status(200);
    ada.get(&path).await.expect_error(404, "not_found");
    ada.post(PATH, &json!({"text": " "})).await.expect_error(422, "validation_error");
}

both_databases!(somebody_elses_entry_is_not_found);
async fn somebody_elses_entry_is_not_found(backend: Backend) {
    let shop = builder(backend).open().await;
    let (ada, eve) = (customer(&shop).await, customer(&shop).await);
    let path = written(&ada).await;
    eve.get(&path).await.expect_error(404, "not_found");
    eve.delete(&path).await.expect_error(404, "not_found");
    assert_eq!((texts(&eve).await.len(), texts(&ada).await.len()), (0, 1));
}

both_databases!(reading_and_writing_need_abilities_of_their_own);
async fn reading_and_writing_need_abilities_of_their_own(backend: Backend) {
    let shop = builder(backend).open().await;
    let ada = shop.customer().await;
    let reader = shop.client().token(&ada, &[READ]).await;
    reader.get(PATH).await.expect_status(200);
    reader.post(PATH, &json!({"text": "x"})).await.expect_error(403, "insufficient_scope");
    let writer = shop.client().token(&ada, &[WRITE]).await;
    writer.get(PATH).await.expect_error(403, "insufficient_scope");
}

both_databases!(what_is_bought_adds_one_entry_however_often_the_event_comes);
async fn what_is_bought_adds_one_entry_however_often_the_event_comes(backend: Backend) {
    let shop = builder(backend).open().await;
    let mut tea = json!({"type": "product", "slug": "tea", "name": "Tea", "price_amount": 0});
    tea["modules"][NAME] = json!({"text": "Thank you for the tea."});
    shop.stock(&[tea]).await;
    let ada = customer(&shop).await;
    ada.post("/cart", &json!({"product_id": 1})).await.expect_status(200);
    let billing = json!({"name": "Ada", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA",
                         "country": "NL"});
    // What costs nothing is paid with the order.
    ada.post("/checkout", &json!({"billing": billing, "idempotency_key": "tea"})).await.expect_status(201);
    for _ in 0..2 {
        shop.run_jobs().await;
        assert_eq!(texts(&ada).await, ["Thank you for the tea."]);
    }
}

both_databases!(entries_go_with_their_customer_and_are_told_before);
async fn entries_go_with_their_customer_and_are_told_before(backend: Backend) {
    let shop = builder(backend).open().await;
    let parts = &shop.parts;
    let ada = shop.customer().await;
    written(&shop.client().token(&ada, &["*"]).await).await;
    let exported = async || {
        let account = find_account(&parts.db, ada.id).await.expect("it can be read").expect("there is one");
        export_customer(&parts.db, &parts.events, &account).await.expect("it is exported")[NAME].clone()
    };
    assert_eq!(exported().await[0]["text"], "A lovely shop.");
    anonymize_customer(&parts.db, ada.id).await.expect("it is done");
    assert_eq!(exported().await, json!([]));
}

both_databases!(old_entries_are_forgotten);
async fn old_entries_are_forgotten(backend: Backend) {
    let shop = builder(backend).config(&keeping(30)).open().await;
    let ada = customer(&shop).await;
    written(&ada).await;
    shop.advance(TimeDelta::days(29));
    shop.run_jobs().await;
    assert_eq!(texts(&ada).await.len(), 1);
    shop.advance(TimeDelta::days(2));
    shop.run_jobs().await;
    assert_eq!(texts(&ada).await.len(), 0);
}

both_databases!(the_operator_sees_entries_and_what_is_wrong);
async fn the_operator_sees_entries_and_what_is_wrong(backend: Backend) {
    let shop = builder(backend).open().await;
    written(&customer(&shop).await).await;
    assert!(shop.command(&LIST).await.expect_success().contains("A lovely shop."));
    let listed = shop.command(&[LIST[0], LIST[1], "--json"]).await.json();
    assert_eq!(listed["data"][0]["text"], "A lovely shop.");
    assert!(shop.measured().await.contains(&format!("stoa_{NAME}_entries 1\n")));
    assert_eq!((shop.breaches().await, shop.findings().await), (vec![], vec![]));
    shop.advance(TimeDelta::days(3651));
    assert_eq!(shop.findings().await.len(), 1);
}

both_databases!(the_module_is_not_there_while_it_is_off);
async fn the_module_is_not_there_while_it_is_off(backend: Backend) {
    let shop = TestShop::builder(backend).linked_module(entry()).open().await;
    let ada = customer(&shop).await;
    ada.get(PATH).await.expect_error(404, "not_found");
    ada.post(PATH, &json!({"text": "x"})).await.expect_error(404, "not_found");
    shop.command(&LIST).await.expect_failure(2);
}

#[test]
fn a_setting_that_makes_no_sense_stops_the_start() {
    let refused = builder(Backend::Sqlite).config(&keeping(0)).freeze();
    let Err(problems) = refused else { panic!("it is accepted") };
    assert!(problems.to_string().contains(&format!("`modules.{NAME}.keep_days`")), "{problems}");
}
