-- Catalog files that were uploaded: first tried, then laid over the shop.
CREATE TABLE imports (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    file_name TEXT NOT NULL,
    size_bytes INTEGER NOT NULL,
    -- how the file is read, as a JSON object
    settings TEXT NOT NULL,
    -- the file; none once it was imported
    content BLOB,
    -- tried, waiting, running, done or failed
    state TEXT NOT NULL,
    -- who has it imported, and from where
    actor TEXT NOT NULL,
    address TEXT,
    -- how far the reading has come
    read_bytes INTEGER NOT NULL DEFAULT 0,
    -- what came of it, or would come of it, as a JSON object
    report TEXT,
    -- why nothing came of it
    problem TEXT,
    created_at TEXT NOT NULL,
    finished_at TEXT
);
CREATE INDEX imports_made ON imports (created_at);
