//! Statements of the doctor.

use stoa_core::db::Sql;
use stoa_core::sql;

/// Active products that nobody sees, by the category that hides them.
pub(super) const HIDDEN_PRODUCTS: Sql = sql!(
    "SELECT c.slug, COUNT(*) AS count FROM products p JOIN categories c ON c.id = p.category_id
     WHERE p.active = TRUE AND c.visible = FALSE GROUP BY c.slug ORDER BY c.slug"
);

/// The combinations of capabilities that visible products have.
pub(super) const CAPABILITIES: Sql =
    sql!("SELECT capabilities, COUNT(*) AS count FROM products WHERE visible = TRUE GROUP BY capabilities");

/// Pictures of active products, in slices by id.
pub(super) const PRODUCT_IMAGES: Sql =
    sql!("SELECT id, slug, images FROM products WHERE active = TRUE AND id > $1 ORDER BY id LIMIT $2");

pub(super) const CATEGORY_IMAGES: Sql =
    sql!("SELECT slug, image FROM categories WHERE active = TRUE AND image IS NOT NULL ORDER BY id");

pub(super) const COUNT_FAILED_DELIVERIES: Sql =
    sql!("SELECT COUNT(*) FROM tasks WHERE lane = 'events' AND state = 'failed'");

/// Deliveries that were due before `$1`, by listener.
pub(super) const OVERDUE_DELIVERIES: Sql = sql!(
    "SELECT kind AS listener, COUNT(*) AS count FROM tasks
     WHERE lane = 'events' AND state = 'pending' AND due_at < $1 AND created_at < $1 GROUP BY kind ORDER BY kind"
);

/// Mails that were given up.
pub(super) const COUNT_FAILED_MAILS: Sql = sql!("SELECT COUNT(*) FROM tasks WHERE lane = 'mail' AND state = 'failed'");

/// Why the latest of them was given up.
pub(super) const LATEST_MAIL_ERROR: Sql =
    sql!("SELECT last_error FROM tasks WHERE lane = 'mail' AND state = 'failed' ORDER BY id DESC LIMIT 1");

/// Mails that were due before `$1`.
pub(super) const COUNT_OVERDUE_MAILS: Sql =
    sql!("SELECT COUNT(*) FROM tasks WHERE lane = 'mail' AND state = 'pending' AND due_at < $1 AND created_at < $1");

/// Callbacks since a time whose payment is not known.
pub(super) const COUNT_UNMATCHED_CALLBACKS: Sql =
    sql!("SELECT COUNT(*) FROM payment_callbacks WHERE state = 'unmatched' AND received_at > $1");

/// Callbacks since a time that wait for the operator: their order is flagged still, or they have none.
pub(super) const COUNT_FLAGGED_CALLBACKS: Sql = sql!(
    "SELECT COUNT(*) FROM payment_callbacks c LEFT JOIN orders o ON o.id = c.order_id
     WHERE c.state = 'flagged' AND c.received_at > $1 AND (o.id IS NULL OR o.review_reason IS NOT NULL)"
);

/// Attempts from before a time that are open because their provider gave no answer when it was last asked.
pub(super) const COUNT_UNANSWERED_ATTEMPTS: Sql = sql!(
    "SELECT COUNT(*) FROM payment_attempts
     WHERE status IN ('pending', 'processing') AND last_error IS NOT NULL AND created_at < $1"
);

/// When the latest row was written that carries the real time.
pub(super) const NEWEST_ROW: Sql = sql!(
    "SELECT MAX(newest) FROM (
         SELECT MAX(updated_at) AS newest FROM products
         UNION ALL SELECT MAX(updated_at) FROM users
         UNION ALL SELECT MAX(created_at) FROM access_tokens
     ) AS latest"
);
