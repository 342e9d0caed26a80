//! What can be done about an order, and what it leaves in the audit log.

use serde_json::Value;
use stoa_core::db::Backend;
use stoa_core::prelude::*;
use stoa_core::testing::smtp_fake::{Received, SmtpFake};
use stoa_core::testing::{TestBrowser, TestShop, both_databases};

use crate::forms::fill_in;
use crate::shelf::{audit, browser, builder, csrf_of, filled, number, order, paid_order, shop, submit};

const FIRST_CUSTOMER: Sql = sql!("SELECT MIN(customer_id) FROM orders");

/// What the first field of this name, or of a name that begins so, is and holds on a page.
fn field(page: &str, name: &str) -> (String, String) {
    let (_, rest) = page.split_once(&format!("name=\"{name}")).unwrap_or_else(|| panic!("no {name} in {page}"));
    let (more, rest) = rest.split_once('"').expect("it ends");
    let value = rest.split_once("value=\"").expect("a value").1.split('"').next().expect("it ends");
    (format!("{name}{more}"), value.to_owned())
}

fn path(order: &Value) -> String {
    format!("/console/orders/{}", number(order))
}

/// The acts about an order, the newest first, with who has done them.
async fn acts(shop: &TestShop, order: &Value) -> Vec<(String, String)> {
    let about = format!("order:{}", order["id"]);
    let rows = audit(shop).await.into_iter().filter(|row| row.subject == about);
    rows.map(|row| (row.act, row.actor)).collect()
}

fn by_owner(act: &str) -> (String, String) {
    (act.to_owned(), String::from("staff:owner@shop.example"))
}

/// Asks for a refund of units of the one item, from the page as it is now.
async fn ask_refund(owner: &mut TestBrowser, order: &Value, more: &[(&str, &str)]) -> stoa_core::testing::TestResponse {
    let page = owner.get(&path(order)).await.expect_status(200).text();
    let (item, seen) = (field(&page, "quantity-").0, field(&page, "seen").1);
    let fields = [&[("seen", seen.as_str()), (item.as_str(), "1"), ("reason", "It hums")], more].concat();
    submit(owner, &path(order), &format!("{}/refund", path(order)), &fields).await
}

both_databases!(an_order_is_marked_as_paid_and_shipped_each_once_and_each_with_its_row);
async fn an_order_is_marked_as_paid_and_shipped_each_once_and_each_with_its_row(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let order = order(&shop, 2).await;
    let here = path(&order);
    submit(&mut owner, &here, &format!("{here}/paid"), &[]).await.expect_status(303);
    let again = submit(&mut owner, &here, &format!("{here}/paid"), &[]).await.expect_status(409);
    assert!(again.text().contains("The order is paid already."), "{}", again.text());
    let page = owner.get(&here).await.expect_status(200).text();
    let ((item, quantity), (_, seen)) = (field(&page, "quantity-"), field(&page, "seen"));
    let nothing = [("seen", seen.as_str()), (item.as_str(), "0"), ("tracking", "3SABC")];
    let refused = submit(&mut owner, &here, &format!("{here}/ship"), &nothing).await.expect_status(422);
    let refused = refused.text();
    assert!(refused.contains("Say of at least one item how many units are sent."), "{refused}");
    assert!(refused.contains("value=\"3SABC\"") && field(&refused, "quantity-").1 == "0", "what was typed: {refused}");
    let all = [("seen", seen.as_str()), (item.as_str(), quantity.as_str()), ("tracking", "3SABC")];
    submit(&mut owner, &here, &format!("{here}/ship"), &all).await.expect_status(303);
    let page = owner.get(&here).await.expect_status(200).text();
    assert!(page.contains("2 × Lamp, tracking 3SABC"), "{page}");
    assert_eq!(acts(&shop, &order).await, [by_owner("orders.ship"), by_owner("orders.mark-paid")]);
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}

both_databases!(a_refund_is_shown_before_money_goes_back_and_goes_back_once);
async fn a_refund_is_shown_before_money_goes_back_and_goes_back_once(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let order = paid_order(&shop, 2).await;
    let rows = acts(&shop, &order).await.len();
    let preview = ask_refund(&mut owner, &order, &[]).await.expect_status(200).text();
    assert!(preview.contains("€20.00 would go back") && preview.contains("1 × Lamp"), "{preview}");
    assert_eq!(acts(&shop, &order).await.len(), rows, "looking does nothing");
    // The form of the preview holds all that was asked for.
    let (_, form) = preview.split_once("id=\"refund-preview\"").expect("the preview");
    let kept = ["seen", "quantity-", "reason"].map(|name| field(form, name));
    let csrf = csrf_of(&preview);
    let mut fields = kept.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect::<Vec<_>>();
    fields.extend([("csrf", csrf.as_str()), ("confirm", "1")]);
    let refund = format!("{}/refund", path(&order));
    owner.submit(&refund, &fields).await.expect_status(303);
    let again = owner.submit(&refund, &fields).await.expect_status(409);
    assert!(again.text().contains("Somebody has changed this order meanwhile."), "{}", again.text());
    assert_eq!(acts(&shop, &order).await[0], by_owner("orders.refund"));
    assert_eq!(acts(&shop, &order).await.len(), rows + 1);
    let page = owner.get(&path(&order)).await.expect_status(200).text();
    assert!(page.contains("refund of €20.00"), "{page}");
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}

both_databases!(two_who_refund_the_same_unit_at_once_refund_it_once);
async fn two_who_refund_the_same_unit_at_once_refund_it_once(backend: Backend) {
    let shop = shop(backend).await;
    let (mut owner, mut manager) = (browser(&shop, "owner").await, browser(&shop, "manager").await);
    let order = paid_order(&shop, 1).await;
    let refund = format!("{}/refund", path(&order));
    let mut forms = Vec::new();
    for clerk in [&mut owner, &mut manager] {
        let page = clerk.get(&path(&order)).await.expect_status(200).text();
        forms.push((csrf_of(&page), field(&page, "quantity-").0, field(&page, "seen").1));
    }
    let sent = forms.iter().map(|(csrf, item, seen)| {
        [
            ("csrf", csrf.as_str()),
            ("seen", seen.as_str()),
            (item.as_str(), "1"),
            ("reason", "It hums"),
            ("confirm", "1"),
        ]
    });
    let sent = sent.collect::<Vec<_>>();
    let (one, other) = tokio::join!(owner.submit(&refund, &sent[0]), manager.submit(&refund, &sent[1]));
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    assert_eq!(statuses, [303, 409], "{} {}", one.text(), other.text());
    assert_eq!(acts(&shop, &order).await.iter().filter(|(act, _)| act == "orders.refund").count(), 1);
    assert_eq!(shop.breaches().await, Vec::<String>::new());
}

both_databases!(what_a_refund_cannot_be_is_said_and_nothing_goes_back);
async fn what_a_refund_cannot_be_is_said_and_nothing_goes_back(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let order = paid_order(&shop, 2).await;
    for (more, status, words) in [
        (("amount", "1.00"), 422, "Enter either an amount or units, not both."),
        (("amount", "a lot"), 422, "role=\"alert\""),
        (("seen-too", ""), 200, "would go back"),
    ] {
        let answer = ask_refund(&mut owner, &order, &[more]).await.expect_status(status).text();
        assert!(answer.contains(words), "{more:?}: {answer}");
        assert!(answer.contains("value=\"It hums\""), "what was typed: {answer}");
    }
    let mut viewer = browser(&shop, "viewer").await;
    let page = viewer.get(&path(&order)).await.expect_status(200).text();
    assert!(!page.contains("/refund\"") && !page.contains("/ship\""), "{page}");
    let csrf = csrf_of(&page);
    let refund = format!("{}/refund", path(&order));
    viewer
        .submit(&refund, &[("csrf", &csrf), ("amount", "1.00"), ("reason", "No"), ("confirm", "1")])
        .await
        .expect_status(403);
    assert!(acts(&shop, &order).await.iter().all(|(act, _)| act != "orders.refund"));
}

both_databases!(a_mail_about_an_order_is_sent_once_more_to_the_address_that_its_customer_has_now);
async fn a_mail_about_an_order_is_sent_once_more_to_the_address_that_its_customer_has_now(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = filled(builder(backend).config(&smtp.config())).await;
    let order = paid_order(&shop, 1).await;
    shop.run_jobs().await;
    let first = smtp.collect().into_iter().find(|mail| !mail.files().is_empty()).expect("a mail with the invoice");
    let mut support = browser(&shop, "support").await;
    let customer = format!("/console/customers/{}", first_customer(&shop).await);
    let email = [("email", "moved@example.com")];
    fill_in(&mut support, &customer, &customer, &email, &[]).await.expect_status(303);
    let mail = format!("{}/mail", path(&order));
    let answer = fill_in(&mut support, &path(&order), &mail, &[], &[]).await.expect_status(303);
    assert_eq!(answer.header("location"), Some(path(&order).as_str()));
    shop.run_jobs().await;
    let again = smtp.collect().into_iter().find(|mail| mail.to == ["moved@example.com"]).expect("it is sent once more");
    assert_eq!((again.text(), again.html()), (first.text(), first.html()), "with the same words");
    let names = |mail: &Received| mail.files().into_iter().map(|(name, ..)| name).collect::<Vec<_>>();
    assert_eq!(names(&again), names(&first), "and the same files");
    assert_eq!(audit(&shop).await[0].act, "mails.resend");
    let mut warehouse = browser(&shop, "warehouse").await;
    let page = warehouse.get(&path(&order)).await.expect_status(200).text();
    assert!(!page.contains("Send again") && !page.contains("moved@example.com to"), "{page}");
}

async fn first_customer(shop: &TestShop) -> i64 {
    shop.parts.db.read(FIRST_CUSTOMER).scalar().await.expect("somebody has bought")
}

const FAIL_MAIL: Sql =
    sql!("UPDATE tasks SET state = 'failed', last_error = 'the server says: 550 no such box' WHERE kind = 'mail.send'");

both_databases!(a_mail_that_failed_says_why_on_the_page_of_its_order_and_is_tried_again_there);
async fn a_mail_that_failed_says_why_on_the_page_of_its_order_and_is_tried_again_there(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = filled(builder(backend).config(&smtp.config())).await;
    let order = paid_order(&shop, 1).await;
    shop.run_jobs().await;
    let mut owner = browser(&shop, "owner").await;
    fill_in(&mut owner, &path(&order), &format!("{}/mail", path(&order)), &[], &[]).await.expect_status(303);
    smtp.collect();
    let fail = async |tx: &mut Tx| -> Result<u64, DbError> { tx.run(FAIL_MAIL).execute().await };
    assert_eq!(shop.parts.db.write(fail).await.expect("it fails"), 1);
    let page = owner.get(&path(&order)).await.expect_status(200).text();
    assert!(page.contains("550 no such box") && page.contains(">Retry</button>"), "{page}");
    let retried = fill_in(&mut owner, &path(&order), "/console/mails/retry", &[], &[]).await.expect_status(303);
    assert_eq!(retried.header("location"), Some(path(&order).as_str()), "one stays at the order");
    assert_eq!(audit(&shop).await[0].act, "mails.retry");
    shop.run_jobs().await;
    assert!(!smtp.collect().is_empty(), "it is sent");
    let list = owner.get("/console/mails?state=sent").await.expect_status(200).text();
    assert!(list.contains("data-label=\"Attempts\"></td>"), "nobody knows how often one was tried: {list}");
    let letter =
        list.split("href=\"/console/mails/").find(|rest| rest.starts_with(|first: char| first.is_ascii_digit()));
    let letter = letter.and_then(|rest| rest.split('"').next()).expect("a link to the mail");
    let letter = owner.get(&format!("/console/mails/{letter}")).await.expect_status(200).text();
    assert!(letter.contains("<p class=\"trail\"><a href=\"/console/mails?state=sent\">Mails</a></p>"), "{letter}");
}

both_databases!(an_order_is_cancelled_after_a_question);
async fn an_order_is_cancelled_after_a_question(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let order = order(&shop, 1).await;
    let (here, cancel) = (path(&order), format!("{}/cancel", path(&order)));
    let asked = submit(&mut owner, &here, &cancel, &[]).await.expect_status(200).text();
    assert!(asked.contains(&format!("Cancel order {}?", number(&order))), "{asked}");
    assert!(asked.contains(&format!("href=\"{here}\">Keep it</a>")) && !asked.contains(">Items</h2>"), "{asked}");
    assert!(acts(&shop, &order).await.is_empty(), "asking does nothing");
    submit(&mut owner, &here, &cancel, &[("confirm", "1")]).await.expect_status(303);
    assert_eq!(acts(&shop, &order).await[0], by_owner("orders.cancel"));
}

both_databases!(what_can_be_done_about_an_order_stands_before_its_history);
async fn what_can_be_done_about_an_order_stands_before_its_history(backend: Backend) {
    let shop = shop(backend).await;
    let order = paid_order(&shop, 1).await;
    let mut owner = browser(&shop, "owner").await;
    let page = owner.get(&path(&order)).await.expect_status(200).text();
    let place = |part: &str| page.find(part).unwrap_or_else(|| panic!("no {part} in {page}"));
    assert!(place(">Items</h2>") < place(">Refund</h2>") && place(">Refund</h2>") < place(">History</h2>"), "{page}");
    assert!(place(">Ship</h2>") < place(">Ship to</h3>") && place(">Ship to</h3>") < place(">Refund</h2>"), "{page}");
    assert!(page.contains("<dt>Order</dt><dd><span class=\"badge good\">paid</span></dd>"), "{page}");
    assert!(!page.contains("<dt>Payment</dt>"), "it is said once: {page}");
    assert!(page.contains("Netherlands<br>") && page.contains("by Standard"), "names stand there, not codes: {page}");
    let customer = format!("/console/support/new?customer={}", first_customer(&shop).await);
    assert!(page.contains(&format!("href=\"{customer}\">Create support ticket</a>")), "{page}");
}
