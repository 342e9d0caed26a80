//! Every statement of the module, once for both databases.

use stoa_core::prelude::*;

pub(crate) const COUNT: Sql = sql!("SELECT COUNT(*) FROM gift_wrap_wraps WHERE customer_id = $1");

pub(crate) const LIST: Sql = sql!(
    "SELECT id, product_id, paper, message, surcharge_amount, currency, card_printed_at, created_at
     FROM gift_wrap_wraps WHERE customer_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3"
);

/// All of a customer's wishes, for an export.
pub(crate) const LIST_ALL: Sql = sql!(
    "SELECT id, product_id, paper, message, surcharge_amount, currency, card_printed_at, created_at
     FROM gift_wrap_wraps WHERE customer_id = $1 ORDER BY id"
);

pub(crate) const FIND: Sql = sql!(
    "SELECT id, product_id, paper, message, surcharge_amount, currency, card_printed_at, created_at
     FROM gift_wrap_wraps WHERE id = $1 AND customer_id = $2"
);

/// What a product offers; nothing for one that is hidden or cannot be wrapped.
pub(crate) const FIND_OFFER: Sql = sql!(
    "SELECT s.settings FROM products p
     JOIN product_settings s ON s.product_id = p.id AND s.module = 'gift_wrap'
     WHERE p.id = $1 AND p.visible = TRUE"
);

/// Which papers a customer wishes for which products.
pub(crate) const LIST_PAPERS: Sql =
    sql!("SELECT product_id, paper FROM gift_wrap_wraps WHERE customer_id = $1 ORDER BY id");

pub(crate) const INSERT: Sql = sql!(
    "INSERT INTO gift_wrap_wraps (customer_id, product_id, paper, message, surcharge_amount, currency, created_at)
     VALUES ($1, $2, $3, $4, $5, $6, $7)
     RETURNING id, product_id, paper, message, surcharge_amount, currency, card_printed_at, created_at"
);

/// Whether the card for an earlier wish of this customer for this product is printed.
pub(crate) const COUNT_PRINTED: Sql = sql!(
    "SELECT COUNT(*) FROM gift_wrap_wraps
     WHERE customer_id = $1 AND product_id = $2 AND card_printed_at IS NOT NULL"
);

pub(crate) const DELETE_EARLIER: Sql = sql!("DELETE FROM gift_wrap_wraps WHERE customer_id = $1 AND product_id = $2");

/// Changes nothing the second time, so that the listener may be called twice.
pub(crate) const MARK_PRINTED: Sql = sql!(
    "UPDATE gift_wrap_wraps SET card_printed_at = $2
     WHERE id = $1 AND message IS NOT NULL AND card_printed_at IS NULL"
);

pub(crate) const DELETE_OLD: Sql = sql!("DELETE FROM gift_wrap_wraps WHERE created_at < $1");

pub(crate) const DELETE_OF_CUSTOMER: Sql = sql!("DELETE FROM gift_wrap_wraps WHERE customer_id = $1");
