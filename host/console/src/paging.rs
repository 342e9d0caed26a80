//! Pages of lists: how many there are in all, where one is, and where it goes on.
//!
//! A page begins behind a row, whose id the address carries as `after`; `at` says only which number the first row has.

use stoa_core::orders::Counted;

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
    /// Takes the row that is one too many away, which tells that there is another page.
    pub(crate) fn of<T>(
        path: &str,
        query: &[(String, String)],
        counted: Counted,
        per_page: i64,
        rows: &mut Vec<T>,
        id: impl Fn(&T) -> i64,
    ) -> Self {
        let get = |name: &str| query.iter().find(|(known, _)| known == name).and_then(|(_, value)| value.parse().ok());
        let at = get("at").filter(|at: &i64| *at > 0).unwrap_or(1);
        let most = usize::try_from(per_page).unwrap_or(usize::MAX);
        let has_more = rows.len() > most;
        rows.truncate(most);
        let shown = i64::try_from(rows.len()).unwrap_or(i64::MAX);
        let filters = query.iter().filter(|(name, _)| !matches!(name.as_str(), "after" | "at" | "done"));
        let address = |more: &[(&str, String)]| {
            let mut form = url::form_urlencoded::Serializer::new(String::new());
            form.extend_pairs(filters.clone());
            form.extend_pairs(more);
            let query = form.finish();
            if query.is_empty() { path.to_owned() } else { format!("{path}?{query}") }
        };
        let next = rows
            .last()
            .filter(|_| has_more)
            .map(|last| address(&[("after", id(last).to_string()), ("at", at.saturating_add(shown).to_string())]));
        let first = get("after").is_some().then(|| address(&[]));
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

    fn paging(query: &[(&str, &str)], number: i64, more: bool, rows: i64) -> (Paging, usize) {
        let query = query.iter().map(|(name, value)| ((*name).to_owned(), (*value).to_owned())).collect::<Vec<_>>();
        let mut rows = (0..rows).map(|row| 1000 - row).collect::<Vec<_>>();
        let paging = Paging::of("/orders", &query, Counted { number, more }, 50, &mut rows, |id| *id);
        (paging, rows.len())
    }

    #[test]
    fn a_page_says_where_it_is_and_where_it_goes_on() {
        let (first, rows) = paging(&[("status", "paid")], 1234, false, 51);
        assert_eq!((first.told.as_str(), rows), ("1–50 of 1,234", 50));
        assert_eq!(first.next.as_deref(), Some("/orders?status=paid&after=951&at=51"));
        assert_eq!(first.first, None);
        let (last, _) = paging(&[("status", "paid"), ("after", "951"), ("at", "51")], 10_000, true, 3);
        assert_eq!(last.told, "51–53 of more than 10,000");
        assert_eq!((last.first.as_deref(), last.next), (Some("/orders?status=paid"), None));
    }

    #[test]
    fn what_nobody_can_mean_is_the_first_row() {
        for at in ["0", "-3", "x", ""] {
            assert_eq!(paging(&[("at", at)], 1, false, 1).0.told, "1–1 of 1", "{at}");
        }
        assert_eq!(paging(&[], 0, false, 0).0.told, "0 of 0");
    }
}
