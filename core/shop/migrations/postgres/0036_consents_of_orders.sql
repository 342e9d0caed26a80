-- What the customer has agreed to: id, version, the text as it was shown, and when.
ALTER TABLE orders ADD COLUMN consents JSONB NOT NULL DEFAULT '[]';
