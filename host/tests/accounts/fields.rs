//! What each field of an address takes and refuses.

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, both_databases};

use crate::customer::{
    ALIASES, LENGTHS, NULLABLE, REQUIRED, client, least_with, least_without, listed, path_of, refused_fields, save,
    shop,
};

/// Sends a body to both writes; gives back the fields that they refuse.
async fn refused(client: &TestClient, saved: &Value, body: &Value) -> Vec<String> {
    let created = refused_fields(client.post("/addresses", body).await);
    assert_eq!(refused_fields(client.patch(&path_of(saved), body).await), created, "{body}");
    created
}

/// Sends a body to both writes; gives back how it is shown afterwards, which is the same everywhere.
async fn accepted(client: &TestClient, saved: &Value, body: &Value) -> Value {
    let mut created = client.post("/addresses", body).await.expect_status(201).json()["data"].clone();
    client.delete(&path_of(&created)).await.expect_status(200);
    let replaced = client.patch(&path_of(saved), body).await.expect_status(200).json()["data"].clone();
    created["id"] = saved["id"].clone();
    assert_eq!(created, replaced, "{body}");
    assert_eq!(listed(client).await, [created.clone()]);
    created
}

/// An address with one field, or one alias as `properties.…`, of this value.
fn having(field: &str, value: &Value) -> Value {
    match field.strip_prefix("properties.") {
        Some(alias) => least_with(&json!({"properties": {alias: value}})),
        None => least_with(&json!({field: value})),
    }
}

/// The names of all aliases as they stand in errors, with the length of each.
fn aliases() -> impl Iterator<Item = (String, usize)> {
    let length = |field| LENGTHS.into_iter().find(|(name, _)| *name == field).map_or(2, |(_, length)| length);
    ALIASES.into_iter().map(move |(alias, field)| (format!("properties.{alias}"), length(field)))
}

/// All fields of text, aliases included, that take more than two letters.
fn texts() -> Vec<(String, usize)> {
    let fields = LENGTHS.into_iter().map(|(name, length)| (name.to_owned(), length));
    fields.chain(aliases().filter(|(name, _)| name != "properties.country")).collect()
}

fn shown<'a>(address: &'a Value, field: &str) -> &'a Value {
    field.split('.').fold(address, |value, name| &value[name])
}

both_databases!(only_text_is_text);
async fn only_text_is_text(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let saved = save(&client, &json!({})).await;
    let countries = ["country", "properties.country"].map(|name| (name.to_owned(), 2));
    for (field, _) in texts().into_iter().chain(countries) {
        for value in [json!(7), json!(1.5), json!(true), json!([]), json!(["x"]), json!({}), json!({"x": "y"})] {
            assert_eq!(refused(&client, &saved, &having(&field, &value)).await, [field.as_str()], "{value}");
        }
    }
    assert_eq!(listed(&client).await, [saved]);
}

both_databases!(a_required_field_is_neither_missing_nor_null_nor_blank);
async fn a_required_field_is_neither_missing_nor_null_nor_blank(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let saved = save(&client, &json!({})).await;
    for field in REQUIRED {
        let blank = [json!(null), json!(""), json!(" \t\r\n\u{a0}\u{3000}")];
        for body in blank.iter().map(|value| having(field, value)).chain([least_without(field)]) {
            assert_eq!(refused(&client, &saved, &body).await, [field], "{body}");
        }
    }
    assert_eq!(listed(&client).await, [saved]);
}

both_databases!(a_nullable_field_may_be_null_or_blank);
async fn a_nullable_field_may_be_null_or_blank(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let saved = save(&client, &json!({"label": "Home", "phone": "1"})).await;
    for field in NULLABLE {
        for value in [json!(null), json!(""), json!(" \t\r\n")] {
            let address = accepted(&client, &saved, &having(field, &value)).await;
            assert!(address[field].is_null(), "{field}: {address}");
        }
    }
}

both_databases!(limits_of_length_are_reached_not_crossed);
async fn limits_of_length_are_reached_not_crossed(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let saved = save(&client, &json!({})).await;
    for (field, length) in texts() {
        // One, two and four bytes each; a letter with its accent apart counts as two.
        for text in
            ["x".repeat(length), "\u{e9}".repeat(length), "\u{1f4a1}".repeat(length), "e\u{301}".repeat(length / 2)]
        {
            let padded = json!(format!("  {text}\n"));
            assert_eq!(*shown(&accepted(&client, &saved, &having(&field, &padded)).await, &field), json!(text));
        }
        let saved = listed(&client).await.remove(0);
        for text in ["x".repeat(length + 1), "\u{1f4a1}".repeat(length + 1), "e\u{301}".repeat(length / 2 + 1)] {
            assert_eq!(refused(&client, &saved, &having(&field, &json!(text))).await, [field.as_str()]);
        }
        assert_eq!(listed(&client).await, [saved]);
    }
}

both_databases!(text_of_any_script_is_kept_as_it_was_sent);
async fn text_of_any_script_is_kept_as_it_was_sent(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let saved = save(&client, &json!({})).await;
    for (field, _) in texts() {
        for text in [
            "\u{1f3e0}\u{fe0f}",
            "\u{1f468}\u{200d}\u{1f469}\u{200d}\u{1f467}",
            "\u{200f}\u{645}\u{631}\u{62d}\u{628}\u{627}",
            "\u{202e}abc\u{202c}",
            "e\u{301}\u{327}",
            "\u{1112}\u{1161}\u{11ab}",
            "';--\"\\%_$1 ?1",
            "<b>&amp;</b>",
            "null",
            "\u{fffd}\u{10ffff}",
        ] {
            assert_eq!(*shown(&accepted(&client, &saved, &having(&field, &json!(text))).await, &field), json!(text));
        }
    }
}

both_databases!(control_characters_are_refused_in_every_field);
async fn control_characters_are_refused_in_every_field(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let saved = save(&client, &json!({})).await;
    for (field, _) in texts() {
        for text in ["a\u{0}b", "\u{0}", "a\u{7}b", "a\nb", "a\tb", "a\u{1b}[0m", "a\u{7f}", "a\u{85}b"] {
            let fields = refused(&client, &saved, &having(&field, &json!(text))).await;
            assert_eq!(fields, [field.as_str()], "{text:?}");
        }
    }
    for field in ["country", "properties.country"] {
        assert_eq!(refused(&client, &saved, &having(field, &json!("N\u{0}"))).await, [field]);
    }
    assert_eq!(listed(&client).await, [saved]);
}

both_databases!(a_country_is_two_letters_and_kept_in_capitals);
async fn a_country_is_two_letters_and_kept_in_capitals(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let saved = save(&client, &json!({})).await;
    for (sent, kept) in [("NL", "NL"), ("nl", "NL"), (" bE\n", "BE"), ("xk", "XK")] {
        assert_eq!(accepted(&client, &saved, &having("country", &json!(sent))).await["country"], kept);
    }
    let saved = listed(&client).await.remove(0);
    for code in
        ["N", "NLD", "Netherlands", "N1", "12", "N ", "--", "\u{df}\u{df}", "\u{1f1f3}\u{1f1f1}", "\u{ff2e}\u{ff2c}"]
    {
        assert_eq!(refused(&client, &saved, &having("country", &json!(code))).await, ["country"], "{code}");
    }
    assert_eq!(listed(&client).await, [saved]);
}

both_databases!(a_flag_is_true_or_false);
async fn a_flag_is_true_or_false(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let saved = save(&client, &json!({})).await;
    for field in ["is_default_billing", "is_default_shipping"] {
        for value in [json!(null), json!(0), json!(1), json!(1.5), json!("true"), json!(""), json!([]), json!({})] {
            assert_eq!(refused(&client, &saved, &having(field, &value)).await, [field], "{value}");
        }
    }
    assert_eq!(listed(&client).await, [saved]);
}

both_databases!(properties_are_an_object_or_null);
async fn properties_are_an_object_or_null(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let saved = save(&client, &json!({})).await;
    // The list is what languages whose lists and maps are one make of an empty object.
    for value in [json!(null), json!({}), json!([]), json!({"unknown": {"deep": [1]}})] {
        let address = accepted(&client, &saved, &having("properties", &value)).await;
        assert_eq!(address["properties"], saved["properties"]);
    }
    for value in [json!(7), json!(1.5), json!(true), json!("x"), json!(""), json!(["city"])] {
        assert_eq!(refused(&client, &saved, &having("properties", &value)).await, ["properties"], "{value}");
    }
    assert_eq!(listed(&client).await, [saved]);
}
