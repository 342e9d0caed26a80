-- The file that a message brings, sealed like its text. It goes when the message does.
CREATE TABLE mail_attachments (
    mail_message_id BIGINT PRIMARY KEY REFERENCES mail_messages (id) ON DELETE CASCADE,
    name TEXT COLLATE "C" NOT NULL,
    media_type TEXT COLLATE "C" NOT NULL,
    content BYTEA NOT NULL
);

-- What was written about already, so that an event that is delivered again sends nothing again. A key
-- outlives its message, which is deleted once it is sent.
CREATE TABLE mail_keys (
    mail_key TEXT COLLATE "C" PRIMARY KEY,
    created_at TIMESTAMPTZ NOT NULL
);

CREATE INDEX mail_keys_age ON mail_keys (created_at);
