CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- lower case; the address that is looked up
    email TEXT NOT NULL UNIQUE,
    password_hash TEXT,
    email_verified_at TEXT,
    anonymized_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);

CREATE TABLE customers (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    user_id INTEGER NOT NULL UNIQUE REFERENCES users (id),
    name TEXT NOT NULL,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);

-- Customer ids start elsewhere than user ids, so that a mix-up shows at once.
INSERT INTO sqlite_sequence (name, seq) VALUES ('customers', 1000);

CREATE TABLE access_tokens (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    name TEXT NOT NULL,
    -- SHA-256 of the secret half
    secret_hash BLOB NOT NULL,
    abilities TEXT NOT NULL,
    -- allowed source networks; an empty list allows any
    networks TEXT NOT NULL,
    last_used_at TEXT,
    expires_at TEXT,
    created_at TEXT NOT NULL
);

CREATE INDEX access_tokens_customer ON access_tokens (customer_id);
