-- The row that a task is about: of one kind there is one task for each.
ALTER TABLE tasks ADD COLUMN subject INTEGER;

CREATE UNIQUE INDEX tasks_of_subject ON tasks (subject, kind) WHERE subject IS NOT NULL;

-- Those of one order key that wait, in the order in which they are begun.
DROP INDEX tasks_in_order;
CREATE INDEX tasks_in_order ON tasks (lane, order_key, due_at, id) WHERE state = 'pending' AND order_key IS NOT NULL;
