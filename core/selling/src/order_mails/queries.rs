//! Statements about who reads mails about orders.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

use crate::orders::units_to_send;

/// Who reads what is written about an order: the address is that of now. None of an anonymized customer. Whoever is anonymized at
/// this moment waits until the mail is written, and then deletes it too.
pub(crate) const READER_OF_ORDER: Sql = sql!(
    sqlite: "SELECT u.email, o.customer_id, o.language, o.billing_address, o.status, o.currency, o.total_amount, o.payment_method,
                    o.created_at
             FROM orders o
             JOIN customers c ON c.id = o.customer_id
             JOIN users u ON u.id = c.user_id
             WHERE o.id = $1 AND u.anonymized_at IS NULL",
    postgres: "SELECT u.email, o.customer_id, o.language, o.billing_address, o.status, o.currency, o.total_amount, o.payment_method,
                    o.created_at
               FROM orders o
               JOIN customers c ON c.id = o.customer_id
               JOIN users u ON u.id = c.user_id
               WHERE o.id = $1 AND u.anonymized_at IS NULL
               FOR SHARE OF u",
);

/// What is still to be sent of an order.
pub(super) const UNITS_TO_SHIP: Sql = sql!(concat!(
    "SELECT id, ",
    units_to_send!(),
    " - shipped_quantity FROM order_lines
     WHERE order_id = $1 AND shippable = TRUE AND ",
    units_to_send!(),
    " > shipped_quantity
     ORDER BY position"
));
