-- Bytes of downloads that were counted and not begun to be sent, which parts are fetched from.
ALTER TABLE downloads_grants ADD COLUMN open_bytes INTEGER NOT NULL DEFAULT 0 CHECK (open_bytes >= 0);
-- Bytes that were sent once more because a transfer broke off while they were on their way.
ALTER TABLE downloads_grants ADD COLUMN repeated_bytes INTEGER NOT NULL DEFAULT 0 CHECK (repeated_bytes >= 0);

-- What is interrupted now can go on.
UPDATE downloads_grants
SET open_bytes = (SELECT v.size FROM downloads_versions v WHERE v.asset_id = downloads_grants.asset_id
                  ORDER BY v.number DESC LIMIT 1)
WHERE counted_at IS NOT NULL AND completed_at IS NULL;

-- The byte before which a transfer has begun to send everything.
ALTER TABLE downloads_log ADD COLUMN sent_to INTEGER NOT NULL DEFAULT 0;
-- The byte before which it has to stop, since another one sends what follows; behind its last byte otherwise.
ALTER TABLE downloads_log ADD COLUMN stops_at INTEGER NOT NULL DEFAULT 0;
-- When its last byte was sent, or it was stopped; none while it runs, and after it broke off.
ALTER TABLE downloads_log ADD COLUMN ended_at TEXT;

UPDATE downloads_log SET sent_to = last_byte + 1, stops_at = last_byte + 1, ended_at = started_at;

CREATE INDEX downloads_log_running ON downloads_log (grant_id) WHERE ended_at IS NULL;

-- Refunds take units first of which no file was fetched. The count begins anew with a new version, the log does not.
INSERT INTO unit_uses (order_item_id, unit, module)
SELECT DISTINCT g.order_item_id, g.unit, 'downloads'
FROM downloads_grants g
WHERE g.download_count > 0 OR EXISTS (SELECT 1 FROM downloads_log l WHERE l.grant_id = g.id);
