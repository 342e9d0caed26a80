//! Statements about carts and their lines.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

/// A guest's cart, if there is something in it.
pub(super) const FIND_FILLED_GUEST: Sql = sql!(
    "SELECT id FROM carts
     WHERE handle = $1 AND customer_id IS NULL AND EXISTS (SELECT 1 FROM cart_lines WHERE cart_id = carts.id)"
);

/// The id of the cart that is meant: the guest's with the handle `$1`, or else the own one of the customer `$2`. With `OR`,
/// PostgreSQL would make a new plan every time.
macro_rules! chosen_cart {
    () => {
        "(SELECT id FROM (
              SELECT id, 0 AS place FROM carts WHERE handle = $1 AND customer_id IS NULL
              UNION ALL
              SELECT id, 1 FROM carts WHERE customer_id = $2
          ) AS found ORDER BY place LIMIT 1)"
    };
}

/// Finds, locks and counts in one statement; the filling is the one that is taken.
pub(super) const TAKE: Sql = sql!(concat!(
    "UPDATE carts SET filling = filling + 1, updated_at = $3 WHERE id = ",
    chosen_cart!(),
    " RETURNING id, customer_id, filling - 1 AS filling"
));

pub(super) const TOUCH_GUEST: Sql =
    sql!("UPDATE carts SET updated_at = $2 WHERE handle = $1 AND customer_id IS NULL RETURNING id");

pub(super) const TOUCH_OWN: Sql = sql!("UPDATE carts SET updated_at = $2 WHERE customer_id = $1 RETURNING id");

pub(super) const OPEN_GUEST: Sql = sql!(
    "INSERT INTO carts (handle, filling, created_at, updated_at) VALUES ($1, 1, $2, $2)
     ON CONFLICT (handle) DO UPDATE SET updated_at = excluded.updated_at
     RETURNING id"
);

pub(super) const OPEN_OWN: Sql = sql!(
    "INSERT INTO carts (handle, customer_id, filling, created_at, updated_at) VALUES ($1, $2, 1, $3, $3)
     ON CONFLICT (customer_id) DO UPDATE SET updated_at = excluded.updated_at
     RETURNING id"
);

/// Makes whoever anonymizes the customer wait, and waits for them.
pub(super) const LOCK_CUSTOMER: Sql = sql!("UPDATE customers SET updated_at = updated_at WHERE id = $1");

pub(super) const IS_CUSTOMER: Sql =
    sql!("SELECT c.id FROM customers c JOIN users u ON u.id = c.user_id WHERE c.id = $1 AND u.anonymized_at IS NULL");

/// A product as far as adding it to a cart depends on it.
pub(super) const FIND_PRODUCT: Sql = sql!("SELECT visible, capabilities, options FROM products WHERE id = $1");

/// Changes no row when the sum would be above `$8`.
pub(super) const ADD_LINE: Sql = sql!(
    "INSERT INTO cart_lines (cart_id, line_key, product_id, quantity, selections, position, created_at)
     VALUES ($1, $2, $3, $4, $5, (SELECT COALESCE(MAX(position), 0) + 1 FROM cart_lines WHERE cart_id = $6), $7)
     ON CONFLICT (cart_id, line_key) DO UPDATE SET quantity = cart_lines.quantity + excluded.quantity
     WHERE cart_lines.quantity + excluded.quantity <= $8"
);

pub(super) const FIND_QUANTITY: Sql = sql!("SELECT quantity FROM cart_lines WHERE cart_id = $1 AND line_key = $2");

pub(super) const SET_QUANTITY: Sql = sql!("UPDATE cart_lines SET quantity = $3 WHERE cart_id = $1 AND line_key = $2");

pub(super) const DELETE_LINE: Sql = sql!("DELETE FROM cart_lines WHERE cart_id = $1 AND line_key = $2");

/// Copies the lines of the cart `$1` behind those of the cart `$2`; quantities add up and stop at `$4`.
pub(super) const COPY_LINES: Sql = sql!(
    "INSERT INTO cart_lines (cart_id, line_key, product_id, quantity, selections, position, created_at)
     SELECT CAST($2 AS BIGINT), g.line_key, g.product_id, g.quantity, g.selections,
            g.position + (SELECT COALESCE(MAX(o.position), 0) FROM cart_lines o WHERE o.cart_id = $2), $3
     FROM cart_lines g WHERE g.cart_id = $1
     ON CONFLICT (cart_id, line_key) DO UPDATE SET
         quantity = CASE WHEN cart_lines.quantity + excluded.quantity > $4 THEN $4
                         ELSE cart_lines.quantity + excluded.quantity END"
);

/// Deletes the lines of the cart `$1` behind the first `$2`; there are never a thousand.
pub(super) const DELETE_EXCESS: Sql = sql!(
    "DELETE FROM cart_lines
     WHERE cart_id = $1 AND line_key IN (
         SELECT line_key FROM cart_lines WHERE cart_id = $1 ORDER BY position, line_key LIMIT 1000 OFFSET $2
     )"
);

pub(super) const DELETE_CART: Sql = sql!("DELETE FROM carts WHERE id = $1");

pub(super) const DELETE_OWN: Sql = sql!("DELETE FROM carts WHERE customer_id = $1");

pub(super) const DELETE_LINES: Sql = sql!("DELETE FROM cart_lines WHERE cart_id = $1");

/// The lines of a cart with what the catalog says about them, one row for each module that has settings of the product.
macro_rules! lines_of {
    ($cart:expr) => {
        sql!(concat!(
            "SELECT l.line_key, l.product_id, l.quantity, l.selections, p.slug, p.sku, p.name AS label, p.images,
                    p.price_amount, p.tax_class, p.capabilities, p.options, p.visible, s.module, s.settings
             FROM cart_lines l
             JOIN products p ON p.id = l.product_id
             LEFT JOIN product_settings s ON s.product_id = p.id
             WHERE l.cart_id = ",
            $cart,
            " ORDER BY l.position, l.line_key, s.module"
        ))
    };
}

pub(super) const LINES: Sql = lines_of!("$1");

/// Those of the cart that is meant.
pub(super) const LINES_OF_CHOSEN: Sql = lines_of!(chosen_cart!());

pub(super) const KEPT_LINES: Sql = sql!(
    "SELECT l.product_id, p.slug, p.name AS label, l.quantity, l.selections, l.created_at
     FROM carts c
     JOIN cart_lines l ON l.cart_id = c.id
     JOIN products p ON p.id = l.product_id
     WHERE c.customer_id = $1
     ORDER BY l.position, l.line_key"
);

/// The outer condition is looked at again for a cart that was being changed.
pub(super) const PRUNE: Sql = sql!(
    "DELETE FROM carts
     WHERE updated_at <= $1
       AND id IN (SELECT id FROM carts WHERE updated_at <= $1 ORDER BY updated_at, id LIMIT $2)"
);

/// Hands a guest's cart over to a customer who has none.
pub(super) const CLAIM: Sql = sql!(
    "UPDATE carts SET customer_id = $2
     WHERE customer_id = $1 AND NOT EXISTS (SELECT 1 FROM carts c WHERE c.customer_id = $2)"
);
