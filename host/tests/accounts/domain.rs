//! What other features ask of addresses: looking one up, and erasing all.

use serde_json::json;
use sqlx::types::Json;
use stoa_core::addresses::{CreateAddressError, create_address, erase_addresses, find_address, list_addresses};
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::both_databases;

use crate::customer::{client, client_of, least_with, listed, save, shop};

const SET_PROPERTIES: Sql = sql!("UPDATE customers SET properties = $1");
const ANONYMIZE: Sql = sql!("UPDATE users SET anonymized_at = $2 WHERE id = $1");

both_databases!(an_address_is_found_for_its_customer_alone);
async fn an_address_is_found_for_its_customer_alone(backend: Backend) {
    let shop = shop(backend).await;
    let (ada, eve) = (shop.customer().await, shop.customer().await);
    let saved = shop.address(&ada).await;
    let db = &shop.parts.db;
    assert_eq!(find_address(db, ada.id, saved.id).await.expect("it is read"), Some(saved.clone()));
    assert_eq!(find_address(db, eve.id, saved.id).await.expect("it is read"), None);
    assert_eq!(find_address(db, ada.id, saved.id + 1).await.expect("it is read"), None);
    assert_eq!(list_addresses(db, ada.id).await.expect("they are read"), [saved]);
}

both_databases!(erasing_leaves_nothing_of_that_customer);
async fn erasing_leaves_nothing_of_that_customer(backend: Backend) {
    let shop = shop(backend).await;
    let ada = shop.customer().await;
    let (client, other) = (client_of(&shop, &ada).await, client(&shop).await);
    save(&client, &json!({"is_default_billing": true})).await;
    save(&client, &json!({})).await;
    let kept = save(&other, &json!({})).await;
    let db = &shop.parts.db;
    let properties = Json(json!({"city": "Gent"}));
    db.write(async |tx| tx.run(SET_PROPERTIES).bind(properties).execute().await).await.expect("they are set");
    db.write(async |tx| erase_addresses(tx, ada.id).await).await.expect("they are erased");
    assert_eq!(listed(&client).await, [json!(null); 0]);
    assert_eq!(listed(&other).await, std::slice::from_ref(&kept));
    other.delete(&crate::customer::path_of(&kept)).await.expect_status(200);
    assert_eq!(listed(&other).await[0]["city"], "Gent", "another's properties stay");
}

both_databases!(erasing_is_undone_with_its_transaction);
async fn erasing_is_undone_with_its_transaction(backend: Backend) {
    let shop = shop(backend).await;
    let ada = shop.customer().await;
    let saved = shop.address(&ada).await;
    let undone = shop.parts.db.write(async |tx| -> ApiResult<()> {
        erase_addresses(tx, ada.id).await?;
        Err(ApiError::not_found())
    });
    assert!(undone.await.is_err());
    assert_eq!(list_addresses(&shop.parts.db, ada.id).await.expect("they are read"), [saved]);
}

both_databases!(nothing_is_saved_for_a_customer_who_is_no_more);
async fn nothing_is_saved_for_a_customer_who_is_no_more(backend: Backend) {
    let shop = shop(backend).await;
    let ada = shop.customer().await;
    let body = least_with(&json!({}));
    let draft = serde_json::from_value::<stoa_core::addresses::AddressRequest>(body).expect("an address").into_draft();
    let (db, now) = (&shop.parts.db, shop.now());
    create_address(db, ada.id, &draft).await.expect("it is saved");
    db.write(async |tx| tx.run(ANONYMIZE).bind(ada.user_id).bind(now).execute().await).await.expect("it is done");
    let refused = create_address(db, ada.id, &draft).await;
    assert!(matches!(refused, Err(CreateAddressError::NoCustomer)), "{refused:?}");
    let refused = create_address(db, 4711, &draft).await;
    assert!(matches!(refused, Err(CreateAddressError::NoCustomer)), "{refused:?}");
}
