//! The `sql!` macro.

/// Makes a [`Sql`](crate::db::Sql) value and registers it in the catalogue of all statements.
///
/// Write one text that both databases understand, with `$1` placeholders. The few statements that
/// cannot be shared give both texts.
///
/// ```
/// # extern crate stoa_kernel as stoa_core;
/// use stoa_core::prelude::*;
///
/// pub const FIND: Sql = sql!("SELECT id, name FROM categories WHERE slug = $1");
/// pub const NOW_SERVING: Sql = sql!(
///     sqlite: "SELECT 'sqlite'",
///     postgres: "SELECT 'postgres'",
/// );
/// ```
#[macro_export]
macro_rules! sql {
    (sqlite: $sqlite:expr, postgres: $postgres:expr $(,)?) => {{
        const STATEMENT: $crate::db::Sql = $crate::db::Sql::new($sqlite, $postgres, file!(), line!());
        #[$crate::__private::linkme::distributed_slice($crate::__private::CATALOGUE)]
        #[linkme(crate = $crate::__private::linkme)]
        static REGISTERED: $crate::db::Sql = STATEMENT;
        STATEMENT
    }};
    ($text:expr $(,)?) => {
        $crate::sql!(sqlite: $text, postgres: $text)
    };
}
