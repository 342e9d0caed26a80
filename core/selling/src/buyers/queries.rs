//! Statements that look for customers.

use stoa_kernel::db::Sql;
use stoa_kernel::{PageSql, SearchSql, search_sql, sorted_sql, sql};

/// What kind of account a user has, as the index `users_state` has it.
macro_rules! state {
    ($user:literal) => {
        concat!(
            "CASE WHEN ",
            $user,
            ".anonymized_at IS NOT NULL THEN 'anonymized' WHEN ",
            $user,
            ".guest THEN 'guest' WHEN ",
            $user,
            ".email_verified_at IS NOT NULL THEN 'verified' ELSE 'unverified' END"
        )
    };
}

/// What is shown of each customer that was looked for. $2 and $3 are the ids between which they came, $4 is how often they have bought.
/// Where nothing asks for the account, counts leave the join out.
macro_rules! list {
    ($sql:ident, $from:expr, $found:literal, $($order:tt)+) => {
        $sql!(
            select: "c.id, c.name, CASE WHEN u.anonymized_at IS NULL THEN u.email END AS email, u.guest,
                     u.email_verified_at, u.anonymized_at, c.created_at,
                     (SELECT COUNT(*) FROM orders o WHERE o.customer_id = c.id) AS orders",
            from: concat!($from, " LEFT JOIN users u ON u.id = c.user_id"),
            join: "",
            where: concat!(
                $found,
                "(CAST($1 AS TEXT) IS NULL OR $1 = ",
                state!("u"),
                ") AND (CAST($2 AS BIGINT) IS NULL OR c.id >= $2) AND (CAST($3 AS BIGINT) IS NULL OR c.id < $3)
                   AND (CAST($4 AS TEXT) IS NULL OR c.bought = $4)"
            ),
            limit: "$5",
            order_by: $($order)+
        )
    };
}

pub(super) const SEARCH: SearchSql = list!(search_sql, "FROM customers c", "", "c.id");

/// The same of those in this state ($6), which an index leads to.
pub(super) const SEARCH_OF_STATE: SearchSql = list!(
    search_sql,
    concat!(
        "FROM (SELECT sc.id FROM users su JOIN customers sc ON sc.user_id = su.id WHERE ",
        state!("su"),
        " = $6) f CROSS JOIN customers c"
    ),
    "c.id = f.id AND ",
    "f.id"
);

/// How many users are in state $1, up to $2.
pub(super) const COUNT_STATE: Sql =
    sql!(concat!("SELECT COUNT(*) FROM (SELECT 1 FROM users u WHERE ", state!("u"), " = $1 LIMIT $2) AS counted"));

/// The same of the one who has this id ($6), and of these ($7).
pub(super) const SEARCH_FOUND: SearchSql = list!(
    search_sql,
    "FROM (SELECT CAST($6 AS BIGINT) AS id
           UNION SELECT CAST(value ->> 'id' AS BIGINT) FROM json_each($7) named ORDER BY id DESC) f
     CROSS JOIN customers c",
    "c.id = f.id AND ",
    "f.id"
);

/// Customers in the order of their names, behind one with the name $6 and the id $7, or beyond the name $8.
pub(super) const BY_NAME: PageSql = list!(
    sorted_sql,
    "FROM customers s CROSS JOIN customers c",
    "",
    "LOWER(s.name)",
    type: "TEXT",
    row: "c.id",
    behind: "$6", "$7", "$8"
);

/// The first customer who came at a time or later.
pub(super) const FIRST_SINCE: Sql =
    sql!("SELECT id FROM customers WHERE created_at >= $1 ORDER BY created_at, id LIMIT 1");
