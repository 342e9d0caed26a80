CREATE TABLE support_tickets (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- made from the id, in the transaction that makes the row
    number TEXT UNIQUE,
    customer_id INTEGER NOT NULL REFERENCES customers (id),
    subject TEXT NOT NULL,
    status TEXT NOT NULL CHECK (status IN ('open', 'pending', 'answered', 'closed')),
    priority TEXT NOT NULL CHECK (priority IN ('low', 'normal', 'high')),
    -- of either side; none while there is only the message that opened the ticket
    last_reply_at TEXT,
    created_at TEXT NOT NULL,
    updated_at TEXT NOT NULL,
    closed_at TEXT,
    CHECK ((status = 'closed') = (closed_at IS NOT NULL))
);

CREATE INDEX support_tickets_customer ON support_tickets (customer_id, id);
CREATE INDEX support_tickets_status ON support_tickets (status, id);

CREATE TABLE support_ticket_messages (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    ticket_id INTEGER NOT NULL REFERENCES support_tickets (id),
    author TEXT NOT NULL CHECK (author IN ('customer', 'staff')),
    body TEXT NOT NULL,
    created_at TEXT NOT NULL
);

CREATE INDEX support_ticket_messages_ticket ON support_ticket_messages (ticket_id, id);
