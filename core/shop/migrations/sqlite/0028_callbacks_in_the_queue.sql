-- Callbacks that are looked at again wait in the one queue, with all other work.
INSERT INTO tasks (lane, kind, order_key, subject, payload, state, attempts, due_at, written_at, created_at)
SELECT 'callbacks', 'payments.callback', gateway, id, json_object('callback', id, 'gateway', gateway), 'pending', 0,
       next_try_at, received_at, received_at
FROM payment_callbacks WHERE next_try_at IS NOT NULL ORDER BY id;

DROP INDEX payment_callbacks_try;
ALTER TABLE payment_callbacks DROP COLUMN next_try_at;
