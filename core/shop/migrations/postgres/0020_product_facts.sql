-- What is known of a product besides its texts and its price.
ALTER TABLE products ADD COLUMN brand TEXT COLLATE "C";

-- global trade item number: 8, 12, 13 or 14 digits
ALTER TABLE products ADD COLUMN gtin TEXT COLLATE "C";

ALTER TABLE products ADD COLUMN weight_grams BIGINT CHECK (weight_grams >= 0);

-- the price before a reduction, in minor units
ALTER TABLE products ADD COLUMN compare_at_amount BIGINT CHECK (compare_at_amount >= 0);
