//! The page of an order, opened by its link alone.

use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::kit::{SLUGS, address_in, browser, buy, link, shop};

both_databases!(a_guest_who_has_lost_the_session_finds_everything_by_the_link_of_the_order);
async fn a_guest_who_has_lost_the_session_finds_everything_by_the_link_of_the_order(backend: Backend) {
    let shop = shop(backend).await;
    let order = buy(&shop, &mut browser(&shop), &SLUGS).await;
    let mut later = browser(&shop);
    let page = later.get(&link(&shop, order)).await.expect_status(200).text();
    for shown in ["Songs", "KEY-", "Concert", "Hosting", "Tea", "Withdraw from contract"] {
        assert!(page.contains(shown), "no {shown}: {page}");
    }
    // Nothing can be done by the key but what belongs to this order.
    assert!(!page.contains("/do/") && !page.contains("My account"), "{page}");
    let file = later.get(&address_in(&page, "/file/downloads/")).await.expect_status(200);
    assert_eq!(file.text(), "all the songs");
    assert!(file.header("content-disposition").is_some_and(|name| name.contains("songs.zip")));
    let part = later.with_header("range", "bytes=4-6").get(&address_in(&page, "/file/downloads/")).await;
    assert_eq!(part.expect_status(206).text(), "the");
    let code = later.get(&address_in(&page, "/file/event-tickets/")).await.expect_status(200);
    assert_eq!(code.header("content-type"), Some("image/svg+xml"));
    let invoice = later.get(&address_in(&page, "/file/invoices/")).await.expect_status(200);
    assert_eq!(invoice.header("content-type"), Some("application/pdf"));
}

both_databases!(a_link_shows_nothing_of_another_order);
async fn a_link_shows_nothing_of_another_order(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = browser(&shop);
    let first = buy(&shop, &mut ada, &["songs"]).await;
    let second = buy(&shop, &mut ada, &["license", "concert"]).await;
    let mut later = browser(&shop);
    let (one, other) = (link(&shop, first), link(&shop, second));
    let page = later.get(&one).await.expect_status(200).text();
    assert!(
        page.contains("/file/downloads/") && !page.contains("KEY-") && !page.contains("/file/event-tickets/"),
        "{page}"
    );
    let (address, key) = one.split_once("?key=").expect("a link has a key");
    let (foreign, foreign_key) = other.split_once("?key=").expect("a link has a key");
    for wrong in [
        format!("{address}?key={foreign_key}"),
        format!("{foreign}?key={key}"),
        format!("{address}?key={}", &key[1..]),
        format!("{address}?key={}", &key[..key.len() - 1]),
        format!("{address}?key="),
        address.to_owned(),
    ] {
        let refused = later.get(&wrong).await.expect_status(404).text();
        assert!(!refused.contains("Songs") && !refused.contains("License"), "{refused}");
    }
    // Nor are the files of another order there.
    let theirs = later.get(&other).await.expect_status(200).text();
    let ticket = address_in(&theirs, "/file/event-tickets/");
    later.get(&ticket.replace(foreign_key, key)).await.expect_status(404);
    later.get(ticket.split('?').next().unwrap_or_default()).await.expect_status(401);
}

both_databases!(who_is_logged_in_sees_of_an_order_what_was_bought_with_it);
async fn who_is_logged_in_sees_of_an_order_what_was_bought_with_it(backend: Backend) {
    let shop = shop(backend).await;
    let mut ada = browser(&shop);
    let first = buy(&shop, &mut ada, &["songs"]).await;
    buy(&shop, &mut ada, &["license"]).await;
    let page = ada.get(&format!("/order/O-{first:06}")).await.expect_status(200).text();
    assert!(page.contains("/file/downloads/") && !page.contains("KEY-"), "{page}");
    let all = ada.get("/account/purchases").await.expect_status(200).text();
    assert!(all.contains("/file/downloads/") && all.contains("KEY-"), "{all}");
    browser(&shop).get(&format!("/order/O-{first:06}")).await.expect_status(404);
}
