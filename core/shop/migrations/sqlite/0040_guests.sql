-- A guest buys without an account: a user without a password, whose address others may have as well.
CREATE TABLE users_with_guests (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- lower case; of an account, the address that is looked up
    email TEXT NOT NULL,
    guest BOOLEAN NOT NULL DEFAULT FALSE,
    password_hash TEXT,
    email_verified_at TEXT,
    anonymized_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL
);

INSERT INTO users_with_guests (id, email, password_hash, email_verified_at, anonymized_at, created_at, updated_at)
SELECT id, email, password_hash, email_verified_at, anonymized_at, created_at, updated_at FROM users;

-- Ids of users that were deleted are not given again.
DELETE FROM sqlite_sequence WHERE name = 'users_with_guests';

INSERT INTO sqlite_sequence (name, seq) SELECT 'users_with_guests', seq FROM sqlite_sequence WHERE name = 'users';

DROP TABLE users;

ALTER TABLE users_with_guests RENAME TO users;

CREATE UNIQUE INDEX users_account_email ON users (email) WHERE guest = FALSE;

CREATE INDEX users_guest_email ON users (email) WHERE guest = TRUE;
