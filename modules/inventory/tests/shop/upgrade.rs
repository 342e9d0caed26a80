//! A shop whose stock is older than the program.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::{TestShop, both_databases};

use crate::kit::{LIMITS, builder, cancel, id, order, product, stock};

const STOCK: Sql = sql!(
    "INSERT INTO inventory_stock (sku, on_hand, reserved, backorder, tracked, created_at, updated_at)
     VALUES ('mug', 5, 3, FALSE, TRUE, $1, $1)"
);

const HOLD: Sql = sql!(
    "INSERT INTO inventory_holds (order_id, order_item_id, sku, per_unit, units, created_at, updated_at)
     SELECT order_id, id, 'mug', 1, 3, $2, $2 FROM order_lines WHERE order_id = $1"
);

const ALLOCATED: Sql = sql!("SELECT order_id, units FROM inventory_allocations");

both_databases!(what_an_order_had_before_allocations_were_called_so_is_still_allocated_to_it);
async fn what_an_order_had_before_allocations_were_called_so_is_still_allocated_to_it(backend: Backend) {
    let plain = TestShop::builder(backend).config(LIMITS).open().await;
    plain.stock(&[product("mug", &json!({}))]).await;
    let placed = order(&plain, "mug", 3).await;
    let (db, now) = (&plain.parts.db, plain.now());
    let migrations = builder(backend).freeze().unwrap_or_else(|found| panic!("{found}")).registry.migrations;
    let earlier = migrations.iter().map(|set| if set.name() == "inventory" { set.up_to(1) } else { set.clone() });
    db.migrate(&earlier.collect::<Vec<_>>()).await.expect("the tables of before are made");
    db.write(async |tx| -> Result<(), DbError> {
        tx.run(STOCK).bind(now).execute().await?;
        tx.run(HOLD).bind(id(&placed)).bind(now).execute().await.map(drop)
    })
    .await
    .expect("the order holds three");
    db.migrate(&migrations).await.expect("the database is upgraded");

    let shop = builder(backend).on(plain.database()).clock(&plain.clock).seed(2).open().await;
    let allocated = shop.parts.db.read(ALLOCATED).all::<(i64, i64)>().await.expect("they are read");
    assert_eq!(allocated, [(id(&placed), 3)]);
    cancel(&shop, &placed).await.expect("it is cancelled");
    assert_eq!(stock(&shop, "mug").await, (5, 0, 5));
}
