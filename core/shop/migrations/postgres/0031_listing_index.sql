-- What lists are answered from is the listing index, here too.
ALTER TABLE catalog_state RENAME COLUMN shelf_version TO listing_version;
DROP INDEX products_shelf;
CREATE INDEX products_listing ON products (name_folded, id, category_id) WHERE visible;
