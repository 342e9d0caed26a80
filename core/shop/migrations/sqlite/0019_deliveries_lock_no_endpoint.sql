-- SQLite locks no rows, so here the reference stays.
SELECT 1;
