-- What modules have added to an order: fees, which are items too, and discounts.
ALTER TABLE orders ADD COLUMN added_lines JSONB NOT NULL DEFAULT '[]';

-- The module that has added an item beside the products; none for a product. Such an item has the product 0.
ALTER TABLE order_items ADD COLUMN added_by TEXT COLLATE "C";
