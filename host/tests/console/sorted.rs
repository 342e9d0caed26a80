//! Lists in the order of a column: over all pages, up and down, with equal values, narrowed or not.

use std::cmp::Reverse;

use serde_json::json;
use stoa_core::buyers::{CustomerSearch, CustomerState, search_customers};
use stoa_core::chrono::{DateTime, TimeDelta, Utc};
use stoa_core::db::Backend;
use stoa_core::orders::{OrderNumber, OrderSearch, OrderStatus, search_orders};
use stoa_core::payments::PaymentStatus;
use stoa_core::prelude::*;
use stoa_core::support_tickets::{
    NewTicket, TicketAuthor, TicketNumber, TicketPriority, TicketSearch, TicketStatus, create_ticket, reply_to_ticket,
    search_tickets,
};
use stoa_core::testing::{TestBrowser, TestShop, both_databases};
use stoa_kernel::console::{Direction, Sort, SortValue};

use crate::shelf::{browser, builder, order, shop};

/// Rows of three pages.
const ROWS: i64 = 103;

const SET_TOTALS: Sql = sql!("UPDATE orders SET total_amount = 1000 + id % 3 * 500");
const SET_NAMES: Sql = sql!(
    "UPDATE customers SET name = CASE id % 4 WHEN 0 THEN 'ben' WHEN 1 THEN 'Ada' WHEN 2 THEN 'ada' ELSE 'Émile *1' END"
);
const CUSTOMERS: Sql = sql!("SELECT id FROM customers ORDER BY id");
const CANCEL: Sql = sql!("UPDATE orders SET status = 'cancelled', cancelled_at = created_at WHERE id = $1");

fn total(order: i64) -> i64 {
    1000 + order % 3 * 500
}

fn name(customer: i64) -> String {
    ["ben", "Ada", "ada", "Émile *1"][usize::try_from(customer % 4).expect("it is small")].to_ascii_lowercase()
}

/// The ids of what a list shows, in its order.
fn shown(page: &str) -> Vec<i64> {
    let links =
        page.split("<th scope=\"row\">").skip(1).filter_map(|row| row.split("href=\"").nth(1)?.split('"').next());
    let known = links.filter_map(|path| path.rsplit('/').next());
    known.filter_map(|known| known.rsplit('-').next()?.parse().ok()).collect()
}

fn next_of(page: &str) -> Option<String> {
    let (before, _) = page.split_once("\" rel=\"next\"")?;
    Some(before.rsplit("<a href=\"").next()?.replace("&#38;", "&"))
}

/// What all pages of a list show, from this one on.
async fn all_pages(owner: &mut TestBrowser, first: &str) -> Vec<i64> {
    let (mut found, mut next) = (Vec::new(), Some(first.to_owned()));
    while let Some(address) = next {
        let page = owner.get(&address).await.expect_status(200).text();
        found.extend(shown(&page));
        next = next_of(&page);
    }
    found
}

async fn run(shop: &TestShop, statement: Sql) {
    let run = async |tx: &mut Tx| -> Result<u64, DbError> { tx.run(statement).execute().await };
    shop.parts.db.write(run).await.expect("it is written");
}

/// The ids in the order of what is known of each.
fn sorted<K: Ord>(mut ids: Vec<i64>, key: impl Fn(i64) -> K) -> Vec<i64> {
    ids.sort_by_key(|id| key(*id));
    ids
}

/// What a page is asked for that begins behind a row.
fn behind(column: &'static str, direction: Direction, row: Option<(i64, SortValue)>) -> (Option<Sort>, Option<i64>) {
    let (after, behind) = row.unzip();
    (Some(Sort { column, direction, behind }), after)
}

/// Orders by their total, as statements read them where many are left of a narrowed list: in the order of the index.
async fn orders_by_index(shop: &TestShop, direction: Direction) -> Vec<i64> {
    let search = OrderSearch {
        status: Some(OrderStatus::Pending),
        payment: Some(PaymentStatus::Pending),
        from: Some(DateTime::<Utc>::UNIX_EPOCH),
        limit: 20,
        ..OrderSearch::default()
    };
    let (mut all, mut last) = (Vec::new(), None);
    loop {
        let (sort, after) = behind("total", direction, last);
        let page = OrderSearch { sort, after, ..search.clone() };
        let page = search_orders(&shop.parts.db, &page).await.expect("they can be read");
        all.extend(page.iter().map(|order| order.id));
        last = page.last().map(|order| (order.id, SortValue::Number(order.total_amount)));
        if last.is_none() {
            return all;
        }
    }
}

/// The same of customers by their name.
async fn customers_by_index(shop: &TestShop, direction: Direction) -> Vec<i64> {
    let search = CustomerSearch { state: Some(CustomerState::Verified), limit: 20, ..CustomerSearch::default() };
    let (mut all, mut last) = (Vec::new(), None);
    loop {
        let (sort, after) = behind("name", direction, last);
        let page = CustomerSearch { sort, after, ..search.clone() };
        let page = search_customers(&shop.parts.db, &page).await.expect("they can be read");
        all.extend(page.iter().map(|customer| customer.id));
        last = page.last().map(|customer| (customer.id, SortValue::Text(customer.name.to_ascii_lowercase())));
        if last.is_none() {
            return all;
        }
    }
}

both_databases!(orders_and_customers_in_the_order_of_a_column_are_each_there_once);
async fn orders_and_customers_in_the_order_of_a_column_are_each_there_once(backend: Backend) {
    let shop = shop(backend).await;
    for _ in 0..ROWS {
        order(&shop, 1).await;
    }
    run(&shop, SET_TOTALS).await;
    run(&shop, SET_NAMES).await;
    let mut owner = browser(&shop, "owner").await;
    let orders = (1..=ROWS).collect::<Vec<_>>();
    let cheapest = sorted(orders.clone(), |id| (total(id), id));
    let dearest = sorted(orders.clone(), |id| Reverse((total(id), id)));
    for (query, found) in [
        ("sort=total", &cheapest),
        ("sort=-total", &dearest),
        ("sort=placed", &orders),
        // What is narrowed to few is sorted without an index.
        ("status=pending&sort=total", &cheapest),
        ("q=ada&sort=total", &cheapest),
        ("payment=pending&sort=-total", &dearest),
        ("status=pending&sort=placed", &orders),
    ] {
        assert_eq!(all_pages(&mut owner, &format!("/console/orders?{query}")).await, *found, "{query}");
    }
    let csv = owner.get("/console/orders?sort=-total&format=csv").await.expect_status(200).text();
    let numbers = csv.lines().skip(1).filter_map(|line| line.split(',').next()?.parse::<OrderNumber>().ok());
    assert_eq!(numbers.map(OrderNumber::id).collect::<Vec<_>>(), dearest);

    let customers = shop.parts.db.read(CUSTOMERS).scalars::<i64>().await.expect("they can be read");
    let from_a = sorted(customers.clone(), |id| (name(id), id));
    let from_z = sorted(customers.clone(), |id| Reverse((name(id), id)));
    for (query, found) in [
        ("sort=name", &from_a),
        ("sort=-name", &from_z),
        ("sort=since", &customers),
        ("bought=once&sort=-name", &from_z),
    ] {
        assert_eq!(all_pages(&mut owner, &format!("/console/customers?{query}")).await, *found, "{query}");
    }

    for (direction, orders, customers) in
        [(Direction::Ascending, &cheapest, &from_a), (Direction::Descending, &dearest, &from_z)]
    {
        assert_eq!(orders_by_index(&shop, direction).await, *orders);
        assert_eq!(customers_by_index(&shop, direction).await, *customers);
    }

    // The row that a page begins behind may be gone from the list when the page is asked for.
    let page = owner.get("/console/orders?status=pending&sort=total").await.text();
    let cancel = async |tx: &mut Tx| -> Result<u64, DbError> { tx.run(CANCEL).bind(cheapest[49]).execute().await };
    shop.parts.db.write(cancel).await.expect("it is cancelled");
    let rest = all_pages(&mut owner, &next_of(&page).expect("another page")).await;
    assert_eq!(rest, cheapest[50..]);
}

both_databases!(many_products_are_sorted_by_name_and_price);
async fn many_products_are_sorted_by_name_and_price(backend: Backend) {
    let shop = builder(backend).open().await;
    // More than are sorted without an index.
    let numbers = (1..=1_001_i64).collect::<Vec<_>>();
    let (price, name) = (|number: i64| 1000 + number % 7 * 100, |number: i64| number % 2);
    let product = |number: i64| {
        let name = if name(number) == 0 { "ax" } else { "Äxte" };
        json!({"type": "product", "slug": format!("thing-{number}"), "name": name, "price_amount": price(number)})
    };
    for some in numbers.chunks(200) {
        shop.stock(&some.iter().map(|number| product(*number)).collect::<Vec<_>>()).await;
    }
    let mut owner = browser(&shop, "owner").await;
    for (query, found) in [
        ("sort=price", sorted(numbers.clone(), |number| (price(number), number))),
        ("state=active&sort=-price", sorted(numbers.clone(), |number| Reverse((price(number), number)))),
        ("sort=-name", sorted(numbers.clone(), |number| Reverse((name(number), number)))),
        ("state=active&sort=name", sorted(numbers.clone(), |number| (name(number), number))),
    ] {
        assert_eq!(all_pages(&mut owner, &format!("/console/products?{query}")).await, found, "{query}");
    }
    // What is found anywhere in names has no index at all.
    let found = owner.get("/console/products?q=thing&sort=price").await.expect_status(200).text();
    assert!(found.contains("Too many are found to be sorted. Narrow the search."), "{found}");
    assert_eq!(shown(&found)[0], 1_001);
    let found = owner.get("/console/products?q=thing-99&sort=-price").await.expect_status(200).text();
    let few = numbers.into_iter().filter(|number| number.to_string().starts_with("99")).collect::<Vec<_>>();
    assert_eq!(shown(&found), sorted(few, |number| Reverse((price(number), number))));
}

both_databases!(tickets_are_sorted_by_their_last_message);
async fn tickets_are_sorted_by_their_last_message(backend: Backend) {
    let shop = shop(backend).await;
    let customer_id = shop.customer().await.id;
    let mut tickets = Vec::new();
    for _ in 0..ROWS {
        let new = NewTicket {
            customer_id,
            subject: String::from("The lamp flickers"),
            body: String::from("Since yesterday."),
            priority: TicketPriority::Normal,
            language: None,
        };
        tickets.push(create_ticket(&shop.parts.db, &new).await.expect("it is opened").ticket.id);
    }
    let mut owner = browser(&shop, "owner").await;
    shop.advance(TimeDelta::milliseconds(1_500));
    let answered = tickets.iter().copied().step_by(2).collect::<Vec<_>>();
    for id in &answered {
        let number = TicketNumber::of(*id);
        reply_to_ticket(&shop.parts.db, number, TicketAuthor::Staff, "Look.").await.expect("it is answered");
    }
    let longest_ago = sorted(tickets.clone(), |id| (answered.contains(&id), id));
    let latest = longest_ago.iter().copied().rev().collect::<Vec<_>>();
    for (query, found) in
        [("sort=last", &longest_ago), ("sort=-last", &latest), ("priority=normal&sort=-last", &latest)]
    {
        assert_eq!(all_pages(&mut owner, &format!("/console/support?{query}")).await, *found, "{query}");
    }
    let (mut all, mut last) = (Vec::new(), None);
    loop {
        let (sort, after) = behind("last", Direction::Descending, last);
        let status = Some(TicketStatus::Answered);
        let search = TicketSearch { status, sort, after, limit: 20, ..TicketSearch::default() };
        let page = search_tickets(&shop.parts.db, &search).await.expect("they can be read");
        last = page.last().map(|record| {
            let ticket = &record.ticket;
            (ticket.id, SortValue::Time(ticket.last_reply_at.unwrap_or(ticket.created_at)))
        });
        all.extend(page.iter().map(|record| record.ticket.id));
        if last.is_none() {
            break;
        }
    }
    assert_eq!(all, latest[..answered.len()]);
}

both_databases!(a_heading_sorts_the_list_and_keeps_what_narrows_it);
async fn a_heading_sorts_the_list_and_keeps_what_narrows_it(backend: Backend) {
    let shop = shop(backend).await;
    order(&shop, 1).await;
    let mut owner = browser(&shop, "owner").await;
    let page = owner.get("/console/orders?status=pending&after=99&at=51").await.expect_status(200).text();
    let placed = "aria-sort=\"descending\"><a class=\"sort\" href=\"/console/orders?status=pending&#38;sort=placed\">";
    assert!(page.contains(placed), "it is in this order by itself: {page}");
    let total = "<a class=\"sort\" href=\"/console/orders?status=pending&#38;sort=-total\">Total</a>";
    assert!(page.contains(total), "amounts begin with the highest: {page}");
    assert!(page.contains("<th scope=\"col\">Customer</th>") && !page.contains("name=\"sort\""), "{page}");
    let page = owner.get("/console/orders?status=pending&sort=-total").await.expect_status(200).text();
    let total =
        "aria-sort=\"descending\"><a class=\"sort\" href=\"/console/orders?status=pending&#38;sort=total\">Total<svg";
    assert!(page.contains(total), "{page}");
    assert_eq!(page.matches("aria-sort").count(), 1, "{page}");
    assert!(page.contains("<input type=\"hidden\" name=\"sort\" value=\"-total\">"), "{page}");
    let customers = owner.get("/console/customers").await.expect_status(200).text();
    assert!(customers.contains("<a class=\"sort\" href=\"/console/customers?sort=name\">Name</a>"), "{customers}");
    let today = owner.get("/console").await.expect_status(200).text();
    assert!(today.contains("<th scope=\"col\" class=\"number\">Total</th>"), "it sorts no other list: {today}");
}

both_databases!(an_order_that_nobody_can_mean_is_none);
async fn an_order_that_nobody_can_mean_is_none(backend: Backend) {
    let shop = shop(backend).await;
    for _ in 0..3 {
        order(&shop, 1).await;
    }
    run(&shop, SET_TOTALS).await;
    let mut owner = browser(&shop, "owner").await;
    for (query, found) in [
        ("sort=nonsense", [3, 2, 1]),
        ("sort=-", [3, 2, 1]),
        ("sort=--total", [3, 2, 1]),
        ("sort=customer_name", [3, 2, 1]),
        ("sort=nonsense&after=x*1", [3, 2, 1]),
        ("sort=total&after=nonsense", [3, 1, 2]),
        ("sort=total&after=1*nonsense", [3, 1, 2]),
        ("sort=total&after=nonsense*1000", [3, 1, 2]),
        ("sort=total&after=1*99999999999999999999", [3, 1, 2]),
        ("sort=total&after=*&status=pending", [3, 1, 2]),
        ("sort=total&after=1*nonsense&status=pending", [3, 1, 2]),
    ] {
        let page = owner.get(&format!("/console/orders?{query}")).await.expect_status(200).text();
        assert_eq!(shown(&page), found, "{query}");
    }
    for list in ["customers", "products", "support", "payments", "jobs"] {
        owner.get(&format!("/console/{list}?sort=nonsense&after=1*nonsense")).await.expect_status(200);
    }
}
