//! Statements about support tickets and their messages.

use stoa_kernel::db::Sql;
use stoa_kernel::{PageSql, sorted_sql, sql};

/// Changes nothing, and makes whoever opens a ticket wait for whoever erases the customer, and the other way around.
pub(super) const LOCK_CUSTOMER: Sql = sql!("UPDATE customers SET updated_at = updated_at WHERE id = $1");

/// Changes nothing, and makes whoever changes the same ticket wait.
pub(super) const LOCK: Sql = sql!("UPDATE support_tickets SET updated_at = updated_at WHERE id = $1");

/// No row for a customer who is anonymized.
pub(super) const FIND_CUSTOMER: Sql = sql!(
    "SELECT c.id FROM customers c JOIN users u ON u.id = c.user_id
     WHERE c.id = $1 AND u.anonymized_at IS NULL"
);

pub(super) const INSERT: Sql = sql!(
    "INSERT INTO support_tickets (customer_id, subject, status, priority, created_at, updated_at, language)
     VALUES ($1, $2, 'open', $3, $4, $4, $5)
     RETURNING id"
);

pub(super) const SET_NUMBER: Sql = sql!("UPDATE support_tickets SET number = $2 WHERE id = $1");

pub(super) const INSERT_MESSAGE: Sql = sql!(
    "INSERT INTO support_ticket_messages (ticket_id, author, body, created_at) VALUES ($1, $2, $3, $4) RETURNING id"
);

/// A message, and the language of its ticket.
pub(super) const FIND_MESSAGE: Sql = sql!(
    "SELECT m.body, t.language FROM support_ticket_messages m JOIN support_tickets t ON t.id = m.ticket_id WHERE m.id = $1"
);

pub(super) const REPLIED: Sql = sql!(
    "UPDATE support_tickets SET status = $2, last_reply_at = $3, updated_at = $3, closed_at = NULL
     WHERE id = $1"
);

pub(super) const CLOSE: Sql = sql!(
    "UPDATE support_tickets SET status = 'closed', closed_at = $2, updated_at = $2
     WHERE id = $1 AND status <> 'closed'"
);

pub(super) const REOPEN: Sql = sql!(
    "UPDATE support_tickets SET status = 'pending', closed_at = NULL, updated_at = $2
     WHERE id = $1 AND status = 'closed'"
);

pub(super) const FIND: Sql = sql!(
    "SELECT t.id, t.number, t.subject, t.status, t.priority, t.last_reply_at, t.created_at, t.customer_id, t.closed_at,
            c.name AS customer_name, CASE WHEN u.anonymized_at IS NULL THEN u.email END AS email
     FROM support_tickets t
     JOIN customers c ON c.id = t.customer_id
     JOIN users u ON u.id = c.user_id
     WHERE t.id = $1"
);

/// Each condition holds for all tickets while its value is null.
pub(super) const LIST: Sql = sql!(
    "SELECT t.id, t.number, t.subject, t.status, t.priority, t.last_reply_at, t.created_at, t.customer_id, t.closed_at,
            c.name AS customer_name, CASE WHEN u.anonymized_at IS NULL THEN u.email END AS email
     FROM support_tickets t
     JOIN customers c ON c.id = t.customer_id
     JOIN users u ON u.id = c.user_id
     WHERE (CAST($1 AS TEXT) IS NULL OR t.status = $1) AND (CAST($2 AS BIGINT) IS NULL OR t.customer_id = $2)
     ORDER BY t.id DESC
     LIMIT $3"
);

pub(super) const LIST_MESSAGES: Sql =
    sql!("SELECT author, body, created_at FROM support_ticket_messages WHERE ticket_id = $1 ORDER BY id");

/// Those on which the shop has to say something.
pub(super) const COUNT_OPEN: Sql = sql!("SELECT COUNT(*) FROM support_tickets WHERE status IN ('open', 'pending')");

pub(super) const COUNT_OF_CUSTOMER: Sql = sql!("SELECT COUNT(*) FROM support_tickets WHERE customer_id = $1");

pub(super) const COUNT_WAITING: Sql =
    sql!("SELECT COUNT(*) FROM support_tickets WHERE customer_id = $1 AND status IN ('open', 'pending')");

pub(super) const PAGE_OF_CUSTOMER: Sql = sql!(
    "SELECT id, number, subject, status, priority, last_reply_at, created_at
     FROM support_tickets WHERE customer_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3"
);

pub(super) const FIND_OF_CUSTOMER: Sql = sql!(
    "SELECT id, number, subject, status, priority, last_reply_at, created_at
     FROM support_tickets WHERE id = $2 AND customer_id = $1"
);

pub(super) const ALL_OF_CUSTOMER: Sql = sql!(
    "SELECT id, number, subject, status, priority, last_reply_at, created_at
     FROM support_tickets WHERE customer_id = $1 ORDER BY id"
);

pub(super) const MESSAGES_OF_CUSTOMER: Sql = sql!(
    "SELECT m.ticket_id, m.author, m.body, m.created_at
     FROM support_ticket_messages m JOIN support_tickets t ON t.id = m.ticket_id
     WHERE t.customer_id = $1
     ORDER BY m.id"
);

pub(super) const ERASE: Sql = sql!(
    "UPDATE support_tickets SET subject = $2, status = 'closed', closed_at = COALESCE(closed_at, $3), updated_at = $3
     WHERE customer_id = $1"
);

pub(super) const ERASE_MESSAGES: Sql = sql!(
    "UPDATE support_ticket_messages SET body = $2
     WHERE ticket_id IN (SELECT id FROM support_tickets WHERE customer_id = $1)"
);

/// What is shown of each ticket that was looked for.
macro_rules! shown {
    () => {
        "t.id, t.number, t.subject, t.status, t.priority, t.last_reply_at, t.created_at, t.customer_id, t.closed_at,
         c.name AS customer_name, CASE WHEN u.anonymized_at IS NULL THEN u.email END AS email"
    };
}

/// Whose it is.
macro_rules! accounts {
    () => {
        " JOIN customers c ON c.id = t.customer_id JOIN users u ON u.id = c.user_id"
    };
}

/// What narrows the list.
macro_rules! narrowed {
    () => {
        "(CAST($1 AS TEXT) IS NULL OR t.status = $1) AND (CAST($2 AS TEXT) IS NULL OR t.priority = $2)
         AND (CAST($3 AS BIGINT) IS NULL OR t.customer_id = $3) AND t.id < $4"
    };
}

macro_rules! list {
    ($list:ident, $turn:literal, $from:literal, $found:literal, $id:literal) => {
        pub(super) const $list: Sql = sql!(concat!(
            "SELECT ",
            shown!(),
            " ",
            $from,
            accounts!(),
            " WHERE ",
            $found,
            $turn,
            narrowed!(),
            " ORDER BY ",
            $id,
            " DESC LIMIT $5"
        ));
    };
}

/// Those that wait for the shop, which an index leads to, and all others; and how many there are.
macro_rules! search {
    ($waiting:ident, $others:ident, $count:ident, $from:literal, $found:literal, $id:literal) => {
        list!($waiting, "t.status IN ('open', 'pending') AND ", $from, $found, $id);
        list!($others, "t.status NOT IN ('open', 'pending') AND ", $from, $found, $id);

        pub(super) const $count: Sql = sql!(concat!(
            "SELECT COUNT(*) FROM (SELECT 1 ",
            $from,
            " WHERE ",
            $found,
            narrowed!(),
            " LIMIT $5) AS counted"
        ));
    };
}

search!(SEARCH_WAITING, SEARCH_OTHERS, COUNT_SEARCHED, "FROM support_tickets t", "", "t.id");

// The same of the one with this id ($6), and of those of these customers ($7).
search!(
    FOUND_WAITING,
    FOUND_OTHERS,
    COUNT_FOUND,
    "FROM (SELECT CAST($6 AS BIGINT) AS id
           UNION SELECT n.id FROM json_each($7) named
                 CROSS JOIN support_tickets n WHERE n.customer_id = CAST(named.value ->> 'id' AS BIGINT)
           ORDER BY id DESC) f
     CROSS JOIN support_tickets t",
    "t.id = f.id AND ",
    "f.id"
);

/// Tickets in the order of their last messages, behind one of the time $6 with the id $7, or beyond the time $8.
pub(super) const BY_LAST_MESSAGE: PageSql = sorted_sql!(
    select: shown!(),
    from: "FROM support_tickets s CROSS JOIN support_tickets t",
    join: accounts!(),
    where: narrowed!(),
    limit: "$5",
    order_by: "COALESCE(s.last_reply_at, s.created_at)",
    type: "TIMESTAMPTZ",
    row: "t.id",
    behind: "$6", "$7", "$8"
);
