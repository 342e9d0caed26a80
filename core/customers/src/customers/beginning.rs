//! Looking for customers by how their name or e-mail address begins.

use stoa_kernel::console::MOST_FOUND;
use stoa_kernel::db::{Db, DbError};

use super::queries;

/// The ids of those whose name or e-mail address begins with a text, whatever its case. Where there are more than [`MOST_FOUND`], which nobody
/// reads to the end, some of them: more than that, so that a list that is counted up to it says that there are others.
pub async fn find_customers_beginning(db: &Db, text: &str) -> Result<Vec<i64>, DbError> {
    db.read(queries::FIND_BEGINNING).bind_beginning(&text.to_lowercase()).bind(MOST_FOUND + 1).scalars().await
}
