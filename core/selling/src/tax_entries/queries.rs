//! Statements about what documents say of tax.

use stoa_kernel::db::Sql;
use stoa_kernel::sql;

pub(super) const BOOK_INVOICE: Sql = sql!(
    "INSERT INTO tax_entries (order_id, kind, booked_at, invoiced_at, country, tax_rate, reverse_charge, currency, base_amount,
                              tax_amount)
     SELECT $1, 'invoice', $2, $2, $3, CAST(value ->> 'tax_rate' AS BIGINT), $4, $5,
            CAST(value ->> 'base_amount' AS BIGINT), CAST(value ->> 'tax_amount' AS BIGINT)
     FROM json_each($6)"
);

/// Whose invoice has no rows is credited in none.
pub(super) const BOOK_CREDIT_NOTE: Sql = sql!(
    "INSERT INTO tax_entries (order_id, refund_id, kind, booked_at, invoiced_at, country, tax_rate, reverse_charge, currency,
                              base_amount, tax_amount)
     SELECT e.order_id, $2, 'credit_note', $3, e.invoiced_at, e.country, CAST(value ->> 'tax_rate' AS BIGINT),
            e.reverse_charge, e.currency, -CAST(value ->> 'base_amount' AS BIGINT), -CAST(value ->> 'tax_amount' AS BIGINT)
     FROM json_each($4)
     CROSS JOIN (SELECT order_id, invoiced_at, country, reverse_charge, currency FROM tax_entries
                 WHERE order_id = $1 AND kind = 'invoice' ORDER BY id LIMIT 1) e"
);

pub(super) const BOOK_CANCELLATION: Sql = sql!(
    "INSERT INTO tax_entries (order_id, kind, booked_at, invoiced_at, country, tax_rate, reverse_charge, currency, base_amount,
                              tax_amount)
     SELECT order_id, 'cancellation', $2, invoiced_at, country, tax_rate, reverse_charge, currency, -base_amount, -tax_amount
     FROM tax_entries WHERE order_id = $1 AND kind = 'invoice'"
);
