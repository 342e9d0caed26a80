//! Statements about discounts.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

macro_rules! columns {
    () => {
        "id, code, percent, amount, minimum_amount, max_uses, max_uses_per_customer, uses, valid_from, valid_until,
         active, created_at, customer_id"
    };
}

macro_rules! discounts {
    ($rest:literal) => {
        sql!(concat!("SELECT ", columns!(), " FROM discounts ", $rest))
    };
}

pub(super) const FIND: Sql = discounts!("WHERE code_folded = $1");

/// Makes whoever uses or removes the same discount wait, so that each sees what the one before has left. SQLite has one
/// writer at a time anyway. The weaker of PostgreSQL's locks suffices: it lets rows that refer to the discount in.
pub(super) const LOCK: Sql = sql!(
    sqlite: concat!("SELECT ", columns!(), " FROM discounts WHERE id = $1"),
    postgres: concat!("SELECT ", columns!(), " FROM discounts WHERE id = $1 FOR NO KEY UPDATE"),
);

pub(super) const LIST: Sql = discounts!("ORDER BY code_folded, id");

/// No row when another discount has the code; an error would end the caller's transaction.
pub(super) const INSERT: Sql = sql!(concat!(
    "INSERT INTO discounts (code, code_folded, percent, amount, minimum_amount, max_uses, max_uses_per_customer, uses,
                            valid_from, valid_until, active, created_at, updated_at, customer_id)
     VALUES ($1, $2, $3, $4, $5, $6, $7, 0, $8, $9, TRUE, $10, $10, $11)
     ON CONFLICT (code_folded) DO NOTHING
     RETURNING ",
    columns!()
));

pub(super) const SET_ACTIVE: Sql = sql!(concat!(
    "UPDATE discounts SET active = $2, updated_at = $3 WHERE id = $1
     RETURNING ",
    columns!()
));

pub(super) const CHANGE: Sql = sql!(concat!(
    "UPDATE discounts
     SET percent = $2, amount = $3, minimum_amount = $4, max_uses = $5, max_uses_per_customer = $6, valid_from = $7,
         valid_until = $8, updated_at = $9
     WHERE id = $1
     RETURNING ",
    columns!()
));

pub(super) const DELETE: Sql = sql!("DELETE FROM discounts WHERE id = $1");

/// No row when the last use was taken meanwhile.
pub(super) const RAISE_USES: Sql =
    sql!("UPDATE discounts SET uses = uses + 1 WHERE id = $1 AND active AND (max_uses IS NULL OR uses < max_uses)");

pub(super) const LOWER_USES: Sql = sql!("UPDATE discounts SET uses = uses - 1 WHERE id = $1");

pub(super) const INSERT_REDEMPTION: Sql = sql!(
    "INSERT INTO discount_redemptions (discount_id, order_id, customer_id, amount, created_at)
     VALUES ($1, $2, $3, $4, $5)"
);

/// No row when there is nothing to release, or it was released before.
pub(super) const RELEASE: Sql = sql!(
    "UPDATE discount_redemptions SET released_at = $2 WHERE order_id = $1 AND released_at IS NULL
     RETURNING discount_id"
);

pub(super) const COUNT_USES: Sql = sql!(
    "SELECT COUNT(*) FROM discount_redemptions
     WHERE discount_id = $1 AND customer_id = $2 AND released_at IS NULL"
);

/// Released ones too.
pub(super) const COUNT_REDEMPTIONS: Sql = sql!("SELECT COUNT(*) FROM discount_redemptions WHERE discount_id = $1");

/// Counts what a guest has redeemed as redeemed by the customer.
pub(super) const CLAIM: Sql = sql!("UPDATE discount_redemptions SET customer_id = $2 WHERE customer_id = $1");

pub(super) const SEARCH: Sql = discounts!(
    "WHERE code_folded >= $1 AND code_folded < $2
       AND (CAST($3 AS BOOLEAN) IS NULL OR active = CAST($3 AS BOOLEAN)) AND id < $4
     ORDER BY id DESC LIMIT $5"
);

pub(super) const COUNT_SEARCHED: Sql = sql!(
    "SELECT COUNT(*) FROM (
         SELECT 1 FROM discounts
         WHERE code_folded >= $1 AND code_folded < $2
           AND (CAST($3 AS BOOLEAN) IS NULL OR active = CAST($3 AS BOOLEAN)) AND id < $4
         LIMIT $5) AS counted"
);

pub(super) const FIND_BY_ID: Sql = discounts!("WHERE id = $1");

pub(super) const REDEMPTIONS: Sql = sql!(
    "SELECT r.order_id, r.amount, o.currency, r.created_at, r.released_at
     FROM discount_redemptions r JOIN orders o ON o.id = r.order_id
     WHERE r.discount_id = $1
     ORDER BY r.order_id DESC LIMIT $2"
);
