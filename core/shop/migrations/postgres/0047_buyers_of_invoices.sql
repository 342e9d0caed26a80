-- The buyer's e-mail address when it was issued, which electronic invoices name; none on what was issued before.
ALTER TABLE invoices ADD COLUMN buyer_email TEXT COLLATE "C";
