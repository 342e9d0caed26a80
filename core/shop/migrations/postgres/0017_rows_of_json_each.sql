-- A statement hands over some ids or lines. Left to itself the planner expects a thousand of them and reads whole tables
-- rather than their indexes; expecting one, it does so for none of them, even of a table that was never analyzed.
ALTER FUNCTION json_each(TEXT) ROWS 1;
