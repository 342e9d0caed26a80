-- The people who work in the console.
CREATE TABLE staff_members (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- in lower case
    email TEXT NOT NULL UNIQUE,
    name TEXT NOT NULL,
    -- one that comes along, or one of the configuration
    role TEXT NOT NULL,
    -- none for who has not chosen one yet
    password_hash TEXT,
    -- the key of one-time codes, encrypted; it counts once a code has shown that somebody has it
    totp_secret BLOB,
    totp_confirmed_at TEXT,
    -- the time step of the last code, so that none is taken twice
    totp_last_step INTEGER,
    disabled_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);

-- Sessions of the console.
CREATE TABLE staff_sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    staff_id INTEGER NOT NULL REFERENCES staff_members (id),
    -- SHA-256 of the cookie's value
    secret_hash BLOB NOT NULL UNIQUE,
    -- whether the second factor is still to be shown, without which it opens nothing
    awaits_factor BOOLEAN NOT NULL,
    -- what the browser calls itself and where it was, so that a person recognizes the session
    user_agent TEXT,
    address TEXT,
    created_at TEXT NOT NULL,
    -- the last request, to within a minute
    last_seen_at TEXT NOT NULL,
    -- when it ends however much it is used
    expires_at TEXT NOT NULL
);

CREATE INDEX staff_sessions_staff ON staff_sessions (staff_id);
CREATE INDEX staff_sessions_expiry ON staff_sessions (expires_at);

-- Links that log somebody in once.
CREATE TABLE staff_login_links (
    -- SHA-256 of what the link ends with
    secret_hash BLOB PRIMARY KEY,
    staff_id INTEGER NOT NULL REFERENCES staff_members (id),
    created_at TEXT NOT NULL,
    expires_at TEXT NOT NULL
);

CREATE INDEX staff_login_links_staff ON staff_login_links (staff_id);
CREATE INDEX staff_login_links_expiry ON staff_login_links (expires_at);

-- Codes that stand for the second factor when it is lost; each works once.
CREATE TABLE staff_recovery_codes (
    -- SHA-256 of the code
    code_hash BLOB NOT NULL,
    staff_id INTEGER NOT NULL REFERENCES staff_members (id),
    PRIMARY KEY (staff_id, code_hash)
);
