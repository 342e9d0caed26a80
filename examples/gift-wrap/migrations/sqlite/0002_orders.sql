-- The order that a wish was packed with; none while it waits for one.
ALTER TABLE gift_wrap_wraps ADD COLUMN order_id INTEGER REFERENCES orders (id);

CREATE INDEX gift_wrap_wraps_order ON gift_wrap_wraps (order_id);
