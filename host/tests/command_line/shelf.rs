//! A small catalog, and the shop that shows it, for the commands that change it.

use serde_json::{Map, Value, json};
use stoa_core::db::Backend;

use super::http::get;
use super::place::{Outcome, ShopFolder};
use super::stock::empty_place;

const CATALOG: &str = r#"{"type": "category", "slug": "living", "name": "Living"}
{"type": "category", "slug": "lamps", "name": "Lamps", "parent": "living", "image": "lamps/all of them.svg"}
{"type": "category", "slug": "attic", "name": "Attic", "active": false}
{"type": "product", "slug": "desk-lamp", "name": "Desk lamp", "subtitle": "Warm light", "sku": "LAMP-7", "description": "For late evenings.\n\nMade of brass.", "price_amount": 4900, "tax_class": "reduced", "category": "lamps", "images": ["lamps/desk lamp.svg", "https://cdn.example/desk.jpg"], "capabilities": ["shippable", "inventory"], "options": [{"key": "color", "label": "Color", "type": "select", "required": true, "active": true, "choices": [{"value": "brass", "label": "Brass", "price_adjustment_amount": 0, "active": true}, {"value": "tin", "label": "Tin", "price_adjustment_amount": -500, "sku": "LAMP-7-T", "active": true}, {"value": "gold", "label": "Gold", "price_adjustment_amount": 90000, "active": false}]}, {"key": "engraving", "label": "Engraving", "type": "text", "required": false, "active": false, "choices": []}], "modules": {"inventory": {"quantity": 3}}}
{"type": "product", "slug": "oak-chair", "name": "OAK Chair", "price_amount": 19900, "active": false}
"#;

/// A place with the catalog, whose shop counts stock and lets everybody ask as often as they want.
pub(crate) async fn stocked_shelf(backend: Backend) -> ShopFolder {
    let place = empty_place(backend).await;
    place.configure("[modules.inventory]\nenabled = true\n\n[limits]\ncatalog = { requests = 0, per_seconds = 60 }\n");
    import(&place, CATALOG).await;
    place
}

/// Imports these lines.
pub(crate) async fn import(place: &ShopFolder, lines: &str) {
    place.write("catalog.jsonl", lines);
    place.run(["import", "catalog.jsonl"]).await.succeeded();
}

/// What a running shop answers under `data`; nothing when there is none.
pub(crate) async fn shown(address: &str, path: &str) -> Option<Value> {
    let answer = get(address, &format!("/api/v1{path}")).await;
    match answer.status.as_u16() {
        200 => Some(answer.json()["data"].clone()),
        404 => None,
        _ => panic!("{path}: {answer:?}"),
    }
}

/// Asks a running shop until it has noticed what another process has changed.
pub(crate) async fn shown_once(address: &str, path: &str, noticed: impl Fn(Option<&Value>) -> bool) -> Option<Value> {
    let noticed = async {
        loop {
            let data = shown(address, path).await;
            if noticed(data.as_ref()) {
                return data;
            }
        }
    };
    let patience = std::time::Duration::from_mins(1);
    tokio::time::timeout(patience, noticed).await.unwrap_or_else(|_| panic!("{path} does not change"))
}

/// What a command tells besides what the API shows, all of which it must tell.
#[track_caller]
pub(crate) fn besides(told: &Value, api: &Value) -> Value {
    let api = api.as_object().expect("an object");
    let told = told.as_object().expect("an object");
    for (name, value) in api {
        assert_eq!(told.get(name), Some(value), "{name}");
    }
    let more = told.iter().filter(|(name, _)| !api.contains_key(*name));
    Value::Object(more.map(|(name, value)| (name.clone(), value.clone())).collect::<Map<_, _>>())
}

/// Exports the catalog and imports that again, which must change nothing.
pub(crate) async fn assert_round_trip(place: &ShopFolder) {
    place.run(["export", "exported.jsonl", "--force"]).await.succeeded();
    let summary = place.run(["import", "exported.jsonl", "--json"]).await.succeeded().json();
    let told =
        ["created", "updated", "unchanged", "refused", "rejections", "notices"].map(|name| summary[name].clone());
    assert_eq!(told, [json!(0), json!(0), json!(5), json!(0), json!([]), json!([])], "{summary}");
}

/// Runs commands that must be refused, and looks at what each said and that none has changed anything.
pub(crate) async fn assert_refused(place: &ShopFolder, command: &[&str], cases: &[(&[&str], &[&str])]) {
    let export = async || place.run(["export", "-"]).await.succeeded().out;
    let before = export().await;
    for (options, words) in cases {
        let outcome = place.run([command, options].concat()).await.refused(1, words);
        assert!(!outcome.err.contains(|letter: char| letter.is_control() && letter != '\n'), "{outcome:?}");
        assert!(!outcome.err.contains("line 1"), "there is no file: {outcome:?}");
    }
    assert_eq!(export().await, before);
}

/// The words of the table's row that begins so.
#[track_caller]
pub(crate) fn row(outcome: &Outcome, slug: &str) -> Vec<String> {
    let starts = |line: &&str| line.split_whitespace().next() == Some(slug);
    let line = outcome.out.lines().find(starts).unwrap_or_else(|| panic!("{slug} is missing in {}", outcome.out));
    line.split_whitespace().map(str::to_owned).collect()
}
