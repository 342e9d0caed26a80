-- A guest buys without an account: a user without a password, whose address others may have as well.
ALTER TABLE users ADD COLUMN guest BOOLEAN NOT NULL DEFAULT FALSE;

ALTER TABLE users DROP CONSTRAINT users_email_key;

CREATE UNIQUE INDEX users_account_email ON users (email) WHERE guest = FALSE;

CREATE INDEX users_guest_email ON users (email) WHERE guest = TRUE;
