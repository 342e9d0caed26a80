//! The list of customers, with search and filters, a page at a time.

use stoa_core::buyers::{Bought, CustomerListed, CustomerSearch, CustomerState, count_customers, search_customers};
use stoa_core::db::ListDb;
use stoa_kernel::console::{Cell, ConsoleAnswer, Direction, List, ListQuery, RowsWanted};
use stoa_kernel::http::error::ApiResult;

/// `GET /console/customers`.
pub(super) async fn show(db: ListDb, query: ListQuery) -> ApiResult<ConsoleAnswer> {
    let search = CustomerSearch {
        text: query.get("q").map(str::to_owned),
        state: query.get("state").and_then(|state| CustomerState::try_from(state.to_owned()).ok()),
        bought: query.get("bought").and_then(|bought| Bought::try_from(bought.to_owned()).ok()),
        from: query.from_day("from"),
        until: query.until_day("to"),
        ..CustomerSearch::default()
    };
    let counted = count_customers(&db, &search).await?;
    let list = List::new("Customers", |customer: &CustomerListed| customer.id)
        .button("customers.edit", "Create customer", "/customers/new")
        .search("Name, e-mail or id")
        .choice("state", "Account", CustomerState::ALL.iter().map(|state| state.as_str()))
        .choice("bought", "Has bought", Bought::ALL.iter().map(|bought| bought.as_str()))
        .day("from", "Since")
        .day("to", "Until")
        .empty("There are no customers yet. They appear here when they register, or buy as a guest.")
        .column("Name", |customer| {
            let path = format!("/customers/{}", customer.id);
            Cell::link(&customer.name, path).over(customer.email.as_deref())
        })
        .sorted("name", |customer| customer.name.to_ascii_lowercase())
        .column("Id", |customer| Cell::from(customer.id.to_string()))
        .column("Account", |customer| Cell::state(customer.state().as_str()))
        .column("Since", |customer| customer.created_at)
        .sorted("since", |customer| customer.id)
        .begins_sorted("since", Direction::Descending)
        .number("Orders", |customer| customer.orders);
    list.show_sorted(query, counted, move |RowsWanted { sort, after, limit }| {
        let (db, search) = (db.clone(), CustomerSearch { sort, after, limit, ..search.clone() });
        async move { search_customers(&db, &search).await }
    })
    .await
}
