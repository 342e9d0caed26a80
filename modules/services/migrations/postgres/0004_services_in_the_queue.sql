-- Services that wait for their providers wait in the one queue, with all other work.
INSERT INTO tasks (lane, kind, order_key, subject, payload, state, attempts, due_at, last_error, written_at, created_at)
SELECT 'services', 'services.work', provider, id, jsonb_build_object('service', id, 'provider', provider), 'pending', 0,
       due_at, last_error, updated_at, created_at
FROM services_services WHERE due_at IS NOT NULL ORDER BY id;

DROP INDEX services_services_due;
ALTER TABLE services_services DROP COLUMN due_at;
ALTER TABLE services_services DROP COLUMN lease;
ALTER TABLE services_services DROP COLUMN leased_until;

-- Calls to the provider so far: what is answered to any but the last counts no more.
ALTER TABLE services_services ADD COLUMN calls BIGINT NOT NULL DEFAULT 0;
