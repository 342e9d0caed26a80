//! Statements that find what is wrong with discounts: what it is about, and what is wrong.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

pub(super) const DISCOUNT_USES: Sql = sql!(
    "SELECT 'discount ' || d.code, 'it counts ' || CAST(d.uses AS TEXT) || ' uses, and orders redeem it otherwise'
     FROM discounts d
     LEFT JOIN (SELECT discount_id, COUNT(*) AS uses FROM discount_redemptions
                WHERE released_at IS NULL GROUP BY discount_id) r ON r.discount_id = d.id
     WHERE d.uses <> COALESCE(r.uses, 0) OR d.uses > COALESCE(d.max_uses, d.uses)
     ORDER BY d.id LIMIT 100"
);

pub(super) const DISCOUNT_RELEASED: Sql = sql!(
    "SELECT 'order ' || CAST(o.id AS TEXT), 'its discount code is not redeemed or given back as it should be'
     FROM orders o LEFT JOIN discount_redemptions r ON r.order_id = o.id
     WHERE (o.discount_code IS NULL) <> (r.id IS NULL)
        OR (r.id IS NOT NULL AND r.amount <> o.discount_amount)
        OR (r.id IS NOT NULL AND (o.status = 'cancelled') <> (r.released_at IS NOT NULL))
     ORDER BY o.id LIMIT 100"
);
