//! Searching: `q` of `GET /products`, and `GET /search` (S4.2 rules 2 and 6).

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::module::{Module, ModuleContext, RegisterError};
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{column, product};

fn named(slug: &str, name: &str, description: &str) -> Value {
    product(slug, &json!({"name": name, "description": description}))
}

async fn found(shop: &TestShop, path: &str, term: &str) -> Vec<String> {
    let query = url_encoded(term);
    column(&shop.client().get(&format!("{path}?q={query}")).await.expect_status(200).json(), "slug")
}

fn url_encoded(term: &str) -> String {
    percent_encoding::percent_encode(term.as_bytes(), percent_encoding::NON_ALPHANUMERIC).to_string()
}

both_databases!(a_term_is_found_in_name_and_description_in_any_case);
async fn a_term_is_found_in_name_and_description_in_any_case(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let lines = [
        named("spade", "Spade", "Digs the garden."),
        named("tea", "Tëa 茶", "Грузинский чай"),
        named("street", "Straße", ""),
        named("other", "Other", ""),
    ];
    shop.stock(&lines).await;
    for (term, slug) in [
        ("spad", "spade"),
        ("DIGS THE", "spade"),
        ("  Spade ", "spade"),
        ("ЧАЙ", "tea"),
        ("TËA", "tea"),
        ("a 茶", "tea"),
        ("STRASSE", "street"),
        ("straße", "street"),
        ("en.", "spade"),
    ] {
        assert_eq!(found(&shop, "/products", term).await, [slug], "{term}");
        assert_eq!(found(&shop, "/search", term).await, [slug], "{term}");
    }
}

both_databases!(two_letters_are_enough_and_one_is_none);
async fn two_letters_are_enough_and_one_is_none(backend: Backend) {
    let shop = TestShop::new(backend).await;
    shop.stock(&[named("ox", "Ox", ""), named("fox", "Fox", "ends in ox"), named("cat", "Cat", "")]).await;
    assert_eq!(found(&shop, "/search", "ox").await, ["fox", "ox"]);
    assert_eq!(found(&shop, "/products", "at").await, ["cat"]);
    for short in ["", " ", "o", " o ", "\t", "茶"] {
        assert_eq!(found(&shop, "/search", short).await, Vec::<String>::new(), "{short:?}");
        assert_eq!(found(&shop, "/products", short).await, ["cat", "fox", "ox"], "{short:?}");
    }
    let body = shop.client().get("/search").await.expect_status(200).json();
    assert_eq!(body, json!({"data": []}));
}

both_databases!(wildcards_and_quotes_are_plain_text);
async fn wildcards_and_quotes_are_plain_text(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let lines = [
        named("percent", "Towel 100% cotton", "Soft_towel"),
        named("quote", "O'Reilly \"Book\"", "a; DROP TABLE products; --"),
        named("spade", "Spade", ""),
    ];
    shop.stock(&lines).await;
    let cases: [(&str, &[&str]); 14] = [
        ("%%", &[]),
        ("__", &[]),
        ("0%", &["percent"]),
        ("t_t", &["percent"]),
        ("S%e", &[]),
        ("Sp_de", &[]),
        ("\\\\", &[]),
        ("\\%", &[]),
        ("[a-z]", &[]),
        ("**", &[]),
        ("O'R", &["quote"]),
        ("DROP TABLE", &["quote"]),
        ("' OR '1'='1", &[]),
        ("\"\"\"", &[]),
    ];
    for (term, slugs) in cases {
        assert_eq!(found(&shop, "/products", term).await, slugs, "{term}");
        assert_eq!(found(&shop, "/search", term).await, slugs, "{term}");
    }
}

both_databases!(no_term_breaks_the_search);
async fn no_term_breaks_the_search(backend: Backend) {
    let shop = TestShop::new(backend).await;
    shop.stock(&[named("spade", "Spade", "")]).await;
    let long = "a".repeat(10_000);
    for term in ["zq\0", "\0\0", "e\0", long.as_str(), "((((", "NEAR(", "AND OR NOT", "-spade", "💣💣", "\u{202e}edaps"]
    {
        assert_eq!(found(&shop, "/products", term).await, Vec::<String>::new(), "{term:?}");
    }
    shop.client().get("/search?q=%ff%fe%fd").await.expect_status(200);
}

both_databases!(a_search_returns_at_most_eight_in_order_without_pagination);
async fn a_search_returns_at_most_eight_in_order_without_pagination(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let lines = (0..30).map(|n| named(&format!("item-{n:02}"), &format!("Item {n:02}"), "")).collect::<Vec<_>>();
    shop.stock(&lines).await;
    let body = shop.client().get("/search?q=item&page=2").await.json();
    assert_eq!(column(&body, "slug"), (0..8).map(|n| format!("item-{n:02}")).collect::<Vec<_>>());
    assert_eq!(body.as_object().map(serde_json::Map::len), Some(1), "data alone");
    let body = shop.client().get("/products?q=item&page=2").await.json();
    assert_eq!(column(&body, "slug"), (24..30).map(|n| format!("item-{n:02}")).collect::<Vec<_>>());
    assert_eq!(body["meta"]["total"], 30);
}

struct Parcels;

impl Module for Parcels {
    const NAME: &'static str = "parcels";
    const CAPABILITIES: &'static [&'static str] = &["wrappable"];
    type Config = ();

    fn register((): (), _: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        Ok(())
    }
}

both_databases!(a_search_leaves_out_what_needs_an_unavailable_capability);
async fn a_search_leaves_out_what_needs_an_unavailable_capability(backend: Backend) {
    let gated =
        |slug: &str, keys: &[&str]| product(slug, &json!({"name": format!("needle {slug}"), "capabilities": keys}));
    let mut lines = (0..6).map(|n| gated(&format!("a{n}"), &["wrappable"])).collect::<Vec<_>>();
    lines.extend((0..9).map(|n| gated(&format!("b{n}"), &["shippable"])));
    lines.push(gated("half", &["shippable", "teleport"]));

    let bare = TestShop::new(backend).await;
    bare.stock(&lines).await;
    assert_eq!(found(&bare, "/search", "needle").await, (0..8).map(|n| format!("b{n}")).collect::<Vec<_>>());
    assert_eq!(bare.client().get("/products?q=needle").await.json()["meta"]["total"], 16);

    let full = TestShop::builder(backend).module::<Parcels>().open().await;
    full.stock(&lines).await;
    let shown = found(&full, "/search", "needle").await;
    assert_eq!(shown[..6], (0..6).map(|n| format!("a{n}")).collect::<Vec<_>>());
    assert_eq!(found(&full, "/search", "half").await, Vec::<String>::new());
}

both_databases!(a_search_follows_changes);
async fn a_search_follows_changes(backend: Backend) {
    let shop = TestShop::new(backend).await;
    shop.stock(&[named("thing", "Before", "old words"), named("stays", "Stays", "")]).await;
    assert_eq!(found(&shop, "/search", "old words").await, ["thing"]);
    shop.stock(&[named("thing", "After", "new words")]).await;
    assert_eq!(found(&shop, "/search", "old words").await, Vec::<String>::new());
    assert_eq!(found(&shop, "/search", "new words").await, ["thing"]);
    shop.stock(&[product("thing", &json!({"active": false}))]).await;
    assert_eq!(found(&shop, "/search", "new words").await, Vec::<String>::new());
    assert_eq!(found(&shop, "/search", "stays").await, ["stays"]);
    shop.stock(&[product("thing", &json!({"active": true, "name": "Back"}))]).await;
    assert_eq!(found(&shop, "/search", "back").await, ["thing"]);
}
