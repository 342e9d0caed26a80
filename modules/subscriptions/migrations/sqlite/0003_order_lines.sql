-- What an order consists of are order lines.
ALTER TABLE subscriptions_subscriptions RENAME COLUMN order_item_id TO order_line_id;
ALTER TABLE subscriptions_periods RENAME COLUMN order_item_id TO order_line_id;
DROP INDEX subscriptions_periods_item;
CREATE INDEX subscriptions_periods_line ON subscriptions_periods (order_line_id);
