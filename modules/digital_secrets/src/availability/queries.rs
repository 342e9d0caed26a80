//! Statements about what can be sold.

use stoa_core::prelude::*;

/// What is left of pools, counted no further than to `$1` and the highest limit of any pool: whether there is enough is asked
/// with every look at a cart, and a pool may hold a million values.
macro_rules! levels {
    ($chosen:literal) => {
        sql!(concat!(
            "SELECT p.name, p.low_water,
                    (SELECT COUNT(*) FROM (SELECT v.id FROM digital_secrets_values v
                                           WHERE v.pool_id = p.id AND v.state = 'available'
                                           LIMIT $1 + (SELECT COALESCE(MAX(low_water), 0) FROM digital_secrets_pools)) AS counted
                    ) AS available
             FROM digital_secrets_pools p ",
            $chosen
        ))
    };
}

/// Of some pools.
pub(super) const LEVELS: Sql = levels!("WHERE p.name IN (SELECT value ->> 'name' FROM json_each($2))");

/// Of the pools of an order.
pub(super) const LEVELS_OF_ORDER: Sql =
    levels!("WHERE p.id IN (SELECT u.pool_id FROM digital_secrets_units u WHERE u.order_id = $2)");

/// Of all pools.
pub(super) const ALL_LEVELS: Sql = levels!("");

/// All products that are delivered as secrets. Capabilities are stored as a list of texts.
pub(super) const PRODUCTS: Sql = sql!(
    "SELECT p.id, p.slug, s.settings FROM shop_products p
     LEFT JOIN shop_product_settings s ON s.product_id = p.id AND s.module = 'digital_secrets'
     WHERE CAST(p.capabilities AS TEXT) LIKE '%\"digital_secret\"%'"
);

/// The products that the module has said something of.
pub(super) const TOLD: Sql =
    sql!("SELECT product_id, shortage FROM shop_product_availability WHERE module = 'digital_secrets'");
