-- The order that a mail is about, so that the order's page lists it. What was sent keeps its HTML from now on, unless its text is
-- forgotten, so that it can be sent again.
ALTER TABLE mail_messages ADD COLUMN order_id BIGINT;

CREATE INDEX mail_messages_order ON mail_messages (order_id) WHERE order_id IS NOT NULL;
