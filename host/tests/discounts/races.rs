//! Many orders with one code at once, on two instances.

use std::sync::Arc;

use stoa_core::clock::Clock;
use stoa_core::db::{Backend, Db, Sql};
use stoa_core::discounts::{
    DiscountRefusal, NewDiscount, RedeemError, Redemption, Removal, redeem, release, remove_discount,
};
use stoa_core::sql;
use stoa_core::testing::{TestShop, both_databases};

use crate::placed::{insert_order, place, reread, stored, unlimited};

const COUNT_WAITING: Sql = sql!(
    sqlite: "SELECT CAST(1 AS INTEGER)",
    postgres: "SELECT COUNT(*) FROM pg_stat_activity WHERE datname = current_database() AND wait_event_type = 'Lock'",
);

/// A shop with a second handle on its database, as another instance has it.
async fn pair(backend: Backend) -> (TestShop, Arc<[Db; 2]>) {
    let shop = TestShop::new(backend).await;
    let instances = [shop.parts.db.clone(), shop.database().open(Clock::system()).await];
    (shop, Arc::new(instances))
}

/// Places one order for each customer at once; gives back the ids of those that were placed, and why others were not.
async fn place_at_once(
    instances: &Arc<[Db; 2]>,
    discount_id: i64,
    customers: impl IntoIterator<Item = i64>,
) -> (Vec<i64>, Vec<DiscountRefusal>) {
    let running = customers.into_iter().enumerate().map(|(number, customer_id)| {
        let instances = Arc::clone(instances);
        tokio::spawn(async move { place(&instances[number % 2], discount_id, customer_id).await })
    });
    let (mut placed, mut refused) = (Vec::new(), Vec::new());
    for order in running.collect::<Vec<_>>() {
        match order.await.expect("it ends") {
            Ok(order_id) => placed.push(order_id),
            Err(refusal) => refused.push(refusal),
        }
    }
    (placed, refused)
}

both_databases!(many_at_once_do_not_use_a_code_too_often);
async fn many_at_once_do_not_use_a_code_too_often(backend: Backend) {
    let (shop, instances) = pair(backend).await;
    let mut customers = Vec::new();
    for _ in 0..12 {
        customers.push(shop.customer().await.id);
    }
    let discount = stored(&shop, &NewDiscount { max_uses: Some(5), ..unlimited("FIVE") }).await;
    let (placed, refused) = place_at_once(&instances, discount.id, customers).await;
    assert_eq!((placed.len(), refused), (5, vec![DiscountRefusal::UsedUp; 7]));
    assert_eq!(reread(&shop, &discount).await.uses, 5);
}

both_databases!(many_at_once_of_one_customer_do_not_use_a_code_too_often);
async fn many_at_once_of_one_customer_do_not_use_a_code_too_often(backend: Backend) {
    let (shop, instances) = pair(backend).await;
    let customer = shop.customer().await.id;
    let discount = stored(&shop, &NewDiscount { max_uses_per_customer: Some(2), ..unlimited("TWO") }).await;
    let (placed, refused) = place_at_once(&instances, discount.id, [customer; 12]).await;
    assert_eq!((placed.len(), refused), (2, vec![DiscountRefusal::UsedUpByCustomer; 10]));
    assert_eq!(reread(&shop, &discount).await.uses, 2);
}

both_databases!(an_order_that_is_cancelled_many_times_at_once_gives_back_one_use);
async fn an_order_that_is_cancelled_many_times_at_once_gives_back_one_use(backend: Backend) {
    let (shop, instances) = pair(backend).await;
    let customer = shop.customer().await.id;
    let discount = stored(&shop, &unlimited("MANY")).await;
    let (placed, _) = place_at_once(&instances, discount.id, [customer; 3]).await;
    let order_id = placed[0];
    let cancelling = (0..8).map(|number| {
        let instances = Arc::clone(&instances);
        tokio::spawn(async move { instances[number % 2].write(async |tx| release(tx, order_id).await).await })
    });
    for cancelled in cancelling.collect::<Vec<_>>() {
        cancelled.await.expect("it ends").expect("it is released");
    }
    assert_eq!(reread(&shop, &discount).await.uses, 2);
}

both_databases!(an_order_waits_for_another_of_its_customer_with_the_same_code);
async fn an_order_waits_for_another_of_its_customer_with_the_same_code(backend: Backend) {
    let (shop, instances) = pair(backend).await;
    let watching = shop.database().open(Clock::system()).await;
    let customer_id = shop.customer().await.id;
    let discount_id = stored(&shop, &NewDiscount { max_uses_per_customer: Some(1), ..unlimited("ONCE") }).await.id;
    let placing = instances[0].write(async |tx| -> Result<_, RedeemError> {
        let order_id = insert_order(tx, customer_id).await?;
        redeem(tx, Redemption { discount_id, order_id, customer_id, amount: 100 }).await?;
        let instances = Arc::clone(&instances);
        let second = tokio::spawn(async move { place(&instances[1], discount_id, customer_id).await });
        while watching.read(COUNT_WAITING).scalar::<i64>().await? == 0 {
            assert!(!second.is_finished(), "the second order did not wait");
        }
        Ok(second)
    });
    let second = placing.await.expect("the first order is placed");
    assert_eq!(second.await.expect("it ends"), Err(DiscountRefusal::UsedUpByCustomer));
}

both_databases!(removing_a_code_waits_for_an_order_that_is_about_to_use_it);
async fn removing_a_code_waits_for_an_order_that_is_about_to_use_it(backend: Backend) {
    let (shop, instances) = pair(backend).await;
    let watching = shop.database().open(Clock::system()).await;
    let customer_id = shop.customer().await.id;
    let discount_id = stored(&shop, &unlimited("WANTED")).await.id;
    let placing = instances[0].write(async |tx| -> Result<_, RedeemError> {
        let order_id = insert_order(tx, customer_id).await?;
        redeem(tx, Redemption { discount_id, order_id, customer_id, amount: 100 }).await?;
        let instances = Arc::clone(&instances);
        let removing = tokio::spawn(async move { remove_discount(&instances[1], "WANTED").await });
        while watching.read(COUNT_WAITING).scalar::<i64>().await? == 0 {
            assert!(!removing.is_finished(), "removing did not wait");
        }
        Ok(removing)
    });
    let removing = placing.await.expect("the order is placed");
    assert_eq!(removing.await.expect("it ends").expect("no key is in the way"), Removal::Used);
}
