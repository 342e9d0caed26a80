//! Fields of an address under other names.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::customer::{ALIASES, client, least, least_with, least_without, listed, path_of, refused_fields, save, shop};

both_databases!(a_supplied_alias_wins);
async fn a_supplied_alias_wins(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    for (alias, field) in ALIASES {
        let value = if alias == "country" { "BE" } else { "Alias 9" };
        let members = json!({"phone": "1", "company": "C", "line2": "L", "region": "R", "properties": {alias: value}});
        let saved = save(&client, &members).await;
        assert_eq!((&saved[field], &saved["properties"][alias]), (&json!(value), &json!(value)), "{alias}");
        for (other, stands_for) in ALIASES.into_iter().filter(|(other, _)| *other != alias) {
            assert_ne!(saved[stands_for], json!(value), "{other}");
            assert_eq!(saved["properties"][other], saved[stands_for], "{other}");
        }
        assert_eq!(listed(&client).await[0], saved);
        let replaced = client.patch(&path_of(&saved), &least_with(&json!({"properties": {alias: value}}))).await;
        assert_eq!(replaced.expect_status(200).json()["data"][field], value, "{alias}");
    }
}

both_databases!(an_alias_that_is_null_or_blank_is_not_supplied);
async fn an_alias_that_is_null_or_blank_is_not_supplied(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    for value in [json!(null), json!(""), json!("  ")] {
        let aliases = ALIASES.into_iter().map(|(alias, _)| (alias.to_owned(), value.clone()));
        let aliases = aliases.collect::<serde_json::Map<_, _>>();
        let members = json!({"phone": "1", "company": "C", "line2": "L", "region": "R"});
        let (mut plain, mut with_aliases) = (members.clone(), members);
        plain["label"] = json!("same");
        with_aliases["label"] = json!("same");
        with_aliases["properties"] = aliases.into();
        let (mut one, other) = (save(&client, &plain).await, save(&client, &with_aliases).await);
        one["id"] = other["id"].clone();
        assert_eq!(one, other);
    }
}

both_databases!(an_alias_does_not_replace_a_required_field);
async fn an_alias_does_not_replace_a_required_field(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    for (alias, field) in ALIASES.into_iter().filter(|(_, field)| crate::customer::REQUIRED.contains(field)) {
        let mut body = least_without(field);
        body["properties"] = json!({alias: "BE"});
        assert_eq!(refused_fields(client.post("/addresses", &body).await), [field]);
    }
    assert_eq!(listed(&client).await, [json!(null); 0]);
}

both_databases!(the_alias_of_the_country_must_be_one_that_checkout_supports);
async fn the_alias_of_the_country_must_be_one_that_checkout_supports(backend: Backend) {
    let shop = TestShop::builder(backend).config("[shop]\ncountries = [\"NL\", \"BE\"]").open().await;
    let client = client(&shop).await;
    for (sent, kept) in [("BE", "BE"), ("be", "BE"), (" nl ", "NL")] {
        assert_eq!(save(&client, &json!({"properties": {"country": sent}})).await["country"], kept);
    }
    let saved = listed(&client).await;
    for code in ["DE", "de", "XX", "ZZ", "12", "\u{df}\u{df}", "N", "NLD"] {
        let body = least_with(&json!({"properties": {"country": code}}));
        let answer = client.post("/addresses", &body).await;
        assert_eq!(refused_fields(answer.clone()), ["properties.country"], "{code}");
        assert_eq!(answer.json()["errors"]["properties.country"].as_array().map(Vec::len), Some(1), "{code}");
        assert_eq!(refused_fields(client.patch(&path_of(&saved[0]), &body).await), ["properties.country"], "{code}");
    }
    // S4.4 asks that of the alias alone; an order to such an address is refused at checkout.
    assert_eq!(save(&client, &json!({"country": "de"})).await["country"], "DE");
    client.patch(&path_of(&saved[0]), &least()).await.expect_status(200);
}

both_databases!(every_country_is_supported_by_default);
async fn every_country_is_supported_by_default(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let countries = &shop.parts.config.shop.countries;
    assert_eq!(countries.len(), 249);
    for country in ["AD", "NL", "ZW"] {
        assert_eq!(save(&client, &json!({"properties": {"country": country}})).await["country"], country);
    }
    let refused = client.post("/addresses", &least_with(&json!({"properties": {"country": "XK"}}))).await;
    assert_eq!(refused_fields(refused), ["properties.country"]);
}
