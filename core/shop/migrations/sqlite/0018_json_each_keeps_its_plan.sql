-- SQLite's own json_each has no body to be planned.
SELECT 1;
