-- The file that a message brings, sealed like its text. It goes when the message does.
CREATE TABLE mail_attachments (
    mail_message_id INTEGER PRIMARY KEY REFERENCES mail_messages (id) ON DELETE CASCADE,
    name TEXT NOT NULL,
    media_type TEXT NOT NULL,
    content BLOB NOT NULL
);

-- What was written about already, so that an event that is delivered again sends nothing again. A key
-- outlives its message, which is deleted once it is sent.
CREATE TABLE mail_keys (
    mail_key TEXT PRIMARY KEY,
    created_at TEXT NOT NULL
);

CREATE INDEX mail_keys_age ON mail_keys (created_at);
