//! Every statement of the module, once for both databases.

use stoa_core::prelude::*;

pub(crate) const FIND_PRODUCT: Sql = sql!("SELECT id FROM shop_products WHERE slug = $1 AND visible = TRUE");

pub(crate) const COUNT_PUBLISHED: Sql =
    sql!("SELECT COUNT(*) FROM reviews_reviews WHERE product_id = $1 AND status = 'published'");

pub(crate) const LIST_PUBLISHED: Sql = sql!(
    "SELECT id, stars, text, name, created_at FROM reviews_reviews
     WHERE product_id = $1 AND status = 'published' ORDER BY id DESC LIMIT $2 OFFSET $3"
);

/// How many stars products have together, and of how many reviews.
pub(crate) const ADD_UP: Sql = sql!(
    "SELECT r.product_id, CAST(SUM(r.stars) AS BIGINT), COUNT(*) FROM json_each($1) wanted
     JOIN reviews_reviews r ON r.product_id = CAST(wanted.value ->> 'id' AS BIGINT) AND r.status = 'published'
     GROUP BY r.product_id"
);

pub(crate) const COUNT_OWN: Sql = sql!("SELECT COUNT(*) FROM reviews_reviews WHERE customer_id = $1");

/// Reviews as their authors see them.
macro_rules! own {
    ($which:literal) => {
        sql!(concat!(
            "SELECT r.id, p.slug AS product_slug, p.name AS product_name, r.stars, r.text, r.name, r.status, r.created_at,
                    r.updated_at
             FROM reviews_reviews r JOIN shop_products p ON p.id = r.product_id
             WHERE r.customer_id = $1 ",
            $which
        ))
    };
}

pub(crate) const LIST_OWN: Sql = own!("ORDER BY r.id DESC LIMIT $2 OFFSET $3");

pub(crate) const FIND_OWN: Sql = own!("AND r.product_id = $2");

/// Orders of a product that a customer has paid.
pub(crate) const COUNT_BOUGHT: Sql = sql!(
    "SELECT COUNT(*) FROM shop_order_lines l JOIN shop_orders o ON o.id = l.order_id
     WHERE o.customer_id = $1 AND l.product_id = $2 AND o.status = 'paid'"
);

/// Writes a review, or changes it. What was refused is not published again by a change.
pub(crate) const WRITE: Sql = sql!(
    "INSERT INTO reviews_reviews (customer_id, product_id, stars, text, name, status, version, created_at, updated_at)
     VALUES ($1, $2, $3, $4, $5, $6, 1, $7, $7)
     ON CONFLICT (customer_id, product_id) DO UPDATE SET
         stars = excluded.stars, text = excluded.text, name = excluded.name, version = reviews_reviews.version + 1,
         status = CASE WHEN reviews_reviews.status = 'refused' THEN 'waiting' ELSE excluded.status END,
         updated_at = excluded.updated_at"
);

pub(crate) const DELETE_OWN: Sql = sql!("DELETE FROM reviews_reviews WHERE customer_id = $1 AND product_id = $2");

pub(crate) const DELETE_OF_CUSTOMER: Sql = sql!("DELETE FROM reviews_reviews WHERE customer_id = $1");

/// Hands over what a guest has written, but of what the customer has reviewed too: that is erased with the guest.
pub(crate) const CLAIM: Sql = sql!(
    "UPDATE reviews_reviews SET customer_id = $2
     WHERE customer_id = $1 AND product_id NOT IN (SELECT product_id FROM reviews_reviews WHERE customer_id = $2)"
);

pub(crate) const COUNT_LISTED: Sql = sql!(
    "SELECT COUNT(*) FROM (SELECT 1 FROM reviews_reviews
                           WHERE CAST($1 AS TEXT) IS NULL OR status = $1 LIMIT $2) AS counted"
);

/// For the operator, the newest first.
pub(crate) const LIST: Sql = sql!(
    "SELECT r.id, r.version, p.slug AS product_slug, p.name AS product_name, r.customer_id, r.stars, r.text, r.name, r.status, r.updated_at
     FROM reviews_reviews r JOIN shop_products p ON p.id = r.product_id
     WHERE (CAST($1 AS TEXT) IS NULL OR r.status = $1) AND (CAST($3 AS BIGINT) IS NULL OR r.id < $3)
     ORDER BY r.id DESC LIMIT $2"
);

pub(crate) const FIND_STATUS: Sql = sql!("SELECT status FROM reviews_reviews WHERE id = $1 AND version = $2");

/// Changes nothing about what its author has changed meanwhile.
pub(crate) const JUDGE: Sql = sql!("UPDATE reviews_reviews SET status = $3 WHERE id = $1 AND version = $2");
