//! Looking for customers by id, name or e-mail address, with filters, a page at a time.

use chrono::{DateTime, Utc};

use stoa_customers::customers::{CustomerAccount, find_customers_beginning};
use stoa_kernel::SearchSql;
use stoa_kernel::console::{
    Direction, FEW_OF_A_KIND, IdsBetween, MOST_COUNTED, MOST_FOUND, RowCount, Sort, SortPart, ids_between,
};
use stoa_kernel::db::{Db, DbError, Query, Sql};
use stoa_kernel::states;

use super::queries;

states! {
    /// What kind of account a customer has.
    CustomerState, "state of a customer":
    /// None: a guest.
    Guest = "guest",
    /// One whose e-mail address is confirmed.
    Verified = "verified",
    /// One whose e-mail address is not confirmed.
    Unverified = "unverified",
    /// None any more.
    Anonymized = "anonymized",
}

states! {
    /// How often a customer has placed an order.
    Bought, "number of orders":
    /// Not at all.
    Never = "never",
    /// Once.
    Once = "once",
    /// More often.
    Often = "often",
}

impl CustomerState {
    /// What kind of account a customer has.
    pub fn of(account: &CustomerAccount) -> Self {
        Self::told(account.anonymized_at.is_some(), account.guest, account.email_verified_at.is_some())
    }

    fn told(is_anonymized: bool, is_guest: bool, is_verified: bool) -> Self {
        match (is_anonymized, is_guest, is_verified) {
            (true, _, _) => Self::Anonymized,
            (false, true, _) => Self::Guest,
            (false, false, true) => Self::Verified,
            (false, false, false) => Self::Unverified,
        }
    }
}

/// What is looked for.
#[derive(Debug, Clone, Default)]
pub struct CustomerSearch {
    /// An id, or the beginning of a name or e-mail address.
    pub text: Option<String>,
    /// Only those in this state.
    pub state: Option<CustomerState>,
    /// Only those who have bought so often.
    pub bought: Option<Bought>,
    /// Only those who came from then on.
    pub from: Option<DateTime<Utc>>,
    /// Only those who came before.
    pub until: Option<DateTime<Utc>>,
    /// In the order of `name`, whatever the case of ASCII letters, unless a text is looked for; every other column is when they came. None
    /// is the newest first.
    pub sort: Option<Sort>,
    /// Only those who follow this one in that order.
    pub after: Option<i64>,
    /// At most this many.
    pub limit: i64,
}

/// A customer as a list shows one.
#[derive(Debug, Clone, PartialEq, Eq, sqlx::FromRow)]
pub struct CustomerListed {
    /// The customer's id.
    pub id: i64,
    /// The name.
    pub name: String,
    /// The e-mail address; none of an anonymized customer.
    pub email: Option<String>,
    guest: bool,
    email_verified_at: Option<DateTime<Utc>>,
    anonymized_at: Option<DateTime<Utc>>,
    /// When the customer came.
    pub created_at: DateTime<Utc>,
    /// How many orders the customer has placed.
    pub orders: i64,
}

impl CustomerListed {
    /// What kind of account it is.
    pub fn state(&self) -> CustomerState {
        CustomerState::told(self.anonymized_at.is_some(), self.guest, self.email_verified_at.is_some())
    }
}

/// Customers who were looked for.
pub async fn search_customers(db: &Db, search: &CustomerSearch) -> Result<Vec<CustomerListed>, DbError> {
    let ids = ids_between(db, queries::FIRST_SINCE, search.from, search.until).await?;
    match &search.sort {
        Some(sort) if sort.column == "name" && search.text.is_none() => {
            let sql = sort.direction.page(queries::BY_NAME);
            let read = |part: SortPart, left| async move {
                part.bind(Way::All.bind(db, sql, search, ids, left).await?).all::<CustomerListed>().await
            };
            sort.read(search.after, search.limit, read).await
        }
        sort => {
            let direction = sort.as_ref().map_or(Direction::Descending, |sort| sort.direction);
            let way = Way::of(db, search).await?;
            let ids = ids.behind(search.after, direction);
            way.bind(db, direction.page(way.sql().page), search, ids, search.limit).await?.all().await
        }
    }
}

/// How many there are on all pages together.
pub async fn count_customers(db: &Db, search: &CustomerSearch) -> Result<RowCount, DbError> {
    let way = Way::of(db, search).await?;
    let ids = ids_between(db, queries::FIRST_SINCE, search.from, search.until).await?;
    let most = if let Way::Text(_) = way { MOST_FOUND } else { MOST_COUNTED };
    Ok(RowCount::up_to(most, way.bind(db, way.sql().count, search, ids, most + 1).await?.scalar().await?))
}

/// What leads to the customers who are looked for.
enum Way<'a> {
    /// Their ids, the newest first, or how often they have bought, which has an index too.
    All,
    /// The state, which few are in.
    State(CustomerState),
    /// A text.
    Text(&'a str),
}

impl<'s> Way<'s> {
    async fn of(db: &Db, search: &'s CustomerSearch) -> Result<Self, DbError> {
        if let Some(text) = &search.text {
            return Ok(Self::Text(text));
        }
        let Some(state) = search.state else { return Ok(Self::All) };
        let number = db.read(queries::COUNT_STATE).bind(state.as_str()).bind(FEW_OF_A_KIND + 1).scalar::<i64>().await?;
        Ok(if number > FEW_OF_A_KIND { Self::All } else { Self::State(state) })
    }

    const fn sql(&self) -> SearchSql {
        match self {
            Self::All => queries::SEARCH,
            Self::State(_) => queries::SEARCH_OF_STATE,
            Self::Text(_) => queries::SEARCH_FOUND,
        }
    }

    async fn bind<'a>(
        &self,
        db: &'a Db,
        sql: Sql,
        search: &CustomerSearch,
        ids: IdsBetween,
        limit: i64,
    ) -> Result<Query<'a>, DbError> {
        let query = db.read(sql).bind(search.state.map(CustomerState::as_str)).bind(ids.first).bind(ids.below);
        let query = query.bind(search.bought.map(Bought::as_str)).bind(limit);
        Ok(match self {
            Self::All => query,
            Self::State(state) => query.bind(state.as_str()),
            Self::Text(text) => {
                query.bind(text.parse::<i64>().ok()).bind_ids(find_customers_beginning(db, text).await?)
            }
        })
    }
}
