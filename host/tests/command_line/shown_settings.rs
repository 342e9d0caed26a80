//! The settings that the documentation shows are settings of the shop, and the products of modules can be imported.

use std::fs;

use serde_json::Value;

use super::place::ShopFolder;
use super::readme::{page, pages_below};

/// Modules whose pages show a line of an import.
const OF_PRODUCTS: [&str; 5] = ["digital_secrets", "event_tickets", "inventory", "services", "subscriptions"];

/// The blocks of a page that are in this language.
fn blocks(page: &str, language: &str) -> Vec<String> {
    let fence = format!("```{language}\n");
    let blocks = page.split(fence.as_str()).skip(1);
    blocks.filter_map(|rest| rest.split("```").next()).map(str::to_owned).collect()
}

/// A shop with these settings, with the secrets whose variables they name, and with a folder for texts of its own.
fn shop(settings: &str) -> ShopFolder {
    let place = ShopFolder::with(settings);
    fs::create_dir(place.path().join("mail")).expect("the folder is ours");
    let words = settings.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '_'));
    words.filter(|word| word.starts_with("STOA_")).fold(place, |place, name| place.variable(name, "secret"))
}

#[tokio::test]
async fn each_setting_that_the_documentation_shows_is_one() {
    let pages = pages_below("docs").into_iter();
    let pages = pages.chain(pages_below("modules").into_iter().filter(|path| path.ends_with("/README.md")));
    let mut shown = 0;
    for path in pages {
        for settings in blocks(&page(&path), "toml") {
            let outcome = shop(&settings).run(["openapi"]).await;
            assert_eq!(outcome.code, 0, "{path} shows\n{settings}\n{}", outcome.err);
            shown += 1;
        }
    }
    assert!(shown >= 25, "{shown} blocks were found");
}

#[tokio::test]
async fn a_setting_that_is_none_would_be_noticed() {
    shop("[mail]\nform = \"shop@example.com\"\n").run(["openapi"]).await.refused(2, &["mail.form"]);
}

#[tokio::test]
async fn each_product_that_the_page_of_a_module_shows_can_be_imported() {
    let pages = OF_PRODUCTS.map(|module| page(&format!("modules/{module}/README.md")));
    let settings = pages.iter().flat_map(|page| blocks(page, "toml")).collect::<Vec<_>>();
    let place = shop(&settings.join("\n"));
    place.run(["migrate"]).await.succeeded();
    // What the page about stock shows is said of a product that is there already.
    let mug = ["product", "create", "mug", "--name", "Mug", "--price", "9.00", "--sku", "MUG"];
    place.run([&mug[..], &["--capability", "inventory"]].concat()).await.succeeded();

    let shown = pages.iter().flat_map(|page| blocks(page, "json"));
    let shown =
        shown.map(|block| serde_json::from_str::<Value>(&block).unwrap_or_else(|error| panic!("{error}: {block}")));
    let products = shown.filter(|value| value["type"] == "product").collect::<Vec<_>>();
    assert_eq!(products.len(), OF_PRODUCTS.len(), "{products:?}");
    place.write("products.jsonl", products.iter().map(|product| format!("{product}\n")).collect::<Vec<_>>().concat());
    place.run(["import", "products.jsonl"]).await.succeeded();
    for product in &products {
        place.run(["product", "show", product["slug"].as_str().expect("a slug")]).await.succeeded();
    }
}
