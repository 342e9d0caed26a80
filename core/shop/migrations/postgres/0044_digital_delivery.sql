-- What becomes of the right to withdraw from an item: waived, later, due, dated, renewal; none for the usual right, or where there is
-- no such law.
ALTER TABLE order_items ADD COLUMN withdrawal_rule TEXT COLLATE "C";

-- Units of digital goods that were delivered, as the modules say that deliver them; only those of items with a rule.
CREATE TABLE unit_deliveries (
    order_line_id BIGINT NOT NULL REFERENCES order_items (id),
    unit BIGINT NOT NULL CHECK (unit > 0),
    delivered_at TIMESTAMPTZ NOT NULL,
    PRIMARY KEY (order_line_id, unit)
);
