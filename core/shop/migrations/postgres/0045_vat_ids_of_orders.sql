-- The VAT identification number that the customer ordered with, and what was found out about it: status, name, when, and what
-- proves that VIES was asked.
ALTER TABLE orders ADD COLUMN vat_id TEXT COLLATE "C";
ALTER TABLE orders ADD COLUMN vat_id_check JSONB;
-- Whether the customer owes the tax instead of the shop.
ALTER TABLE orders ADD COLUMN reverse_charge BOOLEAN NOT NULL DEFAULT FALSE;
