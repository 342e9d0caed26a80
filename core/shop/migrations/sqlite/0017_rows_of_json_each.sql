-- SQLite's own json_each needs no word about how many rows it gives.
SELECT 1;
