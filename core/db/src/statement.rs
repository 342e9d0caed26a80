//! A statement as it is sent: without the conditions that hold because their value is null.
//!
//! Lists have filters of which most are not set: `(CAST($1 AS TEXT) IS NULL OR o.status = $1)`. Planned once for every value, such a
//! statement can use no index for any of them, and reads the whole table for the few rows that are asked for. Written without what
//! is not asked for, it is planned for what is. Values keep their numbers.

use sqlx::{AssertSqlSafe, SqlSafeStr, SqlStr};

use super::Sql;

/// How such a condition begins, up to the number of its value.
const BEGIN: &str = "(CAST($";

/// What stands behind the value, up to white space and `OR`.
const IS_NULL: &str = ") IS NULL";

/// A statement, and which of its values are null.
#[derive(Debug, Clone, Copy)]
pub(super) struct Statement {
    pub(super) sql: Sql,
    nulls: Nulls,
}

impl Statement {
    pub(super) fn new(sql: Sql) -> Self {
        Self { sql, nulls: Nulls::default() }
    }

    /// Notes that the value with this number, which counts from 1, is null.
    pub(super) fn is_null(&mut self, number: usize) {
        self.nulls.add(number);
    }

    /// What is sent to SQLite.
    pub(super) fn sqlite(self) -> SqlStr {
        self.text(self.sql.sqlite)
    }

    /// What is sent to PostgreSQL.
    pub(super) fn postgres(self) -> SqlStr {
        self.text(self.sql.postgres)
    }

    /// Nothing is put into the text but parts of its own, which is what is asserted here.
    fn text(self, text: &'static str) -> SqlStr {
        if self.sql.has_filters {
            AssertSqlSafe(filtered(text, self.nulls)).into_sql_str()
        } else {
            text.into_sql_str()
        }
    }
}

/// Which values of a statement are null, of the first 64.
#[derive(Debug, Clone, Copy, Default)]
struct Nulls(u64);

impl Nulls {
    fn add(&mut self, number: usize) {
        if let Some(bit) = bit(number) {
            self.0 |= bit;
        }
    }

    fn has(self, number: usize) -> bool {
        bit(number).is_some_and(|bit| self.0 & bit != 0)
    }
}

fn bit(number: usize) -> Option<u64> {
    let place = u32::try_from(number.checked_sub(1)?).ok()?;
    1_u64.checked_shl(place)
}

/// The statement for these values: of each condition that a null value switches off nothing is left, of each other the condition.
fn filtered(text: &str, nulls: Nulls) -> String {
    let (mut written, mut rest) = (String::with_capacity(text.len()), text);
    while let Some(start) = rest.find(BEGIN) {
        let (before, condition) = rest.split_at(start);
        written.push_str(before);
        if let Some((number, kept, after)) = taken_apart(condition) {
            if nulls.has(number) {
                written.push_str("TRUE");
            } else {
                written.push('(');
                written.push_str(&filtered(kept, nulls));
                written.push(')');
            }
            rest = after;
        } else {
            written.push_str(BEGIN);
            rest = &condition[BEGIN.len()..];
        }
    }
    written.push_str(rest);
    written
}

/// The number of the value, the condition and what follows, if it is one that a null value switches off.
fn taken_apart(text: &str) -> Option<(usize, &str, &str)> {
    let (number, rest) = text.strip_prefix(BEGIN)?.split_once(" AS ")?;
    let (kind, rest) = rest.split_once(IS_NULL)?;
    let rest = rest.trim_start().strip_prefix("OR ")?;
    if !kind.bytes().all(|letter| letter.is_ascii_uppercase()) {
        return None;
    }
    let end = closing(rest)?;
    Some((number.parse().ok()?, &rest[..end], &rest[end + 1..]))
}

/// Where the parenthesis closes that was open before.
fn closing(text: &str) -> Option<usize> {
    let (mut depth, mut is_quoted) = (1_usize, false);
    for (place, letter) in text.bytes().enumerate() {
        match letter {
            b'\'' => is_quoted = !is_quoted,
            b'(' if !is_quoted => depth += 1,
            b')' if !is_quoted => depth -= 1,
            _ => {}
        }
        if depth == 0 {
            return Some(place);
        }
    }
    None
}

#[cfg(test)]
mod tests {
    use super::*;

    fn without(nulls: &[usize], text: &str) -> String {
        let mut set = Nulls::default();
        for number in nulls {
            set.add(*number);
        }
        filtered(text, set)
    }

    #[test]
    fn a_filter_that_is_not_set_is_left_out_and_one_that_is_stands_alone() {
        let text = "SELECT id FROM t WHERE (CAST($1 AS TEXT) IS NULL OR a = $1) AND (CAST($2 AS BIGINT) IS NULL OR b < $2) LIMIT $3";
        assert_eq!(without(&[], text), "SELECT id FROM t WHERE (a = $1) AND (b < $2) LIMIT $3");
        assert_eq!(without(&[1], text), "SELECT id FROM t WHERE TRUE AND (b < $2) LIMIT $3");
        assert_eq!(without(&[1, 2], text), "SELECT id FROM t WHERE TRUE AND TRUE LIMIT $3");
        assert_eq!(without(&[], "(CAST($1 AS TEXT) IS NULL\n   OR a = $1)"), "(a = $1)");
    }

    #[test]
    fn parentheses_and_quotes_within_a_condition_are_its_own() {
        let text = "WHERE (CAST($1 AS TEXT) IS NULL OR a = ')' OR b IN (SELECT (c) FROM t)) AND d";
        assert_eq!(without(&[], text), "WHERE (a = ')' OR b IN (SELECT (c) FROM t)) AND d");
        assert_eq!(without(&[1], text), "WHERE TRUE AND d");
        let nested = "WHERE (CAST($1 AS TEXT) IS NULL OR a = $1 AND (CAST($2 AS TEXT) IS NULL OR b = $2))";
        assert_eq!(without(&[2], nested), "WHERE (a = $1 AND TRUE)");
    }

    #[test]
    fn everything_else_stays_as_it_is() {
        for text in [
            "SELECT 1",
            "SELECT (CAST($1 AS BIGINT)) FROM t WHERE a IS NULL OR b",
            "SELECT (CAST($1 AS TEXT) || 'x') FROM t WHERE (a IS NULL OR b)",
            "SELECT (CAST($1 AS TEXT) IS NULL OR a = $1",
            "WHERE (CAST($65 AS TEXT) IS NULL",
        ] {
            assert_eq!(without(&[1, 65], text), text);
        }
        assert_eq!(without(&[65], "(CAST($65 AS TEXT) IS NULL OR a = $65)"), "(a = $65)");
    }
}
