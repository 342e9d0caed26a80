//! Discounts and orders that use them.

use serde_json::json;
use sqlx::types::Json;
use stoa_core::customers::CustomerRecord;
use stoa_core::db::{Db, DbError, Sql, Tx};
use stoa_core::discounts::{
    Discount, DiscountCode, DiscountRefusal, NewDiscount, RedeemError, Redemption, create_discount, look_up_discount,
    redeem,
};
use stoa_core::pricing::DiscountRule;
use stoa_core::sql;
use stoa_core::testing::TestShop;

const INSERT_ORDER: Sql = sql!(
    "INSERT INTO orders (customer_id, status, currency, subtotal_amount, discount_amount, shipping_amount, tax_amount,
                         total_amount, prices_include_tax, billing_address, shipping_tax_rate, shipping_tax_amount,
                         payment_method, language, fulfillment_status, created_at, updated_at)
     VALUES ($1, 'pending', 'EUR', 1000, 100, 0, 0, 900, TRUE, $2, 0, 0, 'manual', 'en', 'not_required', $3, $3)
     RETURNING id"
);

/// A discount without any limit.
pub(crate) fn unlimited(code: &str) -> NewDiscount {
    NewDiscount {
        code: DiscountCode::parse(code).expect("a code"),
        rule: DiscountRule::Amount(100),
        minimum_amount: None,
        max_uses: None,
        max_uses_per_customer: None,
        valid_from: None,
        valid_until: None,
        customer_id: None,
    }
}

/// Stores a discount.
pub(crate) async fn stored(shop: &TestShop, new: &NewDiscount) -> Discount {
    shop.parts.db.write(async |tx| create_discount(tx, new).await).await.expect("the code is free")
}

/// The discount as it is now.
pub(crate) async fn reread(shop: &TestShop, discount: &Discount) -> Discount {
    look_up_discount(&shop.parts.db, &discount.code).await.expect("it is read").expect("it is there")
}

/// Stores the order that a redemption needs.
pub(crate) async fn insert_order(tx: &mut Tx, customer_id: i64) -> Result<i64, DbError> {
    let now = tx.now();
    tx.run(INSERT_ORDER).bind(customer_id).bind(Json(json!({}))).bind(now).scalar().await
}

/// Places an order with a code, and gives back its id, or why it is not placed.
pub(crate) async fn place(db: &Db, discount_id: i64, customer_id: i64) -> Result<i64, DiscountRefusal> {
    let placed = db.write(async |tx| -> Result<i64, RedeemError> {
        let order_id = insert_order(tx, customer_id).await?;
        redeem(tx, Redemption { discount_id, order_id, customer_id, amount: 100 }).await?;
        Ok(order_id)
    });
    placed.await.map_err(|error| match error {
        RedeemError::Refused(refusal) => refusal,
        RedeemError::Db(error) => panic!("{error:?}"),
    })
}

/// Places an order of this customer.
pub(crate) async fn place_for(
    shop: &TestShop,
    discount: &Discount,
    customer: &CustomerRecord,
) -> Result<i64, DiscountRefusal> {
    place(&shop.parts.db, discount.id, customer.id).await
}
