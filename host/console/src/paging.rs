//! Pages of lists: how many there are in all, where one is, and where it goes on.
//!
//! A page begins behind a row, whose id or name the address carries as `after`; `at` says only which number the first row has.

use stoa_kernel::console::{PageAddress, RowCount};

/// What a list says below its rows.
pub(crate) struct Paging {
    /// Such as `51–100 of 1,234`.
    pub(crate) told: String,
    /// The first page, if this is another.
    pub(crate) first: Option<String>,
    /// The next page, if there is one.
    pub(crate) next: Option<String>,
}

impl Paging {
    /// Where a page is that shows so many rows, and begins the next behind the row with this id.
    pub(crate) fn of(address: &PageAddress, counted: RowCount, rows: usize, next: Option<&str>) -> Self {
        let shown = i64::try_from(rows).unwrap_or(i64::MAX);
        let at = address.get("at").and_then(|at| at.parse().ok()).filter(|at: &i64| *at > 0).unwrap_or(1);
        let next = next.map(|after| {
            let at = at.saturating_add(shown).to_string();
            address.with(&[("after", Some(after)), ("at", Some(&at))])
        });
        let first = || address.with(&[("after", None), ("at", None)]);
        let first = address.get("after").is_some().then(first);
        let all = format!("{}{}", if counted.more { "more than " } else { "" }, grouped(counted.number));
        let told = if shown == 0 {
            format!("0 of {all}")
        } else {
            format!("{}–{} of {all}", grouped(at), grouped(at.saturating_add(shown - 1)))
        };
        Self { told, first, next }
    }
}

/// A number with a comma before each three digits.
fn grouped(number: i64) -> String {
    let digits = number.to_string();
    let mut text = String::new();
    for (place, digit) in digits.chars().enumerate() {
        if place > 0 && (digits.len() - place).is_multiple_of(3) {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paging(query: &[(&str, &str)], number: i64, rows: usize, next: Option<&str>) -> Paging {
        let query = query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect();
        Paging::of(&PageAddress { path: String::from("/orders"), query }, RowCount::of(number), rows, next)
    }

    #[test]
    fn a_page_says_where_it_is_and_where_it_goes_on() {
        let first = paging(&[("status", "paid")], 1234, 50, Some("951"));
        assert_eq!(first.told, "1–50 of 1,234");
        assert_eq!(first.next.as_deref(), Some("/orders?status=paid&after=951&at=51"));
        assert_eq!(first.first, None);
        let last = paging(&[("status", "paid"), ("after", "951"), ("at", "51")], 10_001, 3, None);
        assert_eq!(last.told, "51–53 of more than 10,000");
        assert_eq!((last.first.as_deref(), last.next), (Some("/orders?status=paid"), None));
    }

    #[test]
    fn what_nobody_can_mean_is_the_first_row() {
        for at in ["0", "-3", "x"] {
            assert_eq!(paging(&[("at", at)], 1, 1, None).told, "1–1 of 1", "{at}");
        }
        assert_eq!(paging(&[], 0, 0, None).told, "0 of 0");
    }
}
