//! Saving, listing, replacing and deleting addresses.

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::customer::{
    NULLABLE, REQUIRED, client, client_of, least, least_with, least_without, listed, path_of, refused_fields, save,
    shop,
};

fn full() -> Value {
    least_with(&json!({
        "label": "Home", "company": "ACME", "line2": "2nd floor", "region": "NH", "phone": "+31 20 555 0100",
        "is_default_billing": true, "is_default_shipping": true,
    }))
}

both_databases!(the_required_fields_suffice);
async fn the_required_fields_suffice(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let answer = client.post("/addresses", &least()).await.expect_status(201);
    assert_eq!(answer.header("cache-control"), Some("private, no-store"));
    let expected = json!({
        "id": 1, "label": null, "name": "Ada Buyer", "company": null, "line1": "Keizersgracht 1", "line2": null,
        "city": "Amsterdam", "postal_code": "1015 AA", "region": null, "country": "NL", "phone": null,
        "is_default_billing": false, "is_default_shipping": false,
        "properties": {"phone": null, "company_name": null, "address": "Keizersgracht 1", "address2": null,
                       "city": "Amsterdam", "state": null, "zip": "1015 AA", "country": "NL"},
    });
    assert_eq!(answer.json(), json!({"data": expected}));
    assert_eq!(listed(&client).await, [expected]);
}

both_databases!(all_fields_are_kept);
async fn all_fields_are_kept(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let mut expected = full();
    expected["id"] = json!(1);
    expected["properties"] = json!({
        "phone": "+31 20 555 0100", "company_name": "ACME", "address": "Keizersgracht 1", "address2": "2nd floor",
        "city": "Amsterdam", "state": "NH", "zip": "1015 AA", "country": "NL",
    });
    assert_eq!(client.post("/addresses", &full()).await.expect_status(201).json()["data"], expected);
    assert_eq!(listed(&client).await, [expected]);
}

both_databases!(addresses_are_listed_with_the_newest_first_on_one_page);
async fn addresses_are_listed_with_the_newest_first_on_one_page(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    for number in 0..30 {
        save(&client, &json!({"label": number.to_string()})).await;
    }
    let body = client.get("/addresses").await.expect_status(200).json();
    assert_eq!(body.as_object().expect("an object").keys().collect::<Vec<_>>(), ["data"]);
    let ids = body["data"].as_array().expect("a list").iter().map(|address| address["id"].as_i64().expect("an id"));
    assert_eq!(ids.collect::<Vec<_>>(), (1..=30).rev().collect::<Vec<_>>());
    assert_eq!(body["data"][0]["label"], "29");
}

both_databases!(a_saved_address_is_replaced_as_a_whole);
async fn a_saved_address_is_replaced_as_a_whole(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let saved = client.post("/addresses", &full()).await.expect_status(201).json()["data"].clone();
    let other = json!({"name": "Bob", "line1": "Rue 1", "city": "Gent", "postal_code": "9000", "country": "be"});
    let answer = client.patch(&path_of(&saved), &other).await.expect_status(200);
    assert_eq!(answer.header("cache-control"), Some("private, no-store"));
    let expected = json!({
        "id": saved["id"], "label": null, "name": "Bob", "company": null, "line1": "Rue 1", "line2": null, "city": "Gent",
        "postal_code": "9000", "region": null, "country": "BE", "phone": null,
        // What is not named of the flags stays.
        "is_default_billing": true, "is_default_shipping": true,
        "properties": {"phone": null, "company_name": null, "address": "Rue 1", "address2": null, "city": "Gent",
                       "state": null, "zip": "9000", "country": "BE"},
    });
    assert_eq!(answer.json(), json!({"data": expected}));
    assert_eq!(listed(&client).await, [expected]);
}

both_databases!(replacing_gives_optional_fields_their_values);
async fn replacing_gives_optional_fields_their_values(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let saved = save(&client, &json!({})).await;
    let replaced = client.patch(&path_of(&saved), &full()).await.expect_status(200).json()["data"].clone();
    for (name, value) in full().as_object().expect("an object") {
        assert_eq!(&replaced[name], value, "{name}");
    }
}

both_databases!(a_saved_address_is_not_replaced_in_parts);
async fn a_saved_address_is_not_replaced_in_parts(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let saved = client.post("/addresses", &full()).await.expect_status(201).json()["data"].clone();
    for field in REQUIRED {
        assert_eq!(refused_fields(client.patch(&path_of(&saved), &least_without(field)).await), [field]);
    }
    assert_eq!(refused_fields(client.patch(&path_of(&saved), &json!({"label": "Work"})).await).len(), REQUIRED.len());
    assert_eq!(listed(&client).await, [saved]);
}

both_databases!(the_problems_of_all_fields_are_told_at_once);
async fn the_problems_of_all_fields_are_told_at_once(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let saved = save(&client, &json!({})).await;
    let mut body = json!({"is_default_billing": 1, "is_default_shipping": "yes"});
    for field in NULLABLE {
        body[field] = json!(["x"]);
    }
    body["properties"] = json!({"phone": 1, "company_name": 1, "address": 1, "address2": 1, "city": 1, "state": 1,
                                "zip": "x".repeat(21), "country": "XX"});
    let mut expected = [&REQUIRED[..], &NULLABLE, &["is_default_billing", "is_default_shipping"]].concat();
    expected.extend([
        "properties.address",
        "properties.address2",
        "properties.city",
        "properties.company_name",
        "properties.country",
        "properties.phone",
        "properties.state",
        "properties.zip",
    ]);
    expected.sort_unstable();
    assert_eq!(refused_fields(client.post("/addresses", &body).await), expected);
    assert_eq!(refused_fields(client.patch(&path_of(&saved), &body).await), expected);
    assert_eq!(listed(&client).await, [saved]);
}

both_databases!(a_deleted_address_is_gone);
async fn a_deleted_address_is_gone(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let (kept, gone) = (save(&client, &json!({})).await, save(&client, &json!({})).await);
    let answer = client.delete(&path_of(&gone)).await.expect_status(200);
    assert_eq!(answer.header("cache-control"), Some("private, no-store"));
    assert_eq!(answer.json(), json!({"ok": true}));
    assert_eq!(listed(&client).await, [kept]);
    client.delete(&path_of(&gone)).await.expect_error(404, "not_found");
    client.patch(&path_of(&gone), &least()).await.expect_error(404, "not_found");
    let next = save(&client, &json!({})).await;
    assert_ne!(next["id"], gone["id"], "an id is given once");
}

both_databases!(what_is_no_id_is_not_found);
async fn what_is_no_id_is_not_found(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    save(&client, &json!({})).await;
    for id in ["0", "-1", "+1", "2", "abc", "1.0", "1e0", "null", "9223372036854775807", "9223372036854775808", "%001"]
    {
        client.patch(&format!("/addresses/{id}"), &least()).await.expect_error(404, "not_found");
        client.delete(&format!("/addresses/{id}")).await.expect_error(404, "not_found");
    }
    assert_eq!(listed(&client).await.len(), 1);
}

both_databases!(a_customer_can_save_a_hundred_addresses);
async fn a_customer_can_save_a_hundred_addresses(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let client = client_of(&shop, &customer).await;
    for _ in 0..100 {
        shop.address(&customer).await;
    }
    let refused = client.post("/addresses", &least_with(&json!({"is_default_billing": true}))).await;
    let refused = refused.expect_error(422, "invalid_state").json();
    assert_eq!(refused["reason"], "too_many_addresses");
    assert!(refused["message"].as_str().is_some_and(|text| text.contains("100")), "{refused}");
    let saved = listed(&client).await;
    assert_eq!((saved.len(), &saved[0]["is_default_billing"]), (100, &json!(true)), "no flag was taken");
    client.patch(&path_of(&saved[50]), &least()).await.expect_status(200);
    client.delete(&path_of(&saved[50])).await.expect_status(200);
    save(&client, &json!({})).await;
    save(&crate::customer::client(&shop).await, &json!({})).await;
}
