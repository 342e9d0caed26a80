-- When a task is due again that was enqueued anew while it was being done.
ALTER TABLE tasks ADD COLUMN again_at TIMESTAMPTZ;
