//! Statements about what is sold.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

/// How many products customers see that have to be sent.
pub(super) const COUNT_SHIPPABLE: Sql =
    sql!("SELECT COUNT(*) FROM products WHERE visible = TRUE AND CAST(capabilities AS TEXT) LIKE '%\"shippable\"%'");
