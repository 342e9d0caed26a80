-- What an order consists of are order lines, in the database too.
ALTER TABLE order_items RENAME TO order_lines;
ALTER TABLE shipment_items RENAME TO shipment_lines;
ALTER TABLE shipment_lines RENAME COLUMN order_item_id TO order_line_id;
ALTER TABLE refund_items RENAME TO refund_lines;
ALTER TABLE refund_lines RENAME COLUMN order_item_id TO order_line_id;
ALTER TABLE unit_uses RENAME COLUMN order_item_id TO order_line_id;
ALTER TABLE refund_units RENAME COLUMN order_item_id TO order_line_id;

-- What a gateway knows an attempt, its money and a refund by.
ALTER TABLE payment_attempts RENAME COLUMN provider_id TO gateway_attempt_id;
ALTER TABLE payment_attempts RENAME COLUMN provider_payment_id TO gateway_payment_id;
ALTER TABLE refunds RENAME COLUMN provider_id TO gateway_refund_id;
