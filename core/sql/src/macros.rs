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

/// Makes the statements of a list that people look for something in, the last first.
#[macro_export]
macro_rules! search_sql {
    (
        select: $select:expr, from: $from:expr, join: $join:expr, where: $where:expr, order_by: $order:expr, limit: $limit:literal $(,)?
    ) => {
        $crate::SearchSql {
            page: $crate::sql!(concat!(
                "SELECT ",
                $select,
                " ",
                $from,
                $join,
                " WHERE ",
                $where,
                " ORDER BY ",
                $order,
                " DESC LIMIT ",
                $limit
            )),
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
