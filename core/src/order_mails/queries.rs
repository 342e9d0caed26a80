//! Statements for mails about orders.

use crate::db::Sql;
use crate::sql;

/// The customer's address now; none of an anonymized customer. Whoever is anonymized at this moment waits until the mail is
/// written, and then deletes it too.
pub(super) const RECIPIENT: Sql = sql!(
    sqlite: "SELECT u.email FROM orders o
             JOIN customers c ON c.id = o.customer_id
             JOIN users u ON u.id = c.user_id
             WHERE o.id = $1 AND u.anonymized_at IS NULL",
    postgres: "SELECT u.email FROM orders o
               JOIN customers c ON c.id = o.customer_id
               JOIN users u ON u.id = c.user_id
               WHERE o.id = $1 AND u.anonymized_at IS NULL
               FOR SHARE OF u",
);
