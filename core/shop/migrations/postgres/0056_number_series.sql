-- The instance in whose series a document is numbered; empty in that of the shop.
ALTER TABLE invoices ADD COLUMN series TEXT COLLATE "C" NOT NULL DEFAULT '';

ALTER TABLE invoices DROP CONSTRAINT invoices_year_sequence_key;

CREATE UNIQUE INDEX invoices_series ON invoices (series, year, sequence);

ALTER TABLE credit_notes ADD COLUMN series TEXT COLLATE "C" NOT NULL DEFAULT '';

ALTER TABLE credit_notes DROP CONSTRAINT credit_notes_year_sequence_key;

CREATE UNIQUE INDEX credit_notes_series ON credit_notes (series, year, sequence);
