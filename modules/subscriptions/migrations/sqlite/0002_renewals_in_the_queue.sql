-- Subscriptions that are not over wait in the one queue, with all other work.
INSERT INTO tasks (lane, kind, subject, payload, state, attempts, due_at, last_error, written_at, created_at)
SELECT 'subscriptions', 'subscriptions.renewal', id, json_object('subscription', id), 'pending', 0,
       next_check_at, last_error, updated_at, created_at
FROM subscriptions_subscriptions WHERE next_check_at IS NOT NULL ORDER BY id;

DROP INDEX subscriptions_check;
ALTER TABLE subscriptions_subscriptions DROP COLUMN next_check_at;

-- So do orders of renewals that are to be cancelled.
INSERT INTO tasks (lane, kind, subject, payload, state, attempts, due_at, written_at, created_at)
SELECT 'subscriptions', 'subscriptions.cancel_renewal', id, json_object('order', id), 'pending', 0,
       '1970-01-01T00:00:00+00:00', updated_at, updated_at
FROM orders
WHERE status = 'pending' AND id IN (SELECT order_id FROM subscriptions_periods WHERE state = 'withdrawn') ORDER BY id;

DROP INDEX subscriptions_periods_withdrawn;
