-- What staff, the command line and the shop itself have changed, written in the transaction of the change.
CREATE TABLE audit_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at TEXT NOT NULL,
    -- staff:ada@example.com, cli:ada, customer:1001 or system
    actor TEXT NOT NULL,
    -- where a request came from
    address TEXT,
    -- such as orders.refund
    act TEXT NOT NULL,
    -- such as order:12
    subject TEXT NOT NULL,
    -- what was before and what is since then, as JSON; never a secret
    before TEXT,
    after TEXT
);

CREATE INDEX audit_log_subject ON audit_log (subject, id);
CREATE INDEX audit_log_actor ON audit_log (actor, id);
