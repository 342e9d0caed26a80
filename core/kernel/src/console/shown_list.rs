//! How a page of a list is read: behind a row, in the order of a column, or out of rows that are there already.

use std::future::ready;

use super::export::exported;
use super::sort::{MOST_SORTED, RowPlace, RowsWanted};
use super::{ConsoleAnswer, FilterKind, List, ListPage, ListQuery, PER_PAGE, RowCount, WayBack};
use crate::http::error::{ApiError, ApiResult};

impl<T: Send + 'static> List<T> {
    /// Shows the page that is asked for, or the whole list for a spreadsheet. `load` reads so many rows behind the one with this
    /// id, in the order of the list.
    pub async fn show<F, E>(
        self,
        query: ListQuery,
        counted: RowCount,
        load: impl Fn(Option<i64>, i64) -> F + Send + Sync + 'static,
    ) -> ApiResult<ConsoleAnswer>
    where
        F: Future<Output = Result<Vec<T>, E>> + Send + 'static,
        E: Into<ApiError>,
    {
        let load = move |after: Option<String>, limit| load(after.and_then(|after| after.parse().ok()), limit);
        self.show_keyed(query, counted, load).await
    }

    /// The same for a list that can be sorted by columns, of each of which an index of the database has the order. Where few rows are
    /// left of a narrowed list, they are read whole and sorted here, as no index knows of their order alone; of more than
    /// [`MOST_SORTED`], `load` reads them in the order of the index until a page is full, which takes the less the more there are. What is
    /// searched for is sorted up to that number.
    pub async fn show_sorted<F, E>(
        mut self,
        query: ListQuery,
        counted: RowCount,
        load: impl Fn(RowsWanted) -> F + Send + Sync + 'static,
    ) -> ApiResult<ConsoleAnswer>
    where
        T: Clone + Sync,
        F: Future<Output = Result<Vec<T>, E>> + Send + 'static,
        E: Into<ApiError>,
    {
        self.sorting.ask(query.get("sort"));
        if self.sorting.asked().is_some() && query.is_narrowed() {
            if counted.number <= MOST_SORTED {
                let wanted = RowsWanted { sort: None, after: None, limit: MOST_SORTED + 1 };
                let rows = load(wanted).await.map_err(Into::into)?;
                if rows.len() <= usize::try_from(MOST_SORTED).unwrap_or(usize::MAX) {
                    return self.show_all(query, rows).await;
                }
            }
            if self.is_searched(&query) {
                self.sorting.give_up();
            }
        }
        let sort = self.sorting.asked().cloned();
        let load = move |after: Option<String>, limit| load(RowsWanted::behind(sort.as_ref(), after.as_deref(), limit));
        self.show_keyed(query, counted, load).await
    }

    /// The same for rows that are few enough to be read at once.
    pub async fn show_all(mut self, query: ListQuery, rows: Vec<T>) -> ApiResult<ConsoleAnswer>
    where
        T: Clone + Sync,
    {
        self.sorting.ask(query.get("sort"));
        let counted = RowCount::of(i64::try_from(rows.len()).unwrap_or(i64::MAX));
        let sorted = self.sorting.asked().map(|(sort, read)| (sort.direction, *read));
        let mut placed = rows.into_iter().map(|row| (self.place(&row), row)).collect::<Vec<_>>();
        if let Some((direction, _)) = sorted {
            placed.sort_by(|(one, _), (other, _)| one.compare(other, direction));
        }
        let (places, rows) = placed.into_iter().unzip::<_, _, Vec<_>, Vec<_>>();
        let load = move |after: Option<String>, limit: i64| {
            let begin = after.map_or(0, |after| RowPlace::begin(&places, sorted, &after));
            let page = rows.iter().skip(begin).take(usize::try_from(limit).unwrap_or(usize::MAX));
            ready(Ok::<_, ApiError>(page.cloned().collect()))
        };
        self.show_keyed(query, counted, load).await
    }

    /// The same for rows that are known by a text.
    pub async fn show_keyed<F, E>(
        self,
        query: ListQuery,
        counted: RowCount,
        load: impl Fn(Option<String>, i64) -> F + Send + Sync + 'static,
    ) -> ApiResult<ConsoleAnswer>
    where
        F: Future<Output = Result<Vec<T>, E>> + Send + 'static,
        E: Into<ApiError>,
    {
        if query.get("format") == Some("csv") {
            return Ok(ConsoleAnswer(exported(self, &query, load)));
        }
        let most = usize::try_from(PER_PAGE).unwrap_or(usize::MAX);
        // One more tells whether there is another page.
        let mut rows = load(query.get("after").map(str::to_owned), PER_PAGE + 1).await.map_err(Into::into)?;
        let has_more = rows.len() > most;
        rows.truncate(most);
        let next = rows.last().filter(|_| has_more).map(|last| self.place(last).written);
        let page = ListPage { counted, next, ..self.of_rows(&query.asked.staff, &query.money, &rows) };
        let mut answer = query.view.list(&query.asked, &page)?;
        answer.extensions_mut().insert(WayBack::of(&query.asked.address));
        Ok(ConsoleAnswer(answer))
    }

    /// Where a row stands in the list.
    pub(super) fn place(&self, row: &T) -> RowPlace {
        self.sorting.place((self.key)(row), row)
    }

    /// Whether something is searched for.
    fn is_searched(&self, query: &ListQuery) -> bool {
        self.filters.iter().any(|filter| matches!(filter.kind, FilterKind::Search(_)) && query.is_on(filter.name))
    }
}
