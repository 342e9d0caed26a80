//! Words that findings are told in.

use chrono::TimeDelta;

/// Work that is due for longer than this is not being done: findings say "for more than a minute".
pub const OVERDUE: TimeDelta = TimeDelta::minutes(1);

/// What mends that.
pub const START_A_WORKER: &str = "start `stoa serve` with `worker.enabled = true`, or `stoa worker` beside it";

/// How many of a kind are named.
const NAMED: usize = 5;

/// `1 product`, `2 products`.
pub fn counted(count: impl Into<i64>, one: &str, many: &str) -> String {
    match count.into() {
        1 => format!("1 {one}"),
        count => format!("{count} {many}"),
    }
}

/// The first few, and how many more there are.
pub fn named<'a>(all: impl ExactSizeIterator<Item = &'a str>) -> String {
    let more = all.len().saturating_sub(NAMED);
    let first = all.take(NAMED).collect::<Vec<_>>().join(", ");
    if more == 0 { first } else { format!("{first} and {more} more") }
}

/// A sentence without the system's ` (os error 2)` behind it.
pub fn without_number(mut text: String) -> String {
    const BEGIN: &str = " (os error ";
    while let Some(begin) = text.find(BEGIN) {
        let end = text[begin..].find(')').map_or(text.len(), |end| begin + end + 1);
        text.replace_range(begin..end, "");
    }
    text
}

#[cfg(test)]
mod tests {
    use super::{named, without_number};

    #[test]
    fn the_systems_numbers_are_left_out_wherever_they_stand() {
        let told = without_number(String::from("one: No such file (os error 2)\ntwo: refused (os error 111): why"));
        assert_eq!(told, "one: No such file\ntwo: refused: why");
    }

    #[test]
    fn a_long_list_is_cut() {
        assert_eq!(named(["a", "b"].into_iter()), "a, b");
        assert_eq!(named(["a", "b", "c", "d", "e", "f", "g"].into_iter()), "a, b, c, d, e and 2 more");
    }
}
