-- What is known of a product besides its texts and its price.
ALTER TABLE products ADD COLUMN brand TEXT;

-- global trade item number: 8, 12, 13 or 14 digits
ALTER TABLE products ADD COLUMN gtin TEXT;

ALTER TABLE products ADD COLUMN weight_grams INTEGER CHECK (weight_grams >= 0);

-- the price before a reduction, in minor units
ALTER TABLE products ADD COLUMN compare_at_amount INTEGER CHECK (compare_at_amount >= 0);
