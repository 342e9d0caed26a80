-- Attempts to pay that nobody knows the end of wait in the one queue, with all other work.
INSERT INTO tasks (lane, kind, order_key, subject, payload, state, attempts, due_at, last_error, written_at, created_at)
SELECT 'attempts', 'payments.ask', gateway, id, json_object('attempt', id, 'gateway', gateway), 'pending', 0,
       coalesce(next_check_at, '1970-01-01T00:00:00+00:00'), last_error, updated_at, created_at
FROM payment_attempts WHERE status IN ('pending', 'processing') ORDER BY id;

DROP INDEX payment_attempts_check;
ALTER TABLE payment_attempts DROP COLUMN next_check_at;
