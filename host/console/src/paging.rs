//! Pages of lists: how many there are in all, where one is, and where it goes on.
//!
//! A page begins behind a row, whose id or name the address carries as `after`; `at` says only which number the first row has. The
//! rows that the pages before began behind come along as `before`, so that the way back reads no more than the way there.

use stoa_kernel::console::{PER_PAGE, PageAddress, RowCount};

/// So many pages back lead one by one; before them there is the first.
const MOST_BEFORE: usize = 40;

/// So long may the rows be that the pages before began behind, in bytes: names in a sorted list may be of any length.
const LONGEST_BEFORE: usize = 2_000;

/// What a list says below its rows.
pub(crate) struct Paging {
    /// Such as `51–100 of 1,234`.
    pub(crate) told: String,
    /// The first page, if this is another.
    pub(crate) first: Option<String>,
    /// The page before this, as far as the address knows it.
    pub(crate) previous: Option<String>,
    /// The next page, if there is one.
    pub(crate) next: Option<String>,
}

impl Paging {
    /// Where a page is that shows so many rows, and begins the next behind the row with this id.
    pub(crate) fn of(address: &PageAddress, counted: RowCount, rows: usize, next: Option<&str>) -> Self {
        let shown = i64::try_from(rows).unwrap_or(i64::MAX);
        let at = address.get("at").and_then(|at| at.parse().ok()).filter(|at: &i64| *at > 0).unwrap_or(1);
        let after = address.get("after");
        let before = address.query.iter().filter(|(name, _)| name == "before");
        let mut before = before.map(|(_, value)| value.as_str()).collect::<Vec<_>>();
        let next = next.map(|next| {
            let known = before.iter().copied().chain(after).collect::<Vec<_>>();
            page(address, Some((next, at.saturating_add(shown))), newest_of(&known))
        });
        let first = after.map(|_| page(address, None, &[]));
        let previous = match before.pop() {
            Some(last) => Some(page(address, Some((last, at - PER_PAGE)), &before)),
            None => first.clone().filter(|_| at <= PER_PAGE + 1),
        };
        let all = format!("{}{}", if counted.more { "more than " } else { "" }, grouped(counted.number));
        let told = if shown == 0 {
            format!("0 of {all}")
        } else {
            format!("{}–{} of {all}", grouped(at), grouped(at.saturating_add(shown - 1)))
        };
        Self { told, first, previous, next }
    }
}

/// The last of these rows, as far as an address has room for them.
fn newest_of<'a>(before: &'a [&'a str]) -> &'a [&'a str] {
    let mut length = 0;
    let fits = |key: &&&str| {
        length += key.len();
        length <= LONGEST_BEFORE
    };
    let number = before.iter().rev().take(MOST_BEFORE).take_while(fits).count();
    &before[before.len() - number..]
}

/// The address of the page that begins behind this row with this number, and what of the pages before it is known.
fn page(address: &PageAddress, begin: Option<(&str, i64)>, before: &[&str]) -> String {
    let at = begin.map(|(_, at)| at.to_string());
    let mut changes = vec![("after", begin.map(|(after, _)| after)), ("at", at.as_deref()), ("before", None)];
    changes.extend(before.iter().map(|key| ("before", Some(*key))));
    address.with(&changes)
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
    fn a_page_leads_back_to_the_one_before() {
        let second = paging(&[("after", "951"), ("at", "51")], 1234, 50, Some("901"));
        assert_eq!(second.previous.as_deref(), Some("/orders"));
        assert_eq!(second.next.as_deref(), Some("/orders?after=901&at=101&before=951"));
        let fourth = [("after", "851"), ("at", "151"), ("before", "951"), ("before", "901")];
        let fourth = paging(&fourth, 1234, 50, None);
        assert_eq!(fourth.previous.as_deref(), Some("/orders?after=901&at=101&before=951"));
        assert_eq!(fourth.first.as_deref(), Some("/orders"));
        // What is behind a link of somebody else leads to the first page at least.
        let far = paging(&[("after", "851"), ("at", "151")], 1234, 50, None);
        assert_eq!((far.previous, far.first.as_deref()), (None, Some("/orders")));
    }

    #[test]
    fn the_address_of_a_page_does_not_grow_for_ever() {
        let keys = (0..60).map(|key| key.to_string()).collect::<Vec<_>>();
        let before = keys.iter().map(|key| ("before", key.as_str()));
        let deep = paging(&before.chain([("after", "60"), ("at", "3051")]).collect::<Vec<_>>(), 9999, 50, Some("61"));
        assert_eq!(deep.next.expect("it goes on").matches("before=").count(), MOST_BEFORE);
        let name = "n".repeat(LONGEST_BEFORE / 2);
        let names = [("before", name.as_str()); 3].into_iter().chain([("after", name.as_str()), ("at", "151")]);
        let long = paging(&names.collect::<Vec<_>>(), 9999, 50, Some("61"));
        assert_eq!(long.next.expect("it goes on").matches("before=").count(), 2);
    }

    #[test]
    fn what_nobody_can_mean_is_the_first_row() {
        for at in ["0", "-3", "x"] {
            assert_eq!(paging(&[("at", at)], 1, 1, None).told, "1–1 of 1", "{at}");
        }
        assert_eq!(paging(&[], 0, 0, None).told, "0 of 0");
    }
}
