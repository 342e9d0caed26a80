-- One row for each after-commit listener of each emitted event; removed when it succeeded.
CREATE TABLE event_deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    event TEXT NOT NULL,
    listener TEXT NOT NULL,
    payload TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'failed')),
    attempts INTEGER NOT NULL,
    next_attempt_at TEXT NOT NULL,
    leased_until TEXT,
    last_error TEXT,
    created_at TEXT NOT NULL
);

CREATE INDEX event_deliveries_due ON event_deliveries (next_attempt_at) WHERE state = 'pending';

-- When each scheduled job ran and is due, and which instance holds it.
CREATE TABLE scheduled_jobs (
    name TEXT NOT NULL PRIMARY KEY,
    last_run_at TEXT,
    next_run_at TEXT NOT NULL,
    last_error TEXT,
    lease_owner TEXT,
    leased_until TEXT
);

-- Facts about this installation, such as the fingerprint of its key.
CREATE TABLE installation (
    name TEXT NOT NULL PRIMARY KEY,
    value TEXT NOT NULL
);
