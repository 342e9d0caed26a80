//! Giving back what cancelled orders used.

use stoa_core::db::{Backend, Db};
use stoa_core::discounts::{DiscountRefusal, NewDiscount, RedeemError, Redemption, redeem, release};
use stoa_core::testing::{TestShop, both_databases};

use crate::placed::{insert_order, place_for, reread, stored, unlimited};

async fn cancel(db: &Db, order_id: i64) {
    db.write(async |tx| release(tx, order_id).await).await.expect("it is released");
}

both_databases!(what_a_cancelled_order_used_can_be_used_again_once);
async fn what_a_cancelled_order_used_can_be_used_again_once(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let (db, customer) = (&shop.parts.db, shop.customer().await);
    let new = NewDiscount { max_uses: Some(2), max_uses_per_customer: Some(2), ..unlimited("TWICE") };
    let discount = stored(&shop, &new).await;
    let first = place_for(&shop, &discount, &customer).await.expect("a use is left");
    place_for(&shop, &discount, &customer).await.expect("a use is left");
    assert_eq!(place_for(&shop, &discount, &customer).await, Err(DiscountRefusal::UsedUpByCustomer));

    for _ in 0..3 {
        cancel(db, first).await;
    }
    assert_eq!(reread(&shop, &discount).await.uses, 1);
    place_for(&shop, &discount, &customer).await.expect("the use was given back");
    assert_eq!(place_for(&shop, &discount, &customer).await, Err(DiscountRefusal::UsedUpByCustomer));
    cancel(db, first).await;
    assert_eq!(reread(&shop, &discount).await.uses, 2);
}

both_databases!(an_order_without_a_code_gives_nothing_back);
async fn an_order_without_a_code_gives_nothing_back(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let (db, customer) = (&shop.parts.db, shop.customer().await);
    let discount = stored(&shop, &unlimited("OTHER")).await;
    place_for(&shop, &discount, &customer).await.expect("it can be used");
    let plain = db.write(async |tx| insert_order(tx, customer.id).await).await.expect("it is stored");
    cancel(db, plain).await;
    assert_eq!(reread(&shop, &discount).await.uses, 1);
}

both_databases!(an_order_uses_one_code_once);
async fn an_order_uses_one_code_once(backend: Backend) {
    let shop = TestShop::new(backend).await;
    let (db, customer) = (&shop.parts.db, shop.customer().await);
    let (one, other) = (stored(&shop, &unlimited("ONE")).await, stored(&shop, &unlimited("OTHER")).await);
    let order_id = place_for(&shop, &one, &customer).await.expect("it can be used");
    for discount in [&one, &other] {
        let again = Redemption { discount_id: discount.id, order_id, customer_id: customer.id, amount: 100 };
        let again = db.write(async |tx| redeem(tx, again).await).await;
        assert!(matches!(again, Err(RedeemError::Db(error)) if error.is_unique_violation()), "{}", discount.code);
    }
    // The refused attempts were rolled back with all they did.
    assert_eq!((reread(&shop, &one).await.uses, reread(&shop, &other).await.uses), (1, 0));
}
