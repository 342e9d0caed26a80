-- In which language a customer has asked, and is answered; none of what was asked before, and of what staff opened for somebody.

ALTER TABLE support_tickets ADD COLUMN language TEXT;
