//! The entry that stands in while no address is saved (S2.4 rule 1).

use serde_json::{Value, json};
use sqlx::types::Json;
use stoa_core::customers::CustomerRecord;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestShop, both_databases};

use crate::customer::{client, client_of, least, listed, path_of, save, shop};

const SET: Sql = sql!("UPDATE customers SET properties = $2 WHERE id = $1");

async fn set_properties(shop: &TestShop, customer: &CustomerRecord, properties: Value) {
    let set = shop.parts.db.write(async |tx| tx.run(SET).bind(customer.id).bind(Json(properties)).execute().await);
    assert_eq!(set.await.expect("the properties are set"), 1);
}

both_databases!(without_addresses_and_properties_the_list_is_empty);
async fn without_addresses_and_properties_the_list_is_empty(backend: Backend) {
    let shop = shop(backend).await;
    let answer = client(&shop).await.get("/addresses").await.expect_status(200);
    assert_eq!(answer.json(), json!({"data": []}));
}

both_databases!(an_entry_is_rebuilt_from_the_customers_properties);
async fn an_entry_is_rebuilt_from_the_customers_properties(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let properties = json!({
        "phone": "1", "company_name": "ACME", "address": "Rue 1", "address2": "b", "city": "Gent", "state": "OV",
        "zip": "9000", "country": "be", "newsletter": true,
    });
    set_properties(&shop, &customer, properties).await;
    let client = client_of(&shop, &customer).await;
    let expected = json!({
        "id": null, "label": null, "name": customer.name, "company": "ACME", "line1": "Rue 1", "line2": "b",
        "city": "Gent", "postal_code": "9000", "region": "OV", "country": "BE", "phone": "1",
        "is_default_billing": true, "is_default_shipping": false,
        "properties": {"phone": "1", "company_name": "ACME", "address": "Rue 1", "address2": "b", "city": "Gent",
                       "state": "OV", "zip": "9000", "country": "BE"},
    });
    assert_eq!(listed(&client).await, [expected]);
    client.patch("/addresses/null", &least()).await.expect_error(404, "not_found");
    client.delete("/addresses/null").await.expect_error(404, "not_found");
    assert_eq!(listed(&client).await.len(), 1);
}

both_databases!(what_is_not_known_is_null_or_empty);
async fn what_is_not_known_is_null_or_empty(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let client = client_of(&shop, &customer).await;
    for properties in [
        json!({"city": "Gent"}),
        json!({"city": " Gent ", "address": "  ", "zip": null, "country": 7, "state": [], "phone": {"x": 1}}),
    ] {
        set_properties(&shop, &customer, properties).await;
        let expected = json!({
            "id": null, "label": null, "name": customer.name, "company": null, "line1": "", "line2": null,
            "city": "Gent", "postal_code": "", "region": null, "country": "", "phone": null,
            "is_default_billing": true, "is_default_shipping": false,
            "properties": {"phone": null, "company_name": null, "address": "", "address2": null, "city": "Gent",
                           "state": null, "zip": "", "country": ""},
        });
        assert_eq!(listed(&client).await, [expected]);
    }
}

both_databases!(properties_that_name_no_place_make_no_entry);
async fn properties_that_name_no_place_make_no_entry(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let client = client_of(&shop, &customer).await;
    for properties in [
        json!({"newsletter": true}),
        json!({"phone": "1", "company_name": "ACME"}),
        json!({"city": "", "address": " ", "zip": null, "country": 7}),
    ] {
        set_properties(&shop, &customer, properties).await;
        assert_eq!(listed(&client).await, [json!(null); 0]);
    }
}

both_databases!(a_saved_address_takes_the_place_of_the_entry);
async fn a_saved_address_takes_the_place_of_the_entry(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    set_properties(&shop, &customer, json!({"city": "Gent"})).await;
    let client = client_of(&shop, &customer).await;
    let saved = save(&client, &json!({})).await;
    assert_eq!(saved["is_default_billing"], false);
    assert_eq!(listed(&client).await, std::slice::from_ref(&saved));
    client.delete(&path_of(&saved)).await.expect_status(200);
    assert_eq!(listed(&client).await[0]["id"], json!(null));
}

both_databases!(the_properties_of_one_customer_are_not_anothers);
async fn the_properties_of_one_customer_are_not_anothers(backend: Backend) {
    let shop = shop(backend).await;
    set_properties(&shop, &shop.customer().await, json!({"city": "Gent"})).await;
    assert_eq!(listed(&client(&shop).await).await, [json!(null); 0]);
}
