-- Who is responsible for a product, and what there is to be warned of, as a JSON object.
ALTER TABLE products ADD COLUMN safety JSONB;

-- What an amount of it costs that can be compared, such as 1 kg, as a JSON object with the price at which that was said.
ALTER TABLE products ADD COLUMN unit_price JSONB;

-- What products have cost: each row holds from its time on until the next of the product.
CREATE TABLE product_prices (
    product_id BIGINT NOT NULL REFERENCES products (id) ON DELETE CASCADE,
    since TIMESTAMPTZ NOT NULL,
    price_amount BIGINT NOT NULL CHECK (price_amount >= 0),
    -- the price before a reduction, as it was told
    compare_at_amount BIGINT CHECK (compare_at_amount >= 0),
    PRIMARY KEY (product_id, since)
);

-- Of what was before nothing is known but that it holds since the last change.
INSERT INTO product_prices (product_id, since, price_amount, compare_at_amount)
SELECT id, updated_at, price_amount, compare_at_amount FROM products;
