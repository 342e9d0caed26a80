-- What becomes of the right to withdraw from an item: waived, later, due, dated, renewal; none for the usual right, or where there is
-- no such law.
ALTER TABLE order_items ADD COLUMN withdrawal_rule TEXT;

-- Units of digital goods that were delivered, as the modules say that deliver them; only those of items with a rule.
CREATE TABLE unit_deliveries (
    order_line_id INTEGER NOT NULL REFERENCES order_items (id),
    unit INTEGER NOT NULL CHECK (unit > 0),
    delivered_at TEXT NOT NULL,
    PRIMARY KEY (order_line_id, unit)
);
