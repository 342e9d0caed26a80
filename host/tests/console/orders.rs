//! The list of orders: found by what people know, filtered, and a page at a time.

use stoa_core::db::Backend;
use stoa_core::orders::{CancelReason, OrderNumber, cancel_order, ship_order};
use stoa_core::testing::both_databases;

use crate::shelf::{browser, number, order, paid_order, shop, submit};

/// The numbers that a page shows, in their order.
fn numbers(page: &str) -> Vec<&str> {
    let links = page.split("<th scope=\"row\"><a href=\"/console/orders/").skip(1);
    links.filter_map(|rest| rest.split('"').next()).collect()
}

both_databases!(orders_are_found_by_what_people_know_of_them);
async fn orders_are_found_by_what_people_know_of_them(backend: Backend) {
    let shop = shop(backend).await;
    let unpaid = number(&order(&shop, 1).await);
    let paid = paid_order(&shop, 2).await;
    let sent = paid_order(&shop, 1).await;
    let sent_number = number(&sent).parse::<OrderNumber>().expect("a number");
    ship_order(&shop.parts.db, sent_number, &[], Some("3SABC123")).await.expect("it is sent");
    let invoice = format!("q={}", paid["invoice"]["number"].as_str().expect("an invoice").to_lowercase());
    let (paid, sent) = (number(&paid), number(&sent));
    let mut owner = browser(&shop, "owner").await;
    for (query, found) in [
        ("", vec![sent.as_str(), &paid, &unpaid]),
        ("q=2", vec![&paid]),
        ("q=O-000002", vec![&paid]),
        (invoice.as_str(), vec![&paid]),
        ("q=3SABC123", vec![&sent]),
        ("q=customer-1", vec![&unpaid]),
        ("q=Customer+3", vec![&sent]),
        ("q=CUSTOMER", vec![&sent, &paid, &unpaid]),
        ("q=nobody", vec![]),
        ("q=%25", vec![]),
        ("status=pending", vec![&unpaid]),
        ("status=paid&payment=paid", vec![&sent, &paid]),
        ("payment=pending", vec![&unpaid]),
        ("to-pack=1", vec![&paid]),
        ("review=1", vec![]),
        ("from=2026-01-15&to=2026-01-15", vec![&sent, &paid, &unpaid]),
        ("from=2026-01-16", vec![]),
        ("to=2026-01-14", vec![]),
        ("status=nonsense&from=never", vec![&sent, &paid, &unpaid]),
    ] {
        let page = owner.get(&format!("/console/orders?{query}")).await.expect_status(200).text();
        assert_eq!(numbers(&page), found, "{query}");
        let told = if found.is_empty() { String::from("0 of 0") } else { format!("1–{0} of {0}", found.len()) };
        assert!(page.contains(&told), "{query}: {page}");
    }
    let list = owner.get("/console/orders").await.expect_status(200).text();
    assert!(list.contains("Days begin at midnight UTC."), "{list}");
    let today = owner.get("/console").await.expect_status(200).text();
    assert!(today.contains("<span>Orders to pack</span> <strong>1</strong>"), "{today}");
    assert_eq!(numbers(&today), [sent, paid, unpaid]);
}

both_databases!(a_long_list_goes_on_behind_its_last_order);
async fn a_long_list_goes_on_behind_its_last_order(backend: Backend) {
    let shop = shop(backend).await;
    for _ in 0..52 {
        order(&shop, 1).await;
    }
    let mut owner = browser(&shop, "owner").await;
    let first = owner.get("/console/orders?status=pending").await.text();
    assert!(first.contains("1–50 of 52"));
    let (_, next) = first.split_once("<a href=\"/console/orders?status=pending&#38;after=").expect("a next page");
    let next = next.split('"').next().expect("it ends").replace("&#38;", "&");
    let second = owner.get(&format!("/console/orders?status=pending&after={next}")).await.text();
    assert!(second.contains("51–52 of 52") && second.contains("First page"), "{second}");
    assert_eq!(numbers(&second), ["O-000002", "O-000001"]);
    assert!(second.contains("<a href=\"/console/orders?status=pending\" rel=\"prev\">Previous page</a>"), "{second}");
}

both_databases!(an_order_leads_back_to_the_list_as_it_was_narrowed);
async fn an_order_leads_back_to_the_list_as_it_was_narrowed(backend: Backend) {
    let shop = shop(backend).await;
    let here = format!("/console/orders/{}", number(&paid_order(&shop, 1).await));
    let mut owner = browser(&shop, "owner").await;
    let trail = |list: &str| format!("<p class=\"trail\"><a href=\"{list}\">Orders</a></p>");
    owner.get("/console/orders?status=paid").await.expect_status(200);
    owner.get("/console/products").await.expect_status(200);
    submit(&mut owner, &here, &format!("{here}/note"), &[("note", "Wrap it")]).await.expect_status(303);
    let page = owner.get(&here).await.expect_status(200).text();
    assert!(page.contains(&trail("/console/orders?status=paid")), "{page}");
    owner.get("/console/orders").await.expect_status(200);
    let page = owner.get(&here).await.expect_status(200).text();
    assert!(page.contains(&trail("/console/orders")), "{page}");
    // What somebody has looked for is not told to who logs in next.
    owner.get("/console/orders?q=ada").await.expect_status(200);
    assert!(owner.cookie("stoa_way_back").is_some());
    submit(&mut owner, &here, "/console/logout", &[]).await.expect_status(303);
    assert_eq!(owner.cookie("stoa_way_back"), None);
}

both_databases!(a_long_list_goes_back_page_by_page);
async fn a_long_list_goes_back_page_by_page(backend: Backend) {
    let shop = shop(backend).await;
    for _ in 0..103 {
        order(&shop, 1).await;
    }
    let mut owner = browser(&shop, "owner").await;
    let led_to = |page: &str, way: &str| -> String {
        let (before, _) = page.split_once(way).unwrap_or_else(|| panic!("no {way}: {page}"));
        before.rsplit("<a href=\"").next().expect("a link").replace("&#38;", "&").trim_end_matches('"').to_owned()
    };
    let mut page = owner.get("/console/orders").await.text();
    let mut shown = vec![numbers(&page).into_iter().map(str::to_owned).collect::<Vec<_>>()];
    for _ in 0..2 {
        let next = led_to(&page, " rel=\"next\"");
        page = owner.get(&next).await.text();
        shown.push(numbers(&page).into_iter().map(str::to_owned).collect::<Vec<_>>());
    }
    assert!(page.contains("101–103 of 103"), "{page}");
    for (told, rows) in [("51–100 of 103", &shown[1]), ("1–50 of 103", &shown[0])] {
        let previous = led_to(&page, " rel=\"prev\"");
        page = owner.get(&previous).await.text();
        assert!(page.contains(told) && numbers(&page) == *rows, "{page}");
    }
    assert!(!page.contains("Previous page"), "{page}");
}

both_databases!(what_customers_write_is_shown_as_they_wrote_it);
async fn what_customers_write_is_shown_as_they_wrote_it(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let page = owner.get("/console/orders?q=%3Cscript%3Ealert(1)%3C%2Fscript%3E").await.expect_status(200).text();
    assert!(!page.contains("<script>alert") && page.contains("&#60;script&#62;alert"), "{page}");
}

both_databases!(an_order_that_was_cancelled_does_not_wait_to_be_sent);
async fn an_order_that_was_cancelled_does_not_wait_to_be_sent(backend: Backend) {
    let shop = shop(backend).await;
    let placed = order(&shop, 1).await;
    let page = format!("/console/orders/{}", number(&placed));
    let mut owner = browser(&shop, "owner").await;
    for path in ["/console/orders", &page] {
        let shown = owner.get(path).await.expect_status(200).text();
        assert!(shown.contains("unfulfilled"), "{path}: {shown}");
    }
    let id = placed["id"].as_i64().expect("an id");
    cancel_order(&shop.uses(), id, CancelReason::Operator).await.expect("it is cancelled");
    for path in ["/console/orders", &page] {
        let shown = owner.get(path).await.expect_status(200).text();
        assert!(shown.contains("cancelled") && !shown.contains("unfulfilled"), "{path}: {shown}");
    }
}

both_databases!(a_list_is_exported_as_it_is_filtered_and_whole);
async fn a_list_is_exported_as_it_is_filtered_and_whole(backend: Backend) {
    let shop = shop(backend).await;
    order(&shop, 1).await;
    let paid = number(&paid_order(&shop, 2).await);
    let mut owner = browser(&shop, "owner").await;
    let page = owner.get("/console/orders?status=paid").await.expect_status(200).text();
    assert!(page.contains("href=\"/console/orders?status=paid&#38;format=csv\""), "{page}");
    let answer = owner.get("/console/orders?status=paid&format=csv").await.expect_status(200);
    assert_eq!(answer.header("content-type"), Some("text/csv; charset=utf-8"));
    assert_eq!(answer.header("content-disposition"), Some("attachment; filename=\"orders.csv\""));
    let text = answer.text();
    let lines = text.split_terminator("\r\n").collect::<Vec<_>>();
    assert_eq!(lines.len(), 2, "{text}");
    assert_eq!(lines[0], "Order,Placed,Customer,Status,Payment,Shipping,Total");
    assert!(lines[1].starts_with(&format!("{paid},2026-01-15T")), "{text}");
    assert!(lines[1].ends_with(",paid,paid,unfulfilled,44.95"), "{text}");
}

both_databases!(each_value_of_a_list_has_its_heading_beside_it_for_phones);
async fn each_value_of_a_list_has_its_heading_beside_it_for_phones(backend: Backend) {
    let shop = shop(backend).await;
    order(&shop, 1).await;
    let mut owner = browser(&shop, "owner").await;
    let orders = owner.get("/console/orders").await.expect_status(200).text();
    assert!(orders.contains("<td class=\"headed\" data-label=\"Customer\">"), "{orders}");
    assert!(orders.contains("<td class=\"number\">€24.95</td>"), "the one amount stands alone: {orders}");
    let settings = owner.get("/console/settings?q=shop.name").await.expect_status(200).text();
    assert!(settings.contains("data-label=\"Value\">"), "{settings}");
    assert!(settings.contains("data-label=\"Written in\">"), "{settings}");
    let security = owner.get("/console/security").await.expect_status(200).text();
    assert!(security.contains("<td class=\"headed\" data-label=\"Last request\">"), "{security}");
}
