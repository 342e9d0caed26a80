-- Work that is done after the commit it was written in: one row for each listener of an event, each mail, each job.
CREATE TABLE tasks (
    id INTEGER PRIMARY KEY,
    lane TEXT NOT NULL,
    -- what does it: the id of a listener, the name of a job
    kind TEXT NOT NULL,
    -- the event that a listener is told of; null for other work
    event TEXT,
    -- those of a lane that have the same are done one after the other
    order_key TEXT,
    payload TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('pending', 'failed')),
    attempts INTEGER NOT NULL,
    -- when it is to be done or tried again; while somebody does it, when their lease ends
    due_at TEXT NOT NULL,
    -- of whoever does it
    lease TEXT,
    last_error TEXT,
    -- when the row was last changed: one that was changed in the future was so while a clock was ahead
    written_at TEXT NOT NULL,
    -- when the last attempt ended
    attempted_at TEXT,
    created_at TEXT NOT NULL
);

CREATE INDEX tasks_due ON tasks (lane, due_at, id) WHERE state = 'pending';
CREATE INDEX tasks_in_order ON tasks (lane, order_key, id) WHERE state = 'pending' AND order_key IS NOT NULL;
CREATE UNIQUE INDEX tasks_jobs ON tasks (kind) WHERE lane = 'jobs';

-- What waited in tables of its own.
INSERT INTO tasks (lane, kind, event, payload, state, attempts, due_at, last_error, written_at, created_at)
SELECT 'events', listener, event, payload, state, attempts,
       CASE WHEN attempts = 0 THEN '1970-01-01T00:00:00+00:00' ELSE next_attempt_at END, last_error, created_at, created_at
FROM event_deliveries ORDER BY id;

INSERT INTO tasks (lane, kind, payload, state, attempts, due_at, last_error, written_at, created_at)
SELECT 'mail', 'mail.send', json_object('mail_message_id', id), state, attempts,
       CASE WHEN attempts = 0 THEN '1970-01-01T00:00:00+00:00' ELSE next_attempt_at END, last_error, created_at, created_at
FROM mail_messages ORDER BY id;

INSERT INTO tasks (lane, kind, payload, state, attempts, due_at, last_error, written_at, attempted_at, created_at)
SELECT 'jobs', name, 'null', 'pending', 0, next_run_at, last_error, coalesce(last_run_at, next_run_at), last_run_at,
       coalesce(last_run_at, next_run_at)
FROM scheduled_jobs ORDER BY name;

DROP TABLE event_deliveries;
DROP TABLE scheduled_jobs;
DROP INDEX mail_messages_due;
ALTER TABLE mail_messages DROP COLUMN state;
ALTER TABLE mail_messages DROP COLUMN attempts;
ALTER TABLE mail_messages DROP COLUMN next_attempt_at;
ALTER TABLE mail_messages DROP COLUMN leased_until;
ALTER TABLE mail_messages DROP COLUMN last_error;
