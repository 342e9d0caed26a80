//! `Range`: the part of a file that a client asks for (RFC 9110, 14).

use std::ops::Range;

/// What a request asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum RangeRequest {
    /// The whole file: no range, several at once, or one that cannot be understood.
    Whole,
    /// These bytes.
    Part(Range<u64>),
    /// Bytes behind the end.
    Unsatisfiable,
}

/// Reads the header for a file of `size` bytes, at least one.
pub(crate) fn wanted(header: &str, size: u64) -> RangeRequest {
    let Some((unit, ranges)) = header.split_once('=') else { return RangeRequest::Whole };
    if !unit.trim().eq_ignore_ascii_case("bytes") || ranges.contains(',') {
        return RangeRequest::Whole;
    }
    let Some((first, last)) = ranges.trim().split_once('-') else { return RangeRequest::Whole };
    let (first, last) = (first.trim(), last.trim());
    match (number(first), number(last)) {
        (Some(first), _) if last.is_empty() => from(first, size, size),
        (Some(first), Some(last)) if first <= last => from(first, last.saturating_add(1), size),
        (None, Some(0)) if first.is_empty() => RangeRequest::Unsatisfiable,
        (None, Some(length)) if first.is_empty() => RangeRequest::Part(size.saturating_sub(length)..size),
        _ => RangeRequest::Whole,
    }
}

fn from(first: u64, end: u64, size: u64) -> RangeRequest {
    if first >= size { RangeRequest::Unsatisfiable } else { RangeRequest::Part(first..end.min(size)) }
}

/// A number of digits alone; one that does not fit is as good as the largest.
fn number(text: &str) -> Option<u64> {
    let digits = !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().unwrap_or(u64::MAX))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_range_is_understood_in_all_its_forms() {
        for (header, expected) in [
            ("bytes=0-99", 0..100),
            ("bytes=0-0", 0..1),
            ("bytes=100-", 100..1000),
            ("bytes=999-", 999..1000),
            ("bytes=-1", 999..1000),
            ("bytes=-1000", 0..1000),
            ("bytes=-5000", 0..1000),
            ("bytes=-99999999999999999999999", 0..1000),
            ("bytes=5-99999999999999999999999", 5..1000),
            ("Bytes = 1 - 2 ", 1..3),
        ] {
            assert_eq!(wanted(header, 1000), RangeRequest::Part(expected), "{header}");
        }
    }

    #[test]
    fn bytes_behind_the_end_cannot_be_had() {
        for header in ["bytes=1000-", "bytes=1000-2000", "bytes=-0", "bytes=99999999999999999999999-"] {
            assert_eq!(wanted(header, 1000), RangeRequest::Unsatisfiable, "{header}");
        }
    }

    #[test]
    fn what_is_not_understood_is_the_whole_file() {
        for header in [
            "",
            "bytes",
            "bytes=",
            "bytes=-",
            "bytes=5-4",
            "bytes=a-b",
            "bytes=0-1,4-5",
            "items=0-1",
            "bytes=+1-2",
            "bytes=1.5-",
            "bytes=--1",
            "bytes=0x10-",
            "0-1",
        ] {
            assert_eq!(wanted(header, 1000), RangeRequest::Whole, "{header}");
        }
    }
}
