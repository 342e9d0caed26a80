//! Statements that look for customers.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

macro_rules! searched {
    ($head:literal, $from:literal, $found:literal, $tail:literal) => {
        sql!(concat!(
            $head,
            $from,
            " JOIN users u ON u.id = c.user_id
             WHERE ",
            $found,
            "(CAST($1 AS TEXT) IS NULL
                    OR $1 = CASE WHEN u.anonymized_at IS NOT NULL THEN 'anonymized' WHEN u.guest THEN 'guest'
                                 WHEN u.email_verified_at IS NOT NULL THEN 'verified' ELSE 'unverified' END)
               AND c.id >= $2 AND c.id < $3
               AND (CAST($4 AS BIGINT) IS NULL
                    OR (SELECT COUNT(*) FROM orders k WHERE k.customer_id = c.id) BETWEEN $4 AND CAST($5 AS BIGINT))",
            $tail
        ))
    };
}

/// What is shown of each customer that was looked for, and how many there are. $2 and $3 are the ids between which they came, $4 and
/// $5 how many orders they have.
macro_rules! search {
    ($list:ident, $count:ident, $from:literal, $found:literal) => {
        pub(super) const $list: Sql = searched!(
            "SELECT c.id, c.name, CASE WHEN u.anonymized_at IS NULL THEN u.email END AS email, u.guest,
                    u.email_verified_at, u.anonymized_at, c.created_at,
                    (SELECT COUNT(*) FROM orders o WHERE o.customer_id = c.id) AS orders ",
            $from,
            $found,
            " ORDER BY c.id DESC LIMIT $6"
        );

        pub(super) const $count: Sql =
            searched!("SELECT COUNT(*) FROM (SELECT 1 ", $from, $found, " LIMIT $6) AS counted");
    };
}

search!(SEARCH, COUNT_SEARCHED, "FROM customers c", "");

// The same of those who have this id ($7), or whose name or address begins between $8 and $9; of so many that nobody reads them all,
// some.
search!(
    SEARCH_FOUND,
    COUNT_FOUND,
    "FROM (SELECT CAST($7 AS BIGINT) AS id
           UNION SELECT id FROM (SELECT n.id FROM customers n WHERE LOWER(n.name) >= $8 AND LOWER(n.name) < $9
                                 LIMIT 2001) named
           UNION SELECT id FROM (SELECT a.id FROM users au JOIN customers a ON a.user_id = au.id
                                 WHERE au.email >= $8 AND au.email < $9 AND au.guest = FALSE AND au.anonymized_at IS NULL
                                 LIMIT 2001) addressed
           UNION SELECT id FROM (SELECT g.id FROM users gu JOIN customers g ON g.user_id = gu.id
                                 WHERE gu.email >= $8 AND gu.email < $9 AND gu.guest = TRUE AND gu.anonymized_at IS NULL
                                 LIMIT 2001) guests) f
     CROSS JOIN customers c",
    "c.id = f.id AND "
);

/// The first customer who came at a time or later.
pub(super) const FIRST_SINCE: Sql =
    sql!("SELECT id FROM customers WHERE created_at >= $1 ORDER BY created_at, id LIMIT 1");
