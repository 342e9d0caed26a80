//! The `sql!` macro.

/// Makes a [`Sql`](crate::Sql) value and registers it in the catalogue of all statements.
///
/// Write one text that both databases understand, with `$1` placeholders. The few statements that
/// cannot be shared give both texts.
///
/// ```
/// # use stoa_sql::{Sql, sql};
/// pub const FIND: Sql = sql!("SELECT id, name FROM categories WHERE slug = $1");
/// pub const NOW_SERVING: Sql = sql!(
///     sqlite: "SELECT 'sqlite'",
///     postgres: "SELECT 'postgres'",
/// );
/// ```
#[macro_export]
macro_rules! sql {
    (sqlite: $sqlite:expr, postgres: $postgres:expr $(,)?) => {{
        const STATEMENT: $crate::Sql = $crate::Sql::new($sqlite, $postgres, file!(), line!());
        #[$crate::linkme::distributed_slice($crate::CATALOGUE)]
        #[linkme(crate = $crate::linkme)]
        static REGISTERED: $crate::Sql = STATEMENT;
        STATEMENT
    }};
    ($text:expr $(,)?) => {
        $crate::sql!(sqlite: $text, postgres: $text)
    };
}

/// Makes the statements of a list that people look for something in, in the order of their ids.
#[macro_export]
macro_rules! search_sql {
    (
        select: $select:expr, from: $from:expr, join: $join:expr, where: $where:expr, limit: $limit:literal, order_by: $id:literal $(,)?
    ) => {
        $crate::SearchSql {
            page: $crate::PageSql {
                ascending: $crate::page_sql!($select, $from, $join, $where, concat!($id, " ASC"), $limit),
                descending: $crate::page_sql!($select, $from, $join, $where, concat!($id, " DESC"), $limit),
            },
            count: $crate::sql!(concat!(
                "SELECT COUNT(*) FROM (SELECT 1 ",
                $from,
                " WHERE ",
                $where,
                " LIMIT ",
                $limit,
                ") AS counted"
            )),
        }
    };
}

/// Makes the statements of a list that is in the order of an index: one table, `s`, is read by the index on `value` and `s.id`, and the row
/// with the id `$row` is looked up for what is asked of it. `FROM orders s CROSS JOIN orders o` has SQLite begin with the index
/// whatever else narrows the list, as it takes such tables in the order in which they stand.
///
/// The three placeholders behind `behind` are a value and an id, for rows that have the same value and follow that one, and a value, for rows
/// beyond it. Each may be null: see `SortPart` of the kernel.
///
/// ```
/// let page = stoa_sql::sorted_sql!(
///     select: "o.id, o.total_amount", from: "FROM orders s CROSS JOIN orders o", join: "", where: "o.status = $1",
///     limit: "$2", order_by: "s.total_amount", type: "BIGINT", row: "o.id", behind: "$3", "$4", "$5"
/// );
/// assert!(page.descending.sqlite.ends_with("AND o.status = $1 ORDER BY s.total_amount DESC, s.id DESC LIMIT $2"));
/// ```
#[macro_export]
macro_rules! sorted_sql {
    (
        select: $select:expr, from: $from:expr, join: $join:expr, where: $where:expr, limit: $limit:literal,
        order_by: $value:literal, type: $type:literal, row: $row:literal, behind: $($behind:literal),+ $(,)?
    ) => {
        $crate::PageSql {
            ascending: $crate::page_sql!(
                $select,
                $from,
                $join,
                concat!($crate::rows_behind!($row, $value, $type, ">", $($behind),+), $where),
                concat!($value, ", s.id"),
                $limit
            ),
            descending: $crate::page_sql!(
                $select,
                $from,
                $join,
                concat!($crate::rows_behind!($row, $value, $type, "<", $($behind),+), $where),
                concat!($value, " DESC, s.id DESC"),
                $limit
            ),
        }
    };
}

/// A page of a list in one order.
#[doc(hidden)]
#[macro_export]
macro_rules! page_sql {
    ($select:expr, $from:expr, $join:expr, $where:expr, $order:expr, $limit:literal) => {
        $crate::sql!(concat!(
            "SELECT ",
            $select,
            " ",
            $from,
            $join,
            " WHERE ",
            $where,
            " ORDER BY ",
            $order,
            " LIMIT ",
            $limit
        ))
    };
}

/// The rows of `s` behind one, and the row with the same id. Written as `(SELECT s.id)`, the id leads neither database to another way, and
/// PostgreSQL to no parallel one, which would read far more than a page.
#[doc(hidden)]
#[macro_export]
macro_rules! rows_behind {
    ($row:literal, $value:literal, $type:literal, $than:literal, $same:literal, $after:literal, $beyond:literal) => {
        concat!(
            $row,
            " = (SELECT s.id) AND (CAST(",
            $same,
            " AS ",
            $type,
            ") IS NULL OR (",
            $value,
            " = ",
            $same,
            " AND s.id ",
            $than,
            " ",
            $after,
            ")) AND (CAST(",
            $beyond,
            " AS ",
            $type,
            ") IS NULL OR ",
            $value,
            " ",
            $than,
            " ",
            $beyond,
            ") AND "
        )
    };
}
