//! Everybody at once.

use std::collections::BTreeSet;
use std::sync::Arc;

use serde_json::json;
use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::from_shop::FromShop;
use stoa_core::orders::{CancelReason, cancel_order};
use stoa_core::payments::{Payments, record_payment};
use stoa_core::queue::{EVENTS, Queue};
use stoa_core::sql;
use stoa_core::testing::{TestShop, both_databases};
use tokio::sync::Barrier;

use crate::shelf::{
    Buyer, add, assert_sound, available, builder, buyer, keyed, repeat_paid, shop, states, units, values,
};

const BUYERS: usize = 100;
const KEYS: usize = 30;

async fn second(backend: Backend, shop: &TestShop, seed: u64) -> TestShop {
    builder(backend).on(shop.database()).clock(&shop.clock).seed(seed).open().await
}

/// Everybody places what is in the cart at once; gives the orders of those who could.
async fn rush(buyers: Vec<Buyer>) -> Vec<i64> {
    let buying = buyers.into_iter().map(|buyer| tokio::spawn(async move { buyer.try_to_place().await }));
    let mut placed = Vec::new();
    for answer in buying.collect::<Vec<_>>() {
        let answer = answer.await.expect("it ends");
        if answer.status.as_u16() == 201 {
            placed.push(answer.json()["data"]["id"].as_i64().expect("an id"));
        } else {
            let refused = answer.expect_error(422, "invalid_state").json();
            assert_eq!(refused["reason"], "insufficient_stock", "{refused}");
        }
    }
    placed
}

/// Buyers with one key each in their carts, half of them at each instance.
async fn buyers(shop: &TestShop, other: &TestShop, count: usize, quantity: i64) -> Vec<Buyer> {
    let mut buyers = Vec::new();
    for number in 0..count {
        let place = if number % 2 == 0 { shop } else { other };
        let buyer = buyer(place).await;
        buyer.fill(shop, &[("font", quantity)]).await;
        buyers.push(buyer);
    }
    buyers
}

both_databases!(of_thirty_keys_thirty_are_sold_to_a_hundred_who_want_one);
async fn of_thirty_keys_thirty_are_sold_to_a_hundred_who_want_one(backend: Backend) {
    let shop = shop(backend).await;
    let other = second(backend, &shop, 2).await;
    add(&shop, "font", &values(1, KEYS)).await;
    let everybody = buyers(&shop, &other, BUYERS, 1).await;
    let placed = rush(everybody.clone()).await;
    assert_eq!(placed.len(), KEYS, "neither too many nor too few");
    assert_eq!(available(&shop, "font").await, 0);
    for order_id in &placed {
        record_payment(&Payments::from_shop(&shop.parts), *order_id).await.expect("it is recorded");
    }
    tokio::join!(shop.run_jobs(), other.run_jobs());
    shop.run_jobs().await;
    let mut delivered = Vec::new();
    for buyer in &everybody {
        delivered.extend(buyer.values().await);
    }
    delivered.sort();
    assert_eq!(delivered, values(1, KEYS), "each key once");
    assert_sound(&shop).await;
}

both_databases!(buyers_of_several_keys_get_all_of_them_or_none);
async fn buyers_of_several_keys_get_all_of_them_or_none(backend: Backend) {
    let shop = shop(backend).await;
    let other = second(backend, &shop, 2).await;
    add(&shop, "font", &values(1, KEYS)).await;
    let placed = rush(buyers(&shop, &other, 40, 4).await).await;
    assert_eq!(placed.len(), 7, "seven times four of thirty");
    assert_eq!(available(&shop, "font").await, 2);
    for order_id in placed {
        assert_eq!(states(&shop, order_id).await, ["promised"; 4]);
    }
    assert_sound(&shop).await;
}

const FIRST_FREE: Sql = sql!("SELECT MIN(id) FROM digital_secrets_values WHERE state = 'available'");
const TAKE: Sql = sql!("UPDATE digital_secrets_values SET hint = 'taken' WHERE id = $1");

// A control: who looks first and takes later takes what others take too.
both_databases!(looking_before_taking_would_give_one_key_to_several);
async fn looking_before_taking_would_give_one_key_to_several(backend: Backend) {
    const TAKERS: usize = 8;
    let shop = shop(backend).await;
    add(&shop, "font", &values(1, KEYS)).await;
    let everybody_has_looked = Arc::new(Barrier::new(TAKERS));
    let taking = (0..TAKERS).map(|_| {
        let (db, everybody_has_looked) = (shop.parts.db.clone(), Arc::clone(&everybody_has_looked));
        tokio::spawn(async move {
            let free = db.read(FIRST_FREE).scalar::<i64>().await.expect("it is read");
            everybody_has_looked.wait().await;
            let taken = db.write(async |tx| tx.run(TAKE).bind(free).execute().await).await;
            taken.map_err(|error: DbError| error.to_string()).expect("it is taken");
            free
        })
    });
    let mut taken = BTreeSet::new();
    for taker in taking.collect::<Vec<_>>() {
        taken.insert(taker.await.expect("it ends"));
    }
    assert_eq!(taken.len(), 1, "eight were given one key");
}

both_databases!(an_order_that_is_heard_of_ten_times_at_three_instances_is_delivered_once);
async fn an_order_that_is_heard_of_ten_times_at_three_instances_is_delivered_once(backend: Backend) {
    let shop = builder(backend).open().await;
    shop.stock(&[keyed("font", &json!({})), keyed("license", &json!({"pattern": "XXXX-9999-****"}))]).await;
    let instances = [second(backend, &shop, 2).await, second(backend, &shop, 3).await];
    add(&shop, "font", &values(1, 40)).await;
    let ada = buyer(&shop).await;
    let mut orders = Vec::new();
    for _ in 0..6 {
        let order_id = ada.place(&shop, &[("font", 2), ("license", 2)]).await;
        record_payment(&Payments::from_shop(&shop.parts), order_id).await.expect("it is recorded");
        orders.push(order_id);
    }
    for _ in 0..9 {
        for order_id in &orders {
            repeat_paid(&shop, *order_id, ada.customer.id).await;
        }
    }
    tokio::join!(run(&shop), run(&instances[0]), run(&instances[1]));
    shop.run_jobs().await;
    for order_id in orders {
        let delivered = units(&shop, order_id).await;
        assert_eq!(delivered.len(), 4);
        assert!(delivered.iter().all(|unit| unit["status"] == "delivered"), "{delivered:?}");
    }
    assert_eq!(available(&shop, "font").await, 28);
    let made = shop.command(&["digital-secrets", "values", "license", "--json"]).await.json();
    assert_eq!(made["data"].as_array().map(Vec::len), Some(12), "nothing was made in vain");
    assert_sound(&shop).await;
}

/// Delivers events, as often as PostgreSQL asks to try again.
async fn run(shop: &TestShop) {
    for _ in 0..5 {
        let _ = shop.uses::<Queue>().drain(EVENTS).await;
    }
}

both_databases!(an_order_that_is_paid_and_cancelled_and_expires_at_once_is_delivered_or_given_back);
async fn an_order_that_is_paid_and_cancelled_and_expires_at_once_is_delivered_or_given_back(backend: Backend) {
    let shop = shop(backend).await;
    let other = second(backend, &shop, 2).await;
    add(&shop, "font", &values(1, 100)).await;
    let ada = buyer(&shop).await;
    let (mut paid, mut cancelled) = (0, 0);
    for _ in 0..12 {
        let order_id = ada.place(&shop, &[("font", 2)]).await;
        let paying = {
            let parts = shop.parts.clone();
            tokio::spawn(async move { record_payment(&Payments::from_shop(&parts), order_id).await.is_ok() })
        };
        let ends = [(shop.parts.clone(), CancelReason::Operator), (other.parts.clone(), CancelReason::Expired)];
        let ending = ends.map(|(parts, reason)| {
            tokio::spawn(async move { cancel_order(&Payments::from_shop(&parts), order_id, reason).await.is_ok() })
        });
        let was_paid = paying.await.expect("it ends");
        let mut was_cancelled = false;
        for ending in ending {
            was_cancelled |= ending.await.expect("it ends");
        }
        assert_ne!(was_paid, was_cancelled);
        tokio::join!(shop.run_jobs(), other.run_jobs());
        shop.run_jobs().await;
        if was_paid {
            paid += 1;
            assert_eq!(states(&shop, order_id).await, ["delivered", "delivered"]);
        } else {
            cancelled += 1;
            assert_eq!(states(&shop, order_id).await, ["released", "released"]);
        }
    }
    assert_eq!((paid + cancelled, available(&shop, "font").await), (12, 100 - 2 * paid));
    assert_sound(&shop).await;
}

both_databases!(selling_filling_and_giving_back_at_once_loses_and_doubles_nothing);
async fn selling_filling_and_giving_back_at_once_loses_and_doubles_nothing(backend: Backend) {
    let shop = builder(backend).open().await;
    shop.stock(&[keyed("font", &json!({"backorder": true}))]).await;
    let other = second(backend, &shop, 2).await;
    add(&shop, "font", &values(1, 5)).await;
    let everybody = buyers(&shop, &other, 24, 1).await;
    let filling = async {
        for batch in 0..5 {
            add(&other, "font", &values(101 + batch * 3, 103 + batch * 3)).await;
        }
    };
    let (placed, ()) = tokio::join!(rush(everybody.clone()), filling);
    assert_eq!(placed.len(), 24, "everybody may wait");
    let ending = placed.iter().enumerate().map(|(number, order_id)| {
        let (parts, order_id) = (if number % 2 == 0 { &shop } else { &other }.parts.clone(), *order_id);
        tokio::spawn(async move {
            if number % 4 == 0 {
                cancel_order(&Payments::from_shop(&parts), order_id, CancelReason::Operator)
                    .await
                    .expect("it is cancelled");
            } else {
                record_payment(&Payments::from_shop(&parts), order_id).await.expect("it is recorded");
            }
        })
    });
    let ending = ending.collect::<Vec<_>>();
    tokio::join!(run(&shop), run(&other));
    for ended in ending {
        ended.await.expect("it ends");
    }
    tokio::join!(run(&shop), run(&other));
    shop.run_jobs().await;
    let mut delivered = Vec::new();
    for buyer in &everybody {
        delivered.extend(buyer.values().await);
    }
    assert_eq!(delivered.len(), 18, "whoever has paid has one");
    assert_eq!(delivered.iter().collect::<BTreeSet<_>>().len(), 18, "nobody has another's");
    assert_eq!(available(&shop, "font").await, 2);
    assert_sound(&shop).await;
}
