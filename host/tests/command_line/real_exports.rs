//! Product files that other shop systems have written, taken over into a shop and moved on from there.

use serde_json::{Value, json};
use stoa_core::clock::Clock;
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, TestShop, both_databases, real_export};

use super::place::ShopFolder;

/// What a file is known to hold.
struct Known {
    file: &'static str,
    /// Products that it makes, those that are hidden included.
    products: usize,
    /// Products that everybody sees.
    visible: usize,
    categories: usize,
    notices: usize,
}

impl Known {
    /// Takes the file over and moves it to another shop; gives a client of the first one. Nothing where there is no such file.
    async fn take_over(&self, backend: Backend) -> Option<(ShopFolder, TestClient)> {
        let file = real_export(self.file)?;
        let import = ["import", file.to_str().expect("UTF-8"), "--json"];
        let place = ShopFolder::on(backend).await;
        let records = self.products + self.categories;
        self.check(&place.run(import).await.succeeded().json(), "created", records);
        self.check(&place.run(import).await.succeeded().json(), "unchanged", records);
        let exported = place.run(["export", "-"]).await.succeeded().out;
        assert_eq!(exported.lines().count(), records);

        let other = ShopFolder::on(backend).await;
        let created = other.run_with(["import", "-"], &exported).await.succeeded().out;
        let made = match self.categories {
            0 => format!("{} products", self.products),
            1 => format!("{} products and 1 category", self.products),
            categories => format!("{} products and {categories} categories", self.products),
        };
        assert_eq!(created, format!("created {made}, updated 0, unchanged 0, refused 0\n"));
        assert_eq!(other.run(["export", "-"]).await.succeeded().out, exported, "the export of the copy is another");
        let again = place.run_with(["import", "-"], &exported).await.succeeded().out;
        assert_eq!(again, format!("created 0, updated 0, unchanged {made}, refused 0\n"));

        let shop = TestShop::builder(backend).on(place.database()).clock(&Clock::system()).open().await;
        let client = shop.client();
        let listed = client.get("/products?per_page=100").await.expect_status(200).json();
        assert_eq!(listed["meta"]["total"], self.visible);
        for product in listed["data"].as_array().expect("a list") {
            let slug = product["slug"].as_str().expect("a slug");
            let shown = client.get(&format!("/products/{slug}")).await.expect_status(200).json();
            assert!(shown["data"]["price"]["amount"].as_i64().is_some_and(|amount| amount > 0), "{shown}");
            assert!(!shown["data"]["images"].as_array().expect("a list").is_empty(), "{shown}");
        }
        Some((place, client))
    }

    #[track_caller]
    fn check(&self, summary: &Value, change: &str, records: usize) {
        assert_eq!((&summary[change], &summary["refused"]), (&json!(records), &json!(0)), "{summary}");
        assert_eq!(summary["notices"].as_array().map(Vec::len), Some(self.notices), "{summary}");
    }
}

async fn product(client: &TestClient, slug: &str) -> Value {
    client.get(&format!("/products/{slug}")).await.expect_status(200).json()["data"].clone()
}

/// The labels of an option's choices.
fn labels(option: &Value) -> Vec<&str> {
    let choices = option["choices"].as_array().expect("choices").iter();
    choices.map(|choice| choice["label"].as_str().expect("a label")).collect()
}

/// What one unit costs with each choice of the product's only option, as a cart tells it.
async fn prices(client: &TestClient, product: &Value) -> Vec<i64> {
    let [option] = &product["options"].as_array().expect("options")[..] else { panic!("{product}") };
    let mut prices = Vec::new();
    for choice in option["choices"].as_array().expect("choices") {
        let key = option["key"].as_str().expect("a key");
        let line = json!({"product_id": product["id"], "quantity": 1, "selections": {key: choice["value"]}});
        let cart = client.post("/cart", &line).await.expect_status(200).json();
        prices.push(cart["data"]["lines"][0]["unit_amount"].as_i64().unwrap_or_else(|| panic!("{cart}")));
    }
    prices
}

/// The names of the categories at the top, each with those of its children.
async fn tree(client: &TestClient) -> Vec<(String, Vec<String>)> {
    let name = |category: &Value| category["name"].as_str().expect("a name").to_owned();
    let top = client.get("/categories").await.expect_status(200).json()["data"].clone();
    let top = top.as_array().expect("a list").iter();
    top.map(|category| {
        let children = category["children"].as_array().expect("a list").iter().map(name).collect();
        (name(category), children)
    })
    .collect()
}

fn names(tree: &[(String, Vec<String>)]) -> Vec<(&str, Vec<&str>)> {
    tree.iter().map(|(name, children)| (name.as_str(), children.iter().map(String::as_str).collect())).collect()
}

both_databases!(apparel_from_shopify_moves_in_and_on);
async fn apparel_from_shopify_moves_in_and_on(backend: Backend) {
    let known = Known { file: "shopify/apparel.csv", products: 20, visible: 20, categories: 0, notices: 0 };
    let Some((_place, client)) = known.take_over(backend).await else { return };
    let top = product(&client, "classic-varsity-top").await;
    assert_eq!((&top["price"]["amount"], &top["category"]), (&json!(6000), &Value::Null));
    assert_eq!(top["options"][0]["label"], "Size");
    assert_eq!(labels(&top["options"][0]), ["Small", "Medium", "Large"]);
    assert_eq!(prices(&client, &top).await, [6000, 6000, 6000]);
    assert_eq!(names(&tree(&client).await), []);
}

both_databases!(home_and_garden_from_shopify_moves_in_and_on);
async fn home_and_garden_from_shopify_moves_in_and_on(backend: Backend) {
    let known = Known { file: "shopify/home-and-garden.csv", products: 20, visible: 20, categories: 2, notices: 0 };
    let Some((_place, client)) = known.take_over(backend).await else { return };
    let pot = product(&client, "clay-plant-pot").await;
    assert_eq!(pot["price"]["amount"], 999);
    assert_eq!(labels(&pot["options"][0]), ["Regular", "Large"]);
    assert_eq!(prices(&client, &pot).await, [999, 1599]);
    assert_eq!(names(&tree(&client).await), [("Indoor", vec![]), ("Outdoor", vec![])]);
}

both_databases!(jewelery_from_shopify_moves_in_and_on);
async fn jewelery_from_shopify_moves_in_and_on(backend: Backend) {
    let known = Known { file: "shopify/jewelery.csv", products: 20, visible: 20, categories: 3, notices: 0 };
    let Some((_place, client)) = known.take_over(backend).await else { return };
    let anchor = product(&client, "leather-anchor").await;
    assert_eq!((&anchor["price"]["amount"], &anchor["category"]["slug"]), (&json!(5500), &json!("bracelet")));
    assert_eq!(labels(&anchor["options"][0]), ["Gold", "Silver"]);
    assert_eq!(prices(&client, &anchor).await, [6999, 5500]);
    assert_eq!(anchor["images"].as_array().map(Vec::len), Some(3));
    assert_eq!(product(&client, "moon-charm-bracelet").await["options"], json!([]));
    assert_eq!(names(&tree(&client).await), [("Bracelet", vec![]), ("Earrings", vec![]), ("Necklace", vec![])]);
}

both_databases!(a_catalog_from_woocommerce_moves_in_and_on);
async fn a_catalog_from_woocommerce_moves_in_and_on(backend: Backend) {
    // One product is hidden; a grouped and an external one are left out.
    let known = Known { file: "woocommerce/sample_products.csv", products: 13, visible: 12, categories: 5, notices: 2 };
    let Some((_place, client)) = known.take_over(backend).await else { return };
    let hoodie = product(&client, "hoodie").await;
    assert_eq!((&hoodie["price"]["amount"], &hoodie["category"]["name"]), (&json!(4200), &json!("Hoodies")));
    let reduced = labels(&hoodie["options"][0]).iter().position(|label| *label == "Red / No").expect("it is sold");
    let mut expected = vec![4500; 6];
    expected[reduced] = 4200;
    assert_eq!(prices(&client, &hoodie).await, expected);
    client.get("/products/hoodie-with-pocket").await.expect_status(404);
    let tree = tree(&client).await;
    assert_eq!(names(&tree), [("Clothing", vec!["Accessories", "Hoodies", "Tshirts"]), ("Music", vec![])]);
}
