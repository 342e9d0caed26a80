//! What a list was asked for.

use std::fmt::Display;
use std::str::FromStr;
use std::sync::Arc;

use axum::extract::FromRequestParts;
use chrono::{DateTime, Days, NaiveDate, NaiveTime, Utc};
use http::request::Parts;

use super::{ConsoleAnswer, ShowConsole, Staff};
use crate::http::accept::takes_gzip;
use crate::http::error::{ApiError, ApiResult};
use crate::http::extract::{admission, shop_of};
use crate::http::form::without_nul;
use crate::http::shape::Takes;
use crate::money::MoneyFormatter;

/// The address of a page: its path, with that of the console before it, and the values of its query that are not empty.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PageAddress {
    /// The path.
    pub path: String,
    /// The values.
    pub query: Vec<(String, String)>,
}

/// Values of the address of a list that say how it is shown, and not which rows it has.
const NOT_NARROWING: [&str; 5] = ["sort", "after", "at", "before", "format"];

impl PageAddress {
    /// A value of the query.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.query.iter().find(|(known, _)| known == name).map(|(_, value)| value.as_str())
    }

    /// The address with some values in place of others; one that becomes `None` is taken out.
    pub fn with(&self, changes: &[(&str, Option<&str>)]) -> String {
        let mut form = url::form_urlencoded::Serializer::new(String::new());
        let stays = |name: &str| !changes.iter().any(|(changed, _)| *changed == name);
        form.extend_pairs(self.query.iter().filter(|(name, _)| stays(name)));
        form.extend_pairs(changes.iter().filter_map(|(name, value)| Some((*name, (*value)?))));
        let query = form.finish();
        if query.is_empty() { self.path.clone() } else { format!("{}?{query}", self.path) }
    }
}

/// Which page of the console is asked for, by whom, and how the browser wants it.
#[derive(Debug, Clone)]
pub struct PageAsked {
    /// Who asks.
    pub staff: Staff,
    /// Where.
    pub address: PageAddress,
    /// Whether the browser takes it compressed.
    pub takes_gzip: bool,
}

/// What a list was asked for: its filters, and the row that its page begins behind. Handlers of lists take it.
pub struct ListQuery {
    /// The page.
    pub asked: PageAsked,
    pub(super) money: Arc<MoneyFormatter>,
    pub(super) view: Arc<dyn ShowConsole>,
}

impl ListQuery {
    /// What was chosen or typed in a filter.
    pub fn get(&self, name: &str) -> Option<&str> {
        self.asked.address.get(name)
    }

    /// What was chosen in a filter, as what it means; nothing where it means nothing.
    pub fn parsed<T: FromStr>(&self, name: &str) -> Option<T> {
        self.get(name).and_then(|text| text.parse().ok())
    }

    /// Whether a filter that is on or off is on.
    pub fn is_on(&self, name: &str) -> bool {
        self.get(name).is_some()
    }

    /// Whether anything narrows the list.
    pub(super) fn is_narrowed(&self) -> bool {
        self.asked.address.query.iter().any(|(name, _)| !NOT_NARROWING.contains(&name.as_str()))
    }

    /// Answers a page of HTML of the module's own in the console's frame, for what lists and forms cannot show. It is taken as it is:
    /// have a template write it that escapes what it puts in.
    pub fn page_html(&self, title: &str, html: &impl Display) -> ApiResult<ConsoleAnswer> {
        self.view.html(&self.asked, title, &html.to_string()).map(ConsoleAnswer)
    }

    /// The moment that the day of a filter begins at (UTC).
    pub fn from_day(&self, name: &str) -> Option<DateTime<Utc>> {
        self.parsed::<NaiveDate>(name).map(|day| day.and_time(NaiveTime::MIN).and_utc())
    }

    /// The moment that the day of a filter is over at (UTC).
    pub fn until_day(&self, name: &str) -> Option<DateTime<Utc>> {
        self.parsed::<NaiveDate>(name)
            .and_then(|day| day.checked_add_days(Days::new(1)))
            .map(|day| day.and_time(NaiveTime::MIN).and_utc())
    }
}

impl<S: Send + Sync> FromRequestParts<S> for PageAsked {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let staff = Staff::from_request_parts(parts, state).await?;
        let pairs = url::form_urlencoded::parse(parts.uri.query().unwrap_or_default().as_bytes()).into_owned();
        let pairs = pairs.map(|(name, value)| (name, without_nul(value.trim().to_owned())));
        let address = PageAddress {
            path: parts.uri.path().to_owned(),
            query: pairs.filter(|(_, value)| !value.is_empty()).collect(),
        };
        Ok(Self { staff, address, takes_gzip: takes_gzip(&parts.headers) })
    }
}

impl Takes for PageAsked {}

impl<S: Send + Sync> FromRequestParts<S> for ListQuery {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut Parts, state: &S) -> Result<Self, ApiError> {
        let asked = PageAsked::from_request_parts(parts, state).await?;
        Ok(Self { asked, money: Arc::clone(&shop_of(parts)?.money), view: view_of(parts)? })
    }
}

/// What shows the console.
pub(super) fn view_of(parts: &Parts) -> Result<Arc<dyn ShowConsole>, ApiError> {
    let view = admission(parts)?.state.console_pages.view.clone();
    view.ok_or_else(|| ApiError::internal("nothing shows the console"))
}

impl Takes for ListQuery {}
