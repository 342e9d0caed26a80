//! Everything that can be done about an order, by the page as by the command line.

use stoa_core::db::Backend;
use stoa_core::testing::{TestBrowser, TestResponse, TestShop, both_databases};

use crate::shelf::{audit, browser, csrf_of, number, order, paid_order, shop, submit};

async fn act(browser: &mut TestBrowser, order: &str, act: &str, fields: &[(&str, &str)]) -> TestResponse {
    let page = format!("/console/orders/{order}");
    let shown = browser.get(&page).await.expect_status(200).text();
    let seen = shown.split_once("name=\"seen\" value=\"").and_then(|(_, rest)| rest.split('"').next()).unwrap_or("0");
    let fields = [&[("seen", seen)], fields].concat();
    submit(browser, &page, &format!("{page}/{act}"), &fields).await
}

/// The id of the order's only item, as the page's forms name it.
async fn item(browser: &mut TestBrowser, order: &str) -> String {
    let page = browser.get(&format!("/console/orders/{order}")).await.text();
    let (_, rest) = page.split_once("name=\"quantity-").expect("a form with items");
    rest.split('"').next().expect("it ends").to_owned()
}

async fn last_act(shop: &TestShop) -> (String, String, String) {
    let row = audit(shop).await.remove(0);
    (row.actor, row.act, row.subject)
}

fn row(act: &str, id: i64) -> (String, String, String) {
    (String::from("staff:owner@shop.example"), act.to_owned(), format!("order:{id}"))
}

both_databases!(an_order_is_paid_packed_refunded_and_noted);
async fn an_order_is_paid_packed_refunded_and_noted(backend: Backend) {
    let shop = shop(backend).await;
    let order = number(&order(&shop, 3).await);
    let mut owner = browser(&shop, "owner").await;
    let page = owner.get(&format!("/console/orders/{order}")).await.expect_status(200).text();
    for text in ["Mark as paid", "Cancel order", "Ada Buyer", "Lamp", "Add note"] {
        assert!(page.contains(text), "{text}: {page}");
    }
    assert!(!page.contains("id=\"ship\"") && !page.contains("id=\"refund\""));
    act(&mut owner, &order, "paid", &[]).await.expect_status(303);
    assert_eq!(last_act(&shop).await, row("orders.mark-paid", 1));
    let twice = act(&mut owner, &order, "paid", &[]).await.expect_status(409);
    assert!(twice.text().contains("The order is paid already."));

    let quantity = format!("quantity-{}", item(&mut owner, &order).await);
    act(&mut owner, &order, "ship", &[(&quantity, "2"), ("tracking", "3SABC")]).await.expect_status(303);
    assert_eq!(last_act(&shop).await, row("orders.ship", 1));
    let too_many = act(&mut owner, &order, "ship", &[(&quantity, "2")]).await.expect_status(409);
    assert!(too_many.text().contains("role=\"alert\""), "{}", too_many.text());
    act(&mut owner, &order, "ship", &[(&quantity, "x")]).await.expect_status(422);
    act(&mut owner, &order, "ship", &[]).await.expect_status(422);

    act(&mut owner, &order, "note", &[("note", "Called <b>back</b>")]).await.expect_status(303);
    assert_eq!(last_act(&shop).await, row("orders.note", 1));
    let page = owner.get(&format!("/console/orders/{order}?done=Done.")).await.text();
    assert!(page.contains("Called &#60;b&#62;back") && page.contains("by staff:owner@shop.example"), "{page}");
    assert!(page.contains("<p class=\"told\" role=\"status\">Done.</p>") && page.contains("3SABC"), "{page}");
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}

both_databases!(a_refund_is_seen_before_it_is_made);
async fn a_refund_is_seen_before_it_is_made(backend: Backend) {
    let shop = shop(backend).await;
    let order = number(&paid_order(&shop, 3).await);
    let mut owner = browser(&shop, "owner").await;
    let quantity = format!("quantity-{}", item(&mut owner, &order).await);
    let units = quantity.replace("quantity", "units");
    let fields = [(quantity.as_str(), "1"), (units.as_str(), "2"), ("reason", "Broken")];
    let rows = audit(&shop).await.len();
    let preview = act(&mut owner, &order, "refund", &fields).await.expect_status(200).text();
    assert!(preview.contains("€20.00 would go back") && preview.contains("1 × Lamp (units 2)"), "{preview}");
    assert_eq!(audit(&shop).await.len(), rows, "nothing has happened");

    // The preview's own form makes it, with all that was entered.
    let (_, form) = preview.split_once("id=\"refund-preview\"").expect("a preview");
    let (form, _) = form.split_once("</form>").expect("it ends");
    let hidden = form.split("<input type=\"hidden\" name=\"").skip(1).filter_map(|field| {
        let (name, rest) = field.split_once("\" value=\"")?;
        Some((name, rest.split('"').next()?))
    });
    let confirmed = hidden.chain([("confirm", "1")]).collect::<Vec<_>>();
    let path = format!("/console/orders/{order}/refund");
    owner.submit(&path, &confirmed).await.expect_status(303);
    assert_eq!(last_act(&shop).await, row("orders.refund", 1));
    // A second click, or another clerk with the same page, changes nothing.
    let stale = owner.submit(&path, &confirmed).await.expect_status(409).text();
    assert!(stale.contains("Somebody has changed this order meanwhile"), "{stale}");
    assert!(stale.contains("refund of €20.00"), "{stale}");

    for (fields, status) in [
        (vec![("amount", "1000"), ("reason", "All")], 200),
        (vec![("amount", "9999.00"), ("reason", "All")], 409),
        (vec![("amount", "-1"), ("reason", "All")], 422),
        (vec![("amount", "x"), ("reason", "All")], 422),
        (vec![("amount", "5.00")], 422),
        (vec![("reason", "Nothing")], 422),
        (vec![(quantity.as_str(), "1"), (units.as_str(), "2"), ("reason", "Again")], 409),
    ] {
        act(&mut owner, &order, "refund", &fields).await.expect_status(status);
    }
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}

both_databases!(an_order_that_is_not_paid_is_cancelled_once);
async fn an_order_that_is_not_paid_is_cancelled_once(backend: Backend) {
    let shop = shop(backend).await;
    let order = number(&order(&shop, 1).await);
    let mut owner = browser(&shop, "owner").await;
    act(&mut owner, &order, "cancel", &[]).await.expect_status(303);
    assert_eq!(last_act(&shop).await, row("orders.cancel", 1));
    let again = act(&mut owner, &order, "cancel", &[]).await.expect_status(409);
    assert!(again.text().contains("cancelled already"));
    act(&mut owner, &order, "paid", &[]).await.expect_status(409);
}

both_databases!(the_page_shows_each_role_what_it_may_do);
async fn the_page_shows_each_role_what_it_may_do(backend: Backend) {
    let shop = shop(backend).await;
    let order = number(&paid_order(&shop, 2).await);
    for (role, ships, refunds, notes) in [
        ("manager", true, true, true),
        ("support", false, false, true),
        ("warehouse", true, false, true),
        ("accountant", false, true, true),
        ("viewer", false, false, false),
    ] {
        let page = browser(&shop, role).await.get(&format!("/console/orders/{order}")).await.expect_status(200).text();
        let has = |what: &str| page.contains(&format!("/console/orders/{order}/{what}\""));
        assert_eq!((has("ship"), has("refund"), has("note")), (ships, refunds, notes), "{role}");
    }
}

both_databases!(documents_come_as_pdf);
async fn documents_come_as_pdf(backend: Backend) {
    let shop = shop(backend).await;
    let order = number(&paid_order(&shop, 1).await);
    let mut owner = browser(&shop, "owner").await;
    let page = owner.get(&format!("/console/orders/{order}")).await.text();
    let (_, rest) = page.split_once("href=\"/console/documents/").expect("an invoice");
    let invoice = rest.split('"').next().expect("it ends").to_owned();
    let pdf = owner.get(&format!("/console/documents/{invoice}")).await.expect_status(200);
    assert_eq!(pdf.header("content-type"), Some("application/pdf"));
    for unknown in ["INV-1999-000001", "x%20y", "0"] {
        owner.get(&format!("/console/documents/{unknown}")).await.expect_status(404);
    }
    for unknown in ["O-000099", "nonsense", "0"] {
        owner.get(&format!("/console/orders/{unknown}")).await.expect_status(404);
        let csrf = csrf_of(&owner.get("/console").await.text());
        owner.submit(&format!("/console/orders/{unknown}/paid"), &[("csrf", &csrf)]).await.expect_status(404);
    }
}
