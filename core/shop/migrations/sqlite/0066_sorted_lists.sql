-- What the console's lists are sorted by: orders by their total, customers by name, products by price, and tickets by their last message.
-- Rows with the same value are in the order of their ids.

CREATE INDEX orders_total ON orders (total_amount, id);
DROP INDEX customers_name;
CREATE INDEX customers_name ON customers (LOWER(name), id);
CREATE INDEX products_price ON products (price_amount, id);
CREATE INDEX support_tickets_last ON support_tickets (COALESCE(last_reply_at, created_at), id);
