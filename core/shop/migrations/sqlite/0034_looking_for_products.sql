-- What the operator looks for products by, the newest first.
CREATE INDEX products_named ON products (name_folded, id);
CREATE INDEX products_inactive ON products (id) WHERE NOT active;
CREATE INDEX products_in_category ON products (category_id, id);
DROP INDEX products_category;
