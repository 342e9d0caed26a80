-- Deliveries wait in the one queue, with all other work.
INSERT INTO tasks (lane, kind, order_key, subject, payload, state, attempts, due_at, last_error, written_at, created_at)
SELECT 'webhooks', 'webhooks.deliver', 'endpoint:' || endpoint_id, id, json_object('delivery', id, 'endpoint', endpoint_id), 'pending', attempts,
       CASE WHEN attempts = 0 OR next_attempt_at IS NULL THEN '1970-01-01T00:00:00+00:00' ELSE next_attempt_at END, last_error,
       created_at, created_at
FROM webhook_deliveries WHERE state = 'pending' ORDER BY id;

DROP INDEX webhook_deliveries_new;
DROP INDEX webhook_deliveries_due;
ALTER TABLE webhook_deliveries DROP COLUMN next_attempt_at;
ALTER TABLE webhook_deliveries DROP COLUMN lease;
