//! The default flags: at most one address of a customer has each (S3.3).

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, both_databases};

use crate::customer::{client, least_with, listed, path_of, save, shop};

const FLAGS: [&str; 2] = ["is_default_billing", "is_default_shipping"];

/// The ids of the addresses that have each flag.
async fn defaults(client: &TestClient) -> [Vec<Value>; 2] {
    let addresses = listed(client).await;
    FLAGS.map(|flag| {
        let flagged = addresses.iter().filter(|address| address[flag] == true);
        flagged.map(|address| address["id"].clone()).collect()
    })
}

fn ids<'a>(addresses: impl IntoIterator<Item = &'a Value>) -> Vec<Value> {
    addresses.into_iter().map(|address| address["id"].clone()).collect()
}

both_databases!(a_new_address_has_no_flag_unless_it_is_set);
async fn a_new_address_has_no_flag_unless_it_is_set(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    save(&client, &json!({})).await;
    save(&client, &json!({"is_default_billing": false, "is_default_shipping": false})).await;
    assert_eq!(defaults(&client).await, [ids([]), ids([])]);
}

both_databases!(a_new_default_takes_the_flag_and_only_that);
async fn a_new_default_takes_the_flag_and_only_that(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let first = save(&client, &json!({"is_default_billing": true, "is_default_shipping": true})).await;
    let second = save(&client, &json!({"is_default_billing": true})).await;
    assert_eq!(second["is_default_billing"], true);
    assert_eq!(defaults(&client).await, [ids([&second]), ids([&first])]);
    let third = save(&client, &json!({"is_default_shipping": true, "is_default_billing": false})).await;
    assert_eq!(defaults(&client).await, [ids([&second]), ids([&third])]);
}

both_databases!(replacing_an_address_moves_flags_too);
async fn replacing_an_address_moves_flags_too(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let first = save(&client, &json!({"is_default_billing": true, "is_default_shipping": true})).await;
    let second = save(&client, &json!({})).await;
    let body = least_with(&json!({"is_default_billing": true}));
    let replaced = client.patch(&path_of(&second), &body).await.expect_status(200).json();
    assert_eq!(
        (&replaced["data"]["is_default_billing"], &replaced["data"]["is_default_shipping"]),
        (&json!(true), &json!(false))
    );
    assert_eq!(defaults(&client).await, [ids([&second]), ids([&first])]);
    // Setting what is set changes nothing.
    client.patch(&path_of(&second), &body).await.expect_status(200);
    assert_eq!(defaults(&client).await, [ids([&second]), ids([&first])]);
}

both_databases!(a_flag_stays_unless_it_is_named);
async fn a_flag_stays_unless_it_is_named(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let address = save(&client, &json!({"is_default_billing": true, "is_default_shipping": true})).await;
    client.patch(&path_of(&address), &least_with(&json!({}))).await.expect_status(200);
    assert_eq!(defaults(&client).await, [ids([&address]), ids([&address])]);
    client.patch(&path_of(&address), &least_with(&json!({"is_default_shipping": false}))).await.expect_status(200);
    assert_eq!(defaults(&client).await, [ids([&address]), ids([])]);
}

both_databases!(deleting_a_default_leaves_none);
async fn deleting_a_default_leaves_none(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    save(&client, &json!({})).await;
    let address = save(&client, &json!({"is_default_billing": true})).await;
    client.delete(&path_of(&address)).await.expect_status(200);
    assert_eq!(defaults(&client).await, [ids([]), ids([])]);
}

both_databases!(refused_input_takes_no_flag);
async fn refused_input_takes_no_flag(backend: Backend) {
    let shop = shop(backend).await;
    let client = client(&shop).await;
    let first = save(&client, &json!({"is_default_billing": true})).await;
    let second = save(&client, &json!({})).await;
    let body = least_with(&json!({"is_default_billing": true, "name": null}));
    client.post("/addresses", &body).await.expect_status(422);
    client.patch(&path_of(&second), &body).await.expect_status(422);
    let whole = least_with(&json!({"is_default_billing": true}));
    client.patch("/addresses/4711", &whole).await.expect_status(404);
    assert_eq!(defaults(&client).await[0], ids([&first]));
}
