//! `stoa serve --demo`: whose shops it takes, what it sells, and what commands beside it know.

use serde_json::{Value, json};
use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::sql;
use stoa_core::testing::both_databases;

use super::http;
use super::place::{Running, ShopFolder};
use super::stock::{serve, stop};

const EMAIL: &str = "demo@stoa.example";

/// A demo that is served: its place, itself, its address and its customer's password.
struct Demo {
    place: ShopFolder,
    running: Running,
    address: String,
    password: String,
}

impl Demo {
    async fn on(backend: Backend) -> Self {
        let place = ShopFolder::on(backend).await;
        let (running, address, password) = start(&place).await;
        Self { place, running, address, password }
    }

    async fn send(&self, request: &str, token: Option<&str>, body: &Value) -> Value {
        let authorization = token.map(|token| format!("Bearer {token}"));
        let mut headers = vec![("Content-Type", "application/json")];
        headers.extend(authorization.as_deref().map(|value| ("Authorization", value)));
        let answer = http::send(&self.address, request, &headers, &body.to_string()).await;
        assert!(answer.status.is_success(), "{request}: {answer:?}");
        answer.json()
    }

    async fn log_in(&self) -> String {
        let body = json!({"email": EMAIL, "password": self.password, "name": "test"});
        let token = self.send("POST /api/v1/auth/tokens", None, &body).await;
        token["data"]["token"].as_str().or(token["token"].as_str()).expect("a token").to_owned()
    }
}

async fn start(place: &ShopFolder) -> (Running, String, String) {
    let mut running = place.start(["serve", "--demo"]);
    let address = running.line("listening on http://").await;
    let password = running.line("password ").await.trim().to_owned();
    (running, address, password)
}

async fn customers(place: &ShopFolder) -> Vec<String> {
    let listed = place.run(["customer", "list", "--json"]).await.succeeded().data();
    listed.iter().map(|customer| customer["email"].as_str().expect("an address").to_owned()).collect()
}

both_databases!(a_shop_of_somebodys_own_is_not_made_a_demo);
async fn a_shop_of_somebodys_own_is_not_made_a_demo(backend: Backend) {
    let place = ShopFolder::migrated(backend).await;
    let ada = ["customer", "create", "--email", "ada@example.com", "--name", "Ada"];
    place.run(ada).await.succeeded();
    place.run(["serve", "--demo"]).await.refused(1, &["--demo", "a shop of its own", "customers: 1"]);
    place.write("c.jsonl", r#"{"type": "product", "slug": "lamp", "name": "Lamp", "price_amount": 100}"#);
    place.run(["import", "c.jsonl"]).await.succeeded();
    place.run(["serve", "--demo"]).await.refused(1, &["customers: 1, products: 1"]);
    assert_eq!(customers(&place).await, ["ada@example.com"]);
    assert_eq!(place.run(["product", "list", "--json"]).await.succeeded().data().len(), 1);
    let (running, _) = serve(&place).await;
    stop(running).await;
}

both_databases!(a_demo_is_taken_again_with_what_was_done_in_it);
async fn a_demo_is_taken_again_with_what_was_done_in_it(backend: Backend) {
    let demo = Demo::on(backend).await;
    demo.place.run(["customer", "create", "--email", "ada@example.com", "--name", "Ada"]).await.succeeded();
    demo.place.run(["product", "set", "evening-lamp", "--price", "100"]).await.succeeded();
    stop(demo.running).await;
    let (mut running, _, password) = start(&demo.place).await;
    assert_eq!(password, "(was shown when the demo shop was made)");
    let login = running.line("password ").await;
    assert!(login.contains("`stoa staff login-link operator@stoa.example` lets you in"), "{login}");
    let lamp = demo.place.run(["product", "show", "evening-lamp", "--json"]).await.succeeded().json();
    assert_eq!((lamp["price_amount"].as_i64(), customers(&demo.place).await.len()), (Some(100), 2));
    stop(running).await;
}

/// What earlier versions have left behind: a demo without a mark.
const FORGET_MARK: Sql = sql!("DELETE FROM installation WHERE name = 'demo'");

both_databases!(a_demo_of_an_earlier_version_is_known_by_what_it_sells);
async fn a_demo_of_an_earlier_version_is_known_by_what_it_sells(backend: Backend) {
    let demo = Demo::on(backend).await;
    stop(demo.running).await;
    let db = demo.place.db().await;
    let forgotten = db.write(async |tx| -> Result<u64, DbError> { tx.run(FORGET_MARK).execute().await }).await;
    assert_eq!(forgotten.expect("it is written"), 1, "there was no mark");
    db.close().await;
    let (running, _, password) = start(&demo.place).await;
    assert_eq!(password, "(was shown when the demo shop was made)");
    assert_eq!(customers(&demo.place).await, [EMAIL]);
    stop(running).await;
}

async fn enabled(place: &ShopFolder) -> Vec<bool> {
    let modules = place.run(["modules", "--json"]).await.succeeded().data();
    modules.iter().map(|module| module["enabled"].as_bool().expect("on or off")).collect()
}

both_databases!(commands_beside_a_demo_know_what_it_switched_on);
async fn commands_beside_a_demo_know_what_it_switched_on(backend: Backend) {
    let demo = Demo::on(backend).await;
    assert!(enabled(&demo.place).await.iter().all(|on| *on));
    let files = demo.place.run(["downloads", "list", "--json"]).await.succeeded().data();
    assert_eq!(files.len(), 3, "{files:?}");
    demo.place.run(["inventory", "show", "HOM-AMPHORA"]).await.succeeded();
    let checked = demo.place.run(["check"]).await.succeeded().out;
    assert!(checked.contains("the database is the demo shop's"), "{checked}");
    let help = demo.place.run(["help"]).await.succeeded().out;
    assert!(help.contains("event-tickets"), "{help}");
    stop(demo.running).await;
    assert!(enabled(&demo.place).await.iter().all(|on| *on), "the demo is over for a moment only");

    let (configured, _) = serve(&demo.place).await;
    assert!(enabled(&demo.place).await.iter().all(|on| !*on), "it is served as it is configured");
    demo.place.run(["downloads", "list"]).await.refused(2, &["which is off"]);
    stop(configured).await;
    let (running, _, _) = start(&demo.place).await;
    assert!(enabled(&demo.place).await.iter().all(|on| *on));
    stop(running).await;
}

#[tokio::test]
async fn what_the_configuration_says_of_a_module_holds_in_the_demo_too() {
    let place = ShopFolder::on(Backend::Sqlite).await;
    place.configure("[modules.downloads]\nenabled = false\n");
    let (running, _, _) = start(&place).await;
    place.run(["downloads", "list"]).await.refused(2, &["which is off"]);
    place.run(["digital-secrets", "list"]).await.succeeded();
    stop(running).await;
}

both_databases!(the_demo_has_a_product_in_every_state_and_more_than_one_page_of_a_category);
async fn the_demo_has_a_product_in_every_state_and_more_than_one_page_of_a_category(backend: Backend) {
    let demo = Demo::on(backend).await;
    let product =
        async |slug: &str| demo.send(&format!("GET /api/v1/products/{slug}"), None, &json!({})).await["data"].clone();
    for (slug, availability) in [
        ("numbered-amphora", "in_stock"),
        ("salt-jar", "low_stock"),
        ("linen-tea-towels", "backorder"),
        ("copper-jam-pan", "out_of_stock"),
    ] {
        assert_eq!(product(slug).await["availability"], availability, "{slug}");
    }
    let reduced = product("crepe-pan").await;
    let prices = [&reduced["price"]["amount"], &reduced["compare_at_amount"], &reduced["lowest_recent_amount"]];
    assert_eq!(prices, [4300, 5400, 5400], "{reduced}");
    assert_eq!(product("thyme-honey").await["unit_price"]["reference"], "1 kg");
    assert!(product("beeswax-pillars").await["safety"]["warnings"]["nl"].is_string());
    let knife = product("cooks-knife").await;
    assert!(["brand", "gtin", "weight_grams"].iter().all(|fact| !knife[fact].is_null()), "{knife}");
    let listed = demo.send("GET /api/v1/browse?category=home-and-kitchen&page=2", None, &json!({})).await;
    assert_eq!((&listed["meta"]["last_page"], listed["data"].as_array().map(Vec::len)), (&json!(2), Some(2)));
    stop(demo.running).await;
}

/// What buying a product needs besides its id: the first choice of each option.
fn selections(product: &Value) -> Value {
    let required = product["options"].as_array().into_iter().flatten().filter(|option| option["required"] == true);
    let selected = required.map(|option| {
        let key = option["key"].as_str().expect("a key").to_owned();
        let first = &option["choices"][0]["value"];
        (key, if first.is_null() { json!("shop.example") } else { first.clone() })
    });
    Value::Object(selected.collect())
}

both_databases!(whatever_the_demo_sells_is_delivered);
async fn whatever_the_demo_sells_is_delivered(backend: Backend) {
    let demo = Demo::on(backend).await;
    let token = demo.log_in().await;
    let bought = [
        "dawn-recordings",
        "meadow-embroidery-pattern",
        "agora-sans",
        "courtyard-concert",
        "inkwell-notes",
        "agora-hosting-small",
    ];
    for slug in bought {
        let product = demo.send(&format!("GET /api/v1/products/{slug}"), None, &json!({})).await["data"].clone();
        let line = json!({"product_id": product["id"], "selections": selections(&product)});
        demo.send("POST /api/v1/cart", Some(&token), &line).await;
    }
    let billing = json!({"name": "Ada Buyer", "line1": "Keizersgracht 1", "city": "Amsterdam", "postal_code": "1015 AA",
                         "country": "NL"});
    let body = json!({"billing": billing, "payment_method": "development"});
    let order = demo.send("POST /api/v1/checkout", Some(&token), &body).await;
    assert_eq!(order["data"]["status"], "paid", "the gateway takes no money and settles at once");
    assert!(order["data"]["tax_amount"].as_i64() > Some(0), "prices include tax: {order}");
    demo.place.run(["jobs", "run", "events.dispatch"]).await.succeeded();
    for (path, count) in
        [("downloads", 3), ("digital-secrets", 1), ("event-tickets", 1), ("subscriptions", 1), ("services", 1)]
    {
        let request = format!("GET /api/v1/{path}");
        let mut tries = 0;
        let found = loop {
            let found = demo.send(&request, Some(&token), &json!({})).await["data"].as_array().expect("a list").clone();
            tries += 1;
            // The demo's own worker may hold the events while it delivers them.
            if found.len() == count || tries > 200 {
                break found;
            }
            tokio::task::yield_now().await;
            demo.place.run(["jobs", "run", "events.dispatch"]).await.succeeded();
        };
        assert_eq!(found.len(), count, "{path}: {found:?}");
    }
    demo.place.run(["verify"]).await.succeeded();
    stop(demo.running).await;
}

both_databases!(the_example_of_the_api_reference_can_be_sent_to_the_demo);
async fn the_example_of_the_api_reference_can_be_sent_to_the_demo(backend: Backend) {
    let demo = Demo::on(backend).await;
    let document = demo.send("GET /api/v1/openapi.json", None, &json!({})).await;
    let operation = &document["paths"]["/cart"]["post"];
    let example = &operation["requestBody"]["content"]["application/json"]["example"];
    assert!(example.is_object(), "{operation}");
    let cart = demo.send("POST /api/v1/cart", None, example).await;
    let shown = &operation["responses"]["200"]["content"]["application/json"]["example"]["data"]["lines"][0];
    for member in ["slug", "label", "quantity", "unit_amount", "line_total_amount", "selections", "options"] {
        assert_eq!(cart["data"]["lines"][0][member], shown[member], "{member}");
    }
    stop(demo.running).await;
}
