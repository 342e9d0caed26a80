CREATE TABLE careless_things (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    state TEXT NOT NULL CHECK (state IN ('full', 'empty')),
    made_at TEXT NOT NULL
);
CREATE TABLE careless_only_here (id INTEGER PRIMARY KEY);
CREATE TABLE things (id INTEGER PRIMARY KEY);
