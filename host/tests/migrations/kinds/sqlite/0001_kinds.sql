-- One column of each kind that there is, and one that is computed.
CREATE TABLE kinds_values (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    flag BOOLEAN,
    amount INTEGER,
    ratio REAL,
    label TEXT,
    "order" BLOB,
    moment TEXT,
    day TEXT,
    token BLOB,
    document TEXT,
    doubled INTEGER GENERATED ALWAYS AS (amount * 2) STORED
);

-- Rows that refer to rows of the same table.
CREATE TABLE kinds_trees (
    id INTEGER PRIMARY KEY,
    parent_id INTEGER NOT NULL REFERENCES kinds_trees (id)
);

-- Two tables that refer to each other.
CREATE TABLE kinds_lefts (
    id INTEGER PRIMARY KEY,
    right_id INTEGER REFERENCES kinds_rights (id)
);

CREATE TABLE kinds_rights (
    id INTEGER PRIMARY KEY,
    left_id INTEGER NOT NULL REFERENCES kinds_lefts (id)
);
