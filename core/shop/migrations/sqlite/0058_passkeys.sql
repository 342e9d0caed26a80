-- By what authenticators know somebody: random, and the same for all passkeys of a person.
ALTER TABLE staff_members ADD COLUMN passkey_handle BLOB;

-- Passkeys of staff.
CREATE TABLE staff_passkeys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    staff_id INTEGER NOT NULL REFERENCES staff_members (id),
    -- by what the authenticator knows it
    credential_id BLOB NOT NULL UNIQUE,
    -- the public key, as COSE
    public_key BLOB NOT NULL,
    -- how often the authenticator says that it has signed; 0 of one that does not count
    sign_count INTEGER NOT NULL,
    -- whether it may be copied to other devices, and whether it is
    may_be_backed_up BOOLEAN NOT NULL,
    is_backed_up BOOLEAN NOT NULL,
    -- what the person calls it
    name TEXT NOT NULL,
    created_at TEXT NOT NULL,
    last_used_at TEXT
);

CREATE INDEX staff_passkeys_staff ON staff_passkeys (staff_id);

-- Challenges that were answered, so that no answer counts twice.
CREATE TABLE staff_used_challenges (
    nonce BLOB PRIMARY KEY,
    expires_at TEXT NOT NULL
);

CREATE INDEX staff_used_challenges_expiry ON staff_used_challenges (expires_at);
