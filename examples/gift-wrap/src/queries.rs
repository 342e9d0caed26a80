//! Every statement of the module, once for both databases.

use stoa_core::prelude::*;

pub(crate) const COUNT: Sql = sql!("SELECT COUNT(*) FROM gift_wrap_wraps WHERE customer_id = $1");

pub(crate) const LIST: Sql = sql!(
    "SELECT id, product_id, paper, message, surcharge_amount, currency, order_id, card_printed_at, created_at
     FROM gift_wrap_wraps WHERE customer_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3"
);

/// All of a customer's wishes, for an export.
pub(crate) const LIST_ALL: Sql = sql!(
    "SELECT id, product_id, paper, message, surcharge_amount, currency, order_id, card_printed_at, created_at
     FROM gift_wrap_wraps WHERE customer_id = $1 ORDER BY id"
);

pub(crate) const FIND: Sql = sql!(
    "SELECT id, product_id, paper, message, surcharge_amount, currency, order_id, card_printed_at, created_at
     FROM gift_wrap_wraps WHERE id = $1 AND customer_id = $2"
);

/// What a product offers; nothing for one that is hidden or cannot be wrapped.
pub(crate) const FIND_OFFER: Sql = sql!(
    "SELECT s.settings FROM shop_products p
     JOIN shop_product_settings s ON s.product_id = p.id AND s.module = 'gift_wrap'
     WHERE p.id = $1 AND p.visible = TRUE"
);

/// What a customer wishes for the next order.
pub(crate) const LIST_WAITING: Sql = sql!(
    "SELECT id, product_id, paper, surcharge_amount FROM gift_wrap_wraps
     WHERE customer_id = $1 AND order_id IS NULL ORDER BY id"
);

pub(crate) const INSERT: Sql = sql!(
    "INSERT INTO gift_wrap_wraps (customer_id, product_id, paper, message, surcharge_amount, currency, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     RETURNING id, product_id, paper, message, surcharge_amount, currency, order_id, card_printed_at, created_at"
);

/// Whether the card for an earlier wish of this customer for this product is printed.
pub(crate) const COUNT_PRINTED: Sql = sql!(
    "SELECT COUNT(*) FROM gift_wrap_wraps
     WHERE customer_id = $1 AND product_id = $2 AND order_id IS NULL AND card_printed_at IS NOT NULL"
);

pub(crate) const DELETE_EARLIER: Sql =
    sql!("DELETE FROM gift_wrap_wraps WHERE customer_id = $1 AND product_id = $2 AND order_id IS NULL");

/// Packs a wish with an order, unless it is gone or packed with another.
pub(crate) const TAKE: Sql =
    sql!("UPDATE gift_wrap_wraps SET order_id = $2 WHERE id = $1 AND customer_id = $3 AND order_id IS NULL");

/// Changes nothing the second time.
pub(crate) const GIVE_BACK: Sql = sql!("UPDATE gift_wrap_wraps SET order_id = NULL WHERE order_id = $1");

/// Changes nothing the second time, so that the listener may be called twice.
pub(crate) const MARK_PRINTED: Sql = sql!(
    "UPDATE gift_wrap_wraps SET card_printed_at = $2
     WHERE id = $1 AND message IS NOT NULL AND card_printed_at IS NULL
     RETURNING customer_id, message"
);

pub(crate) const DELETE_OLD: Sql = sql!("DELETE FROM gift_wrap_wraps WHERE created_at < $1");

pub(crate) const DELETE_OF_CUSTOMER: Sql = sql!("DELETE FROM gift_wrap_wraps WHERE customer_id = $1");

/// For the operator: everybody's, or those whose card is to be printed.
pub(crate) const LIST_FOR_OPERATOR: Sql = sql!(
    "SELECT id, customer_id, product_id, paper, message, order_id, card_printed_at, created_at FROM gift_wrap_wraps
     WHERE ($1 = FALSE OR (message IS NOT NULL AND card_printed_at IS NULL)) AND (CAST($3 AS BIGINT) IS NULL OR id < $3)
     ORDER BY id DESC LIMIT $2"
);

pub(crate) const COUNT_FOR_OPERATOR: Sql = sql!(
    "SELECT COUNT(*) FROM (SELECT 1 FROM gift_wrap_wraps
                           WHERE $1 = FALSE OR (message IS NOT NULL AND card_printed_at IS NULL) LIMIT $2) AS counted"
);

pub(crate) const FORGET_PRINTING: Sql =
    sql!("UPDATE gift_wrap_wraps SET card_printed_at = NULL WHERE id = $1 AND message IS NOT NULL");

pub(crate) const FIND_WRONG_ORDERS: Sql = sql!(
    "SELECT 'gift wrap ' || CAST(w.id AS TEXT),
            CASE WHEN o.customer_id <> w.customer_id THEN 'order ' || CAST(o.id AS TEXT) || ' is somebody else''s'
                 ELSE 'order ' || CAST(o.id AS TEXT) || ' is cancelled' END
     FROM gift_wrap_wraps w JOIN shop_orders o ON o.id = w.order_id
     WHERE o.customer_id <> w.customer_id OR o.status = 'cancelled'
     ORDER BY w.id LIMIT 100"
);

pub(crate) const FIND_EMPTY_CARDS: Sql = sql!(
    "SELECT 'gift wrap ' || CAST(id AS TEXT), 'its card was printed without a message' FROM gift_wrap_wraps
     WHERE card_printed_at IS NOT NULL AND message IS NULL
     ORDER BY id LIMIT 100"
);

pub(crate) const COUNT_LATE_CARDS: Sql = sql!(
    "SELECT COUNT(*) FROM gift_wrap_wraps
     WHERE message IS NOT NULL AND card_printed_at IS NULL AND created_at < $1"
);

pub(crate) const COUNT_CARDS: Sql = sql!(
    "SELECT COUNT(*), COUNT(*) FILTER (WHERE message IS NOT NULL AND card_printed_at IS NULL) FROM gift_wrap_wraps"
);

/// Hands what a guest has over.
pub(crate) const CLAIM: Sql = sql!("UPDATE gift_wrap_wraps SET customer_id = $2 WHERE customer_id = $1");

/// How many wishes were ordered with an order.
pub(crate) const COUNT_OF_ORDER: Sql = sql!("SELECT COUNT(*) FROM gift_wrap_wraps WHERE order_id = $1");
