//! Writing and exporting: updates by slug, refusals, settings of modules, and the round trip.

use serde_json::{Value, json};
use stoa_core::catalog::write::{CatalogWriter, Change, Mode};
use stoa_core::db::Backend;
use stoa_core::module::{Module, ModuleContext, ModuleEntry, ProductSettings, RegisterError};
use stoa_core::testing::{TestShop, both_databases, records};

use crate::shelf::{category, exported, product};

both_databases!(absent_members_stay_null_clears_and_lists_replace);
async fn absent_members_stay_null_clears_and_lists_replace(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let full = product(
        "thing",
        &json!({"subtitle": "s", "sku": "K", "images": ["a.svg", "b.svg"], "capabilities": ["shippable"]}),
    );
    shop.stock(&[full]).await;
    let id = shop.client().get("/products/thing").await.json()["data"]["id"].clone();
    let partial = json!({"type": "product", "slug": "thing", "subtitle": null, "images": ["c.svg"]});
    assert_eq!(shop.import(&[partial]).await, [Ok(Change::Updated)]);
    let data = shop.client().get("/products/thing").await.json()["data"].clone();
    assert_eq!((&data["id"], &data["name"], &data["sku"]), (&id, &json!("thing"), &json!("K")));
    assert_eq!(data["subtitle"], Value::Null);
    assert_eq!(data["images"], json!(["http://shop.test/media/c.svg"]));
    assert_eq!(data["capabilities"], json!(["shippable"]));
}

both_databases!(bad_records_are_refused_with_their_member_and_the_rest_is_written);
async fn bad_records_are_refused_with_their_member_and_the_rest_is_written(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let lines = [
        product("good", &json!({})),
        json!({"type": "product", "slug": "nameless", "price_amount": 1}),
        json!({"type": "product", "slug": "priceless", "name": "X"}),
        product("lost", &json!({"category": "no-such"})),
        category("orphan", &json!({"parent": "no-such"})),
        product("foreign", &json!({"modules": {"teleport": {}}})),
        product("also-good", &json!({})),
    ];
    let outcomes = shop.import(&lines).await;
    let members = outcomes.iter().map(|outcome| outcome.as_ref().err().map(|problems| problems[0].member.as_str()));
    let expected =
        [None, Some("name"), Some("price_amount"), Some("category"), Some("parent"), Some("modules.teleport"), None];
    assert_eq!(members.collect::<Vec<_>>(), expected);
    shop.client().get("/products/good").await.expect_status(200);
    shop.client().get("/products/also-good").await.expect_status(200);
    shop.client().get("/products/lost").await.expect_status(404);
}

both_databases!(a_misspelled_category_is_answered_with_the_one_that_was_meant);
async fn a_misspelled_category_is_answered_with_the_one_that_was_meant(backend: Backend) {
    let shop = TestShop::new(backend).await;
    shop.stock(&[category("lighting", &json!({}))]).await;
    let outcomes = shop.import(&[product("lamp", &json!({"category": "lightning"}))]).await;
    let problems = outcomes[0].as_ref().expect_err("an unknown category is refused");
    assert!(problems[0].reason.contains("`lighting`"), "{}", problems[0].reason);
}

both_databases!(a_dry_run_tells_the_same_and_writes_nothing);
async fn a_dry_run_tells_the_same_and_writes_nothing(backend: Backend) {
    let shop = TestShop::new(backend).await;
    shop.stock(&[product("known", &json!({}))]).await;
    let before = exported(&shop).await;
    let batches = [
        vec![category("new", &json!({})), product("known", &json!({})), product("fresh", &json!({"category": "new"}))],
        vec![
            product("fresh", &json!({"category": "new"})),
            product("known", &json!({"price_amount": 5})),
            product("bad", &json!({"category": "x"})),
        ],
    ];
    let mut writer = CatalogWriter::new(&shop.parts.db, &shop.registry, Mode::DryRun);
    let mut changes = Vec::new();
    for batch in &batches {
        changes.extend(writer.write(&records(batch)).await.expect("a dry run"));
    }
    let told = changes.iter().map(|change| change.as_ref().ok().copied());
    let expected = [
        Some(Change::Created),
        Some(Change::Unchanged),
        Some(Change::Created),
        Some(Change::Unchanged),
        Some(Change::Updated),
        None,
    ];
    assert_eq!(told.collect::<Vec<_>>(), expected);
    assert_eq!(exported(&shop).await, before);
}

#[derive(Debug, serde::Deserialize)]
#[serde(deny_unknown_fields)]
struct WrapSettings {
    paper: String,
}

impl ProductSettings for WrapSettings {
    fn validate(&self) -> Result<(), String> {
        if self.paper.is_empty() { Err(String::from("`paper` must not be empty")) } else { Ok(()) }
    }
}

struct Wrap;

impl Module for Wrap {
    const NAME: &'static str = "wrap";
    type Config = ();

    fn register((): (), cx: &mut ModuleContext<'_>) -> Result<(), RegisterError> {
        cx.product_settings::<WrapSettings>();
        Ok(())
    }
}

both_databases!(settings_of_a_module_are_checked_kept_and_exported);
async fn settings_of_a_module_are_checked_kept_and_exported(backend: Backend) {
    for enabled in [true, false] {
        let builder = TestShop::builder(backend);
        let builder = if enabled {
            builder.module::<Wrap>()
        } else {
            builder.linked_module(ModuleEntry::of::<Wrap>("test", "0.0.0"))
        };
        let shop = builder.open().await;
        let with = |settings: Value| product("gift", &json!({"modules": {"wrap": settings}}));
        shop.stock(&[with(json!({"paper": "gold"}))]).await;
        for bad in [json!({"paper": ""}), json!({"paper": 1}), json!({"paper": "x", "color": "y"}), json!({})] {
            let outcomes = shop.import(&[with(bad.clone())]).await;
            let problems = outcomes[0].as_ref().expect_err("bad settings are refused");
            assert_eq!(problems[0].member, "modules.wrap", "{bad}");
        }
        shop.stock(&[product("gift", &json!({"price_amount": 7}))]).await;
        assert_eq!(exported(&shop).await[0]["modules"], json!({"wrap": {"paper": "gold"}}), "absent settings stay");
        shop.stock(&[with(Value::Null)]).await;
        assert_eq!(exported(&shop).await[0]["modules"], json!({}));
    }
}

both_databases!(an_export_imported_elsewhere_gives_the_same_export);
async fn an_export_imported_elsewhere_gives_the_same_export(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let lines = [
        category("z-parent", &json!({"image": "https://i.example/z.png"})),
        category("a-child", &json!({"parent": "z-parent", "active": false})),
        product(
            "one",
            &json!({"category": "a-child", "description": "d\nd", "tax_class": "reduced", "options": [
            {"key": "size", "label": "Größe", "type": "select", "required": true, "choices": [
                {"value": "s", "label": "S", "price_adjustment_amount": 0},
                {"value": "xl", "label": "XL", "price_adjustment_amount": 300, "sku": "ONE-XL", "active": false}]}]}),
        ),
        product("two", &json!({"active": false, "price_amount": 0, "images": ["a.svg"]})),
    ];
    shop.stock(&lines).await;
    let first = exported(&shop).await;
    let other = TestShop::builder(backend).seed(2).open().await;
    other.stock(&first).await;
    assert_eq!(exported(&other).await, first);
    let again = shop.import(&first).await;
    assert!(again.iter().all(|outcome| *outcome == Ok(Change::Unchanged)), "{again:?}");
}

both_databases!(a_child_category_whose_parent_was_made_later_is_exported_after_it);
async fn a_child_category_whose_parent_was_made_later_is_exported_after_it(backend: Backend) {
    let shop = TestShop::new(backend).await;
    shop.stock(&[category("child", &json!({})), category("parent", &json!({}))]).await;
    shop.stock(&[category("child", &json!({"parent": "parent"}))]).await;
    let slugs = exported(&shop).await.into_iter().map(|line| line["slug"].as_str().unwrap_or_default().to_owned());
    assert_eq!(slugs.collect::<Vec<_>>(), ["parent", "child"]);
}

both_databases!(two_writers_at_once_lose_nothing);
async fn two_writers_at_once_lose_nothing(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let lines = |mark: &str| (0..50).map(|n| product(&format!("{mark}-{n}"), &json!({}))).collect::<Vec<_>>();
    let (left, right) = (lines("left"), lines("right"));
    let (a, b) = tokio::join!(shop.import(&left), shop.import(&right));
    assert!(a.iter().chain(&b).all(|outcome| *outcome == Ok(Change::Created)));
    assert_eq!(shop.client().get("/products").await.json()["meta"]["total"], 100);
}
