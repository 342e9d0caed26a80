-- Refunds without an outcome wait in the one queue, with all other work.
INSERT INTO tasks (lane, kind, order_key, subject, payload, state, attempts, due_at, last_error, written_at, created_at)
SELECT 'refunds', 'refunds.resume', gateway, id, jsonb_build_object('refund', id, 'gateway', gateway), 'pending', 0,
       coalesce(next_check_at, TIMESTAMPTZ 'epoch'), last_error, updated_at, created_at
FROM refunds WHERE status = 'pending' ORDER BY id;

DROP INDEX refunds_check;
ALTER TABLE refunds DROP COLUMN next_check_at;
