-- Outgoing mail. A row is written together with the change it tells about, and deleted once the
-- mail server has taken the message over.
CREATE TABLE mail_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    recipient TEXT NOT NULL,
    subject TEXT NOT NULL,
    -- encrypted: it may hold a link that opens an account
    body BLOB NOT NULL,
    language TEXT NOT NULL,
    -- the header `Message-ID`, the same in every attempt
    message_id TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'failed')),
    attempts INTEGER NOT NULL,
    next_attempt_at TEXT NOT NULL,
    leased_until TEXT,
    -- from then on, what the message says is of no use
    expires_at TEXT NOT NULL,
    last_error TEXT,
    created_at TEXT NOT NULL
);

CREATE INDEX mail_messages_due ON mail_messages (next_attempt_at) WHERE state = 'pending';

-- Links that were sent by mail and open an account once. A user has one of each purpose: the newest.
CREATE TABLE account_links (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    purpose TEXT NOT NULL CHECK (purpose IN ('verify_email', 'reset_password')),
    user_id INTEGER NOT NULL REFERENCES users (id),
    -- SHA-256 of the secret in the link
    secret_hash BLOB NOT NULL UNIQUE,
    -- the address that the link was sent to; for another one it is void
    email TEXT NOT NULL,
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL,
    UNIQUE (user_id, purpose)
);

CREATE INDEX account_links_expiry ON account_links (expires_at);
