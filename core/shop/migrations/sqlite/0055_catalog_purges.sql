-- What caches outside are still to be told to forget, one row for each key and address.
CREATE TABLE catalog_purges (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- tells the address from others
    target INTEGER NOT NULL,
    key TEXT NOT NULL,
    created_at TEXT NOT NULL
);

CREATE INDEX catalog_purges_target ON catalog_purges (target, id);
