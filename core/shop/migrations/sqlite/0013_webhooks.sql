-- Where events of the shop are sent to (S6.2).
CREATE TABLE webhook_endpoints (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- the name under which the configuration lists it; none for those of the command line
    name TEXT,
    url TEXT NOT NULL,
    kind TEXT NOT NULL CHECK (kind IN ('http', 'chat')),
    -- names of events, or "*"
    events TEXT NOT NULL,
    -- language and format of amounts in messages to chats
    locale TEXT NOT NULL,
    enabled BOOLEAN NOT NULL,
    -- sealed; empty once it is removed
    secret BLOB NOT NULL,
    -- sealed; signs beside the other one until the time after it
    previous_secret BLOB,
    previous_secret_until TEXT,
    -- attempts that failed since one succeeded
    consecutive_failures INTEGER NOT NULL,
    last_success_at TEXT,
    last_failure_at TEXT,
    last_error TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    -- its deliveries are still listed for a while
    removed_at TEXT
);

CREATE UNIQUE INDEX webhook_endpoints_name ON webhook_endpoints (name) WHERE removed_at IS NULL;

-- One row for each event and endpoint, written in the transaction of the change.
CREATE TABLE webhook_deliveries (
    -- gives the order in which deliveries to an endpoint start
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- the header X-Service-Delivery, the same in every attempt
    delivery_id TEXT NOT NULL UNIQUE,
    endpoint_id INTEGER NOT NULL REFERENCES webhook_endpoints (id),
    event TEXT NOT NULL,
    -- the very bytes that are sent and signed
    body TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'delivered', 'dead_letter', 'skipped')),
    attempts INTEGER NOT NULL,
    -- none before the first attempt; while it is sent, the end of the lease
    next_attempt_at TEXT,
    -- who is sending it
    lease TEXT,
    response_status INTEGER,
    last_error TEXT,
    created_at TEXT NOT NULL,
    -- when it was delivered, given up or skipped
    finished_at TEXT
);

-- What was never tried starts in the order of the rows; the rest when it is due.
CREATE INDEX webhook_deliveries_new ON webhook_deliveries (endpoint_id, id) WHERE state = 'pending' AND attempts = 0;
CREATE INDEX webhook_deliveries_due ON webhook_deliveries (endpoint_id, next_attempt_at)
    WHERE state = 'pending' AND attempts > 0;
CREATE INDEX webhook_deliveries_dead ON webhook_deliveries (endpoint_id) WHERE state = 'dead_letter';
CREATE INDEX webhook_deliveries_finished ON webhook_deliveries (finished_at) WHERE finished_at IS NOT NULL;

-- What became of each attempt. No part of an answer but its status is kept (S3.1).
CREATE TABLE webhook_attempts (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    delivery INTEGER NOT NULL REFERENCES webhook_deliveries (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    ended_at TEXT NOT NULL,
    duration_ms INTEGER NOT NULL,
    -- where it was sent to
    address TEXT,
    response_status INTEGER,
    error TEXT
);

CREATE INDEX webhook_attempts_delivery ON webhook_attempts (delivery);
