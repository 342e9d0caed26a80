//! Looking for customers by how their name or e-mail address begins.

use stoa_kernel::console::MOST_FOUND;
use stoa_kernel::db::{Db, DbError};

use super::queries;

/// The ids of those whose name or e-mail address begins with a text, whatever its case. Of more than [`MOST_FOUND`], which nobody reads
/// them all, some: at least one more than that, so that a list that is counted up to it says that there are more.
pub async fn find_customers_beginning(db: &Db, text: &str) -> Result<Vec<i64>, DbError> {
    db.read(queries::FIND_BEGINNING).bind_beginning(&text.to_lowercase()).bind(MOST_FOUND + 1).scalars().await
}
