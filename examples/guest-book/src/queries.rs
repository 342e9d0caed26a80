//! Every statement of the module, once for both databases.

use stoa_core::prelude::*;

pub(crate) const COUNT: Sql = sql!(
    "SELECT COUNT(*) FROM guest_book_entries
     WHERE customer_id = $1"
);

pub(crate) const LIST: Sql = sql!(
    "SELECT id, text, created_at
     FROM guest_book_entries
     WHERE customer_id = $1 ORDER BY id DESC LIMIT $2 OFFSET $3"
);

/// All entries of a customer, for an export.
pub(crate) const LIST_ALL: Sql = sql!(
    "SELECT id, text, created_at
     FROM guest_book_entries
     WHERE customer_id = $1 ORDER BY id"
);

/// One entry; nothing for somebody else's.
pub(crate) const FIND: Sql = sql!(
    "SELECT id, text, created_at
     FROM guest_book_entries
     WHERE id = $1 AND customer_id = $2"
);

pub(crate) const INSERT: Sql = sql!(
    "INSERT INTO guest_book_entries (customer_id, text, created_at)
     VALUES ($1, $2, $3)
     RETURNING id, text, created_at"
);

/// Changes nothing the second time, so that the listener may be called twice.
pub(crate) const NOTE_BOUGHT: Sql = sql!(
    "INSERT INTO guest_book_bought (order_line_id)
     VALUES ($1)
     ON CONFLICT (order_line_id) DO NOTHING"
);

pub(crate) const DELETE: Sql = sql!(
    "DELETE FROM guest_book_entries
     WHERE id = $1 AND customer_id = $2"
);

pub(crate) const DELETE_OLD: Sql = sql!(
    "DELETE FROM guest_book_entries
     WHERE created_at < $1"
);

pub(crate) const DELETE_OF_CUSTOMER: Sql = sql!(
    "DELETE FROM guest_book_entries
     WHERE customer_id = $1"
);

/// For the operator: everybody's, the newest first.
pub(crate) const LIST_FOR_OPERATOR: Sql = sql!(
    "SELECT id, text, created_at
     FROM guest_book_entries
     ORDER BY id DESC LIMIT $1"
);

/// For the console: everybody's below an id, the newest first.
pub(crate) const LIST_BELOW: Sql = sql!(
    "SELECT id, text, created_at
     FROM guest_book_entries
     WHERE CAST($2 AS BIGINT) IS NULL OR id < $2
     ORDER BY id DESC LIMIT $1"
);

pub(crate) const COUNT_SOME: Sql = sql!(
    "SELECT COUNT(*)
     FROM (SELECT 1 FROM guest_book_entries LIMIT $1) AS counted"
);

pub(crate) const DELETE_ANYBODYS: Sql = sql!(
    "DELETE FROM guest_book_entries
     WHERE id = $1"
);

pub(crate) const COUNT_ALL: Sql = sql!(
    "SELECT COUNT(*)
     FROM guest_book_entries"
);

pub(crate) const COUNT_OLDER: Sql = sql!(
    "SELECT COUNT(*) FROM guest_book_entries
     WHERE created_at < $1"
);

pub(crate) const FIND_EMPTY: Sql = sql!(
    "SELECT 'entry ' || CAST(id AS TEXT), 'it says nothing'
     FROM guest_book_entries
     WHERE text = '' ORDER BY id LIMIT 100"
);

/// Hands what a guest has over.
pub(crate) const CLAIM: Sql = sql!(
    "UPDATE guest_book_entries SET customer_id = $2
     WHERE customer_id = $1"
);
