-- The kind of mail is the name of its template. What was sent is kept for a while without what only sending needs; about whom it
-- is tells what is erased with a customer.
ALTER TABLE mail_messages ADD COLUMN kind TEXT;
-- encrypted like the text; none of what was written before, nor of what was sent
ALTER TABLE mail_messages ADD COLUMN html BLOB;
ALTER TABLE mail_messages ADD COLUMN customer_id INTEGER;
-- whether its text is forgotten once it is sent
ALTER TABLE mail_messages ADD COLUMN is_secret BOOLEAN NOT NULL DEFAULT FALSE;
ALTER TABLE mail_messages ADD COLUMN sent_at TEXT;
-- what the mail server said when it took the message over
ALTER TABLE mail_messages ADD COLUMN answer TEXT;

CREATE INDEX mail_messages_sent ON mail_messages (sent_at) WHERE sent_at IS NOT NULL;

-- A message has one task.
UPDATE tasks SET subject = CAST(payload ->> 'mail_message_id' AS BIGINT) WHERE kind = 'mail.send' AND subject IS NULL;

-- Files of a message: one whose content is here, sealed by the message's id, and any number that are made when it is sent.
CREATE TABLE mail_attachments_of_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    mail_message_id INTEGER NOT NULL REFERENCES mail_messages (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    content BLOB,
    -- what makes it, and which one
    file_kind TEXT,
    file_id INTEGER
);
INSERT INTO mail_attachments_of_messages (mail_message_id, name, media_type, content)
SELECT mail_message_id, name, media_type, content FROM mail_attachments ORDER BY mail_message_id;
DROP TABLE mail_attachments;
ALTER TABLE mail_attachments_of_messages RENAME TO mail_attachments;
CREATE INDEX mail_attachments_of_message ON mail_attachments (mail_message_id);
