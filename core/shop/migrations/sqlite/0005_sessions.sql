-- Sessions of browsers (first party). A row is deleted at logout, at the next login of the same
-- browser, and some time after it has expired.
CREATE TABLE sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL REFERENCES users (id),
    -- SHA-256 of the cookie's value
    secret_hash BLOB NOT NULL UNIQUE,
    -- what the browser calls itself, so that a person recognizes the session
    user_agent TEXT,
    created_at TEXT NOT NULL,
    -- the last request, to within a minute
    last_seen_at TEXT NOT NULL,
    -- when it ends however much it is used
    expires_at TEXT NOT NULL
);

CREATE INDEX sessions_user ON sessions (user_id);
CREATE INDEX sessions_expiry ON sessions (expires_at);
