//! Encryption at rest, and changing its key.

use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::sql;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{MARK, add, assert_sound, builder, buyer, shop, values};

const EVERYTHING: Sql =
    sql!("SELECT fingerprint || ' ' || sealed_value || ' ' || hint FROM digital_secrets_values ORDER BY id");
const SEALED: Sql = sql!("SELECT sealed_value FROM digital_secrets_values ORDER BY id");
const KEY_IDS: Sql = sql!("SELECT DISTINCT key_id FROM digital_secrets_values WHERE key_id IS NOT NULL");
const KEYS: Sql = sql!("SELECT COUNT(*) FROM digital_secrets_keys");
const SWAP: Sql = sql!(
    "UPDATE digital_secrets_values SET sealed_value = (SELECT v.sealed_value FROM digital_secrets_values v WHERE v.id = 1)
     WHERE id = 2"
);
const SPOIL: Sql = sql!("UPDATE digital_secrets_keys SET sealed_key = $1");
const RETIRE: Sql = sql!("UPDATE digital_secrets_keys SET retired_at = created_at");

async fn all(shop: &TestShop, sql: Sql) -> Vec<String> {
    shop.parts.db.read(sql).scalars().await.expect("they are read")
}

async fn keys(shop: &TestShop) -> i64 {
    shop.parts.db.read(KEYS).scalar().await.expect("they are counted")
}

async fn change(shop: &TestShop, sql: Sql) {
    let changed = shop.parts.db.write(async |tx| tx.run(sql).execute().await);
    changed.await.map_err(|error: DbError| error.to_string()).expect("it is changed");
}

both_databases!(the_database_does_not_tell_a_value);
async fn the_database_does_not_tell_a_value(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 3)).await;
    for row in all(&shop, EVERYTHING).await {
        assert!(!row.contains(MARK) && !row.contains("0001"), "{row}");
    }
    let sealed = all(&shop, SEALED).await;
    assert!(sealed.iter().all(|sealed| sealed.len() > 60), "{sealed:?}");
}

both_databases!(a_new_key_seals_everything_anew_and_the_old_one_is_gone);
async fn a_new_key_seals_everything_anew_and_the_old_one_is_gone(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 450)).await;
    let ada = buyer(&shop).await;
    ada.buy(&shop, &[("font", 2)]).await;
    let before = all(&shop, SEALED).await;
    let rotated = shop.command(&["digital-secrets", "rotate-key", "--json"]).await.json();
    assert_eq!((&rotated["values"], &rotated["deleted_keys"]), (&450.into(), &1.into()));
    let after = all(&shop, SEALED).await;
    assert!(before.iter().zip(&after).all(|(before, after)| before != after));
    assert_eq!(keys(&shop).await, 1);
    assert_eq!(ada.values().await, values(1, 2));
    assert_eq!(add(&shop, "font", &values(1, 451)).await["added"], 1, "duplicates are still known");
    ada.buy(&shop, &[("font", 1)]).await;
    assert_eq!(ada.values().await, values(1, 3));
    let told = shop.command(&["digital-secrets", "rotate-key"]).await.expect_success();
    assert!(told.contains("451 values sealed anew"), "{told}");
    assert_sound(&shop).await;
}

both_databases!(the_shop_sells_while_the_key_is_changed);
async fn the_shop_sells_while_the_key_is_changed(backend: Backend) {
    let shop = shop(backend).await;
    let other = builder(backend).on(shop.database()).seed(2).open().await;
    add(&shop, "font", &values(1, 600)).await;
    let ada = buyer(&shop).await;
    let selling = async {
        for round in 0..5 {
            ada.buy(&shop, &[("font", 4)]).await;
            add(&shop, "font", &values(1001 + round * 10, 1010 + round * 10)).await;
            assert_eq!(ada.values().await.len(), 4 * (round + 1));
        }
    };
    let changing = async {
        for _ in 0..3 {
            other.command(&["digital-secrets", "rotate-key"]).await.expect_success();
        }
    };
    tokio::join!(selling, changing);
    other.command(&["digital-secrets", "rotate-key"]).await.expect_success();
    assert_eq!((ada.values().await, keys(&shop).await), (values(1, 20), 1));
    assert_sound(&shop).await;
}

both_databases!(a_change_of_the_key_that_was_interrupted_is_finished_by_the_worker);
async fn a_change_of_the_key_that_was_interrupted_is_finished_by_the_worker(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 3)).await;
    change(&shop, RETIRE).await;
    let warning = crate::oversight::finding(&shop, "digital_secrets.keys").await;
    assert!(warning.message.contains("3 digital secrets are still sealed with an older key"), "{warning:?}");
    shop.run_jobs().await;
    let used = shop.parts.db.read(KEY_IDS).scalars::<i64>().await.expect("they are read");
    assert_eq!((used, keys(&shop).await), (vec![2], 1));
    let ada = buyer(&shop).await;
    ada.buy(&shop, &[("font", 1)]).await;
    assert_eq!(ada.values().await, values(1, 1));
}

both_databases!(a_value_that_was_moved_into_another_row_is_not_shown);
async fn a_value_that_was_moved_into_another_row_is_not_shown(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 2)).await;
    let (ada, eve) = (buyer(&shop).await, buyer(&shop).await);
    ada.buy(&shop, &[("font", 1)]).await;
    eve.buy(&shop, &[("font", 1)]).await;
    change(&shop, SWAP).await;
    let secrets = eve.secrets().await;
    assert_eq!((&secrets[0]["status"], &secrets[0]["value"]), (&"delivered".into(), &serde_json::Value::Null));
    let show = format!("/digital-secrets/{}", secrets[0]["id"]);
    let answer = eve.client.get(&show).await.expect_error(500, "server_error");
    assert!(!answer.text().contains(MARK), "{}", answer.text());
    assert_eq!(ada.values().await, values(1, 1));
    let end = shop.command(&["digital-secrets", "rotate-key", "--json"]).await;
    assert_eq!(end.json()["unreadable"], 1);
    assert!(end.expect_failure(1).contains("1 values cannot be decrypted"));
    assert_eq!(ada.values().await, values(1, 1), "the others are sealed anew all the same");
}

both_databases!(a_key_that_cannot_be_read_is_told_and_hides_the_values);
async fn a_key_that_cannot_be_read_is_told_and_hides_the_values(backend: Backend) {
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, 2)).await;
    let ada = buyer(&shop).await;
    ada.buy(&shop, &[("font", 1)]).await;
    let spoiled = vec![7_u8; 60];
    let changed = shop.parts.db.write(async |tx| tx.run(SPOIL).bind(spoiled).execute().await);
    changed.await.map_err(|error: DbError| error.to_string()).expect("it is changed");
    assert_eq!(ada.values().await, [""; 0]);
    let failure = crate::oversight::finding(&shop, "digital_secrets.keys").await;
    assert!(failure.message.contains("cannot be decrypted"), "{failure:?}");
    std::fs::write(shop.folder().join("more.txt"), "KEY-1").expect("it is written");
    let refused = shop.command(&["digital-secrets", "add", "font", "more.txt"]).await.expect_failure(1);
    assert!(refused.contains("digital_secrets_keys.sealed_key of row 1 cannot be decrypted"), "{refused}");
}
