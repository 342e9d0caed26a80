-- What documents say of tax, one row for each rate: the books that reports are added up from. Invoices add; credit notes, and
-- the cancellation of an invoice that nobody has to pay any more, take off. Nothing here is ever changed.
CREATE TABLE tax_entries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    order_id INTEGER NOT NULL REFERENCES orders (id),
    -- of a credit note
    refund_id INTEGER REFERENCES refunds (id),
    kind TEXT NOT NULL CHECK (kind IN ('invoice', 'credit_note', 'cancellation')),
    booked_at TEXT NOT NULL,
    -- when the invoice was issued, which a correction belongs to
    invoiced_at TEXT NOT NULL,
    -- which decides about the tax: where the goods or the bill go
    country TEXT NOT NULL,
    -- basis points
    tax_rate INTEGER NOT NULL,
    reverse_charge BOOLEAN NOT NULL,
    currency TEXT NOT NULL,
    base_amount INTEGER NOT NULL,
    tax_amount INTEGER NOT NULL,
    CHECK ((kind = 'credit_note') = (refund_id IS NOT NULL))
);

CREATE INDEX tax_entries_booked ON tax_entries (booked_at);
CREATE UNIQUE INDEX tax_entries_order ON tax_entries (order_id, kind, tax_rate) WHERE refund_id IS NULL;
CREATE UNIQUE INDEX tax_entries_refund ON tax_entries (refund_id, tax_rate) WHERE refund_id IS NOT NULL;

INSERT INTO tax_entries (order_id, kind, booked_at, invoiced_at, country, tax_rate, reverse_charge, currency, base_amount,
                         tax_amount)
SELECT i.order_id, 'invoice', i.issued_at, i.issued_at, COALESCE(o.shipping_address ->> 'country', o.billing_address ->> 'country'),
       CAST(t.value ->> 'rate' AS INTEGER), FALSE, i.currency, CAST(t.value ->> 'net_amount' AS INTEGER),
       CAST(t.value ->> 'tax_amount' AS INTEGER)
FROM invoices i JOIN orders o ON o.id = i.order_id JOIN json_each(i.document, '$.tax_lines') t;

-- Documents without tax have no rates.
INSERT INTO tax_entries (order_id, kind, booked_at, invoiced_at, country, tax_rate, reverse_charge, currency, base_amount,
                         tax_amount)
SELECT i.order_id, 'invoice', i.issued_at, i.issued_at, COALESCE(o.shipping_address ->> 'country', o.billing_address ->> 'country'),
       0, FALSE, i.currency, i.total_amount - i.tax_amount, i.tax_amount
FROM invoices i JOIN orders o ON o.id = i.order_id
WHERE COALESCE(json_array_length(i.document, '$.tax_lines'), 0) = 0;

INSERT INTO tax_entries (order_id, kind, booked_at, invoiced_at, country, tax_rate, reverse_charge, currency, base_amount,
                         tax_amount)
SELECT e.order_id, 'cancellation', o.cancelled_at, e.invoiced_at, e.country, e.tax_rate, e.reverse_charge, e.currency,
       -e.base_amount, -e.tax_amount
FROM tax_entries e JOIN invoices i ON i.order_id = e.order_id JOIN orders o ON o.id = e.order_id
WHERE i.status = 'void' AND e.kind = 'invoice';

INSERT INTO tax_entries (order_id, refund_id, kind, booked_at, invoiced_at, country, tax_rate, reverse_charge, currency,
                         base_amount, tax_amount)
SELECT n.order_id, n.refund_id, 'credit_note', n.issued_at, i.issued_at,
       COALESCE(o.shipping_address ->> 'country', o.billing_address ->> 'country'),
       CAST(t.value ->> 'rate' AS INTEGER), FALSE, n.currency, -CAST(t.value ->> 'net_amount' AS INTEGER),
       -CAST(t.value ->> 'tax_amount' AS INTEGER)
FROM credit_notes n JOIN invoices i ON i.id = n.invoice_id JOIN orders o ON o.id = n.order_id JOIN json_each(n.document, '$.tax_lines') t;

INSERT INTO tax_entries (order_id, refund_id, kind, booked_at, invoiced_at, country, tax_rate, reverse_charge, currency,
                         base_amount, tax_amount)
SELECT n.order_id, n.refund_id, 'credit_note', n.issued_at, i.issued_at,
       COALESCE(o.shipping_address ->> 'country', o.billing_address ->> 'country'),
       0, FALSE, n.currency, n.tax_amount - n.total_amount, -n.tax_amount
FROM credit_notes n JOIN invoices i ON i.id = n.invoice_id JOIN orders o ON o.id = n.order_id
WHERE COALESCE(json_array_length(n.document, '$.tax_lines'), 0) = 0;
