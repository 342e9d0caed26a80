//! Tables that statements read.

use super::*;

fn read(text: &str) -> Vec<String> {
    tables_read(text).into_iter().collect()
}

#[test]
fn tables_stand_after_from_and_join_and_after_commas_between_them() {
    assert_eq!(
        read("SELECT a.id, b.id FROM Orders a, tea_cups AS b, json_each($1) c WHERE a.id = 1, b"),
        ["orders", "tea_cups"]
    );
    assert_eq!(
        read("SELECT 1 FROM tea_cups t LEFT JOIN orders o ON o.id = f(t.id, 2), users u"),
        ["orders", "tea_cups", "users"]
    );
    assert_eq!(
        read("SELECT 1 FROM (tea_cups t JOIN \"orders\" o ON TRUE) JOIN LATERAL (SELECT 2 FROM users) u ON TRUE"),
        ["orders", "tea_cups", "users"]
    );
    assert_eq!(
        read("SELECT (SELECT COUNT(*) FROM public.orders WHERE x IN (1, 2)), y FROM tea_cups"),
        ["orders", "tea_cups"]
    );
}

#[test]
fn what_other_statements_read_is_found_too() {
    assert_eq!(
        read("UPDATE tea_cups SET full = TRUE FROM orders o WHERE o.id IN (SELECT id FROM users)"),
        ["orders", "users"]
    );
    assert_eq!(
        read("INSERT INTO tea_cups (a, b) SELECT 1, 2 FROM orders ON CONFLICT DO NOTHING RETURNING a, b"),
        ["orders"]
    );
    assert_eq!(read("DELETE FROM tea_cups USING orders WHERE orders.id = 1"), ["orders", "tea_cups"]);
}

#[test]
fn names_that_are_given_and_words_that_only_look_like_tables_are_none() {
    assert_eq!(
        read(
            "WITH RECURSIVE orders (a) AS (SELECT 1 FROM tea_cups), b AS NOT MATERIALIZED (SELECT 2) \
                     SELECT * FROM orders, b"
        ),
        ["tea_cups"]
    );
    assert_eq!(read("SELECT EXTRACT(EPOCH FROM paid_at), a IS DISTINCT FROM b FROM tea_cups"), ["tea_cups"]);
    assert_eq!(read("SELECT 'FROM orders, it''s FROM users' FROM tea_cups -- FROM users"), ["tea_cups"]);
}
