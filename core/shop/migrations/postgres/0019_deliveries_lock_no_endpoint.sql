-- Checking the reference locks the endpoint's row, once for each delivery. With several changes at a time these locks are
-- shared ones, which PostgreSQL keeps in a place of their own: half of what it costs to queue ten deliveries. Deliveries are only
-- queued for endpoints that are there, and an endpoint's row is deleted when it was removed long ago and has none.
ALTER TABLE webhook_deliveries DROP CONSTRAINT webhook_deliveries_endpoint_id_fkey;
