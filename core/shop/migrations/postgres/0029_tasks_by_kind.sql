-- What is due is looked for by its kind: what belongs to modules that are off is not passed over row by row.
DROP INDEX tasks_due;
CREATE INDEX tasks_due ON tasks (lane, kind, due_at, id) WHERE state = 'pending';
