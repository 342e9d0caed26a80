//! The inbox: what waits comes first, and replies reach the customer.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::support_tickets::{
    NewTicket, TicketAuthor, TicketNumber, TicketPriority, TicketStatus, conversation_of, create_ticket, find_ticket,
    reply_to_ticket,
};
use stoa_core::testing::smtp_fake::SmtpFake;
use stoa_core::testing::{TestShop, both_databases};

use crate::shelf::{audit, browser, builder, filled, shop, submit, told};

async fn ticket(shop: &TestShop, customer_id: i64, subject: &str) -> TicketNumber {
    let new = NewTicket {
        customer_id,
        subject: subject.to_owned(),
        body: String::from("Since yesterday."),
        priority: TicketPriority::Normal,
        language: None,
    };
    let record = create_ticket(&shop.parts.db, &new).await.expect("it is opened");
    TicketNumber::of(record.ticket.id)
}

fn numbers(page: &str) -> Vec<&str> {
    let links = page.split("<th scope=\"row\"><a href=\"/console/support/").skip(1);
    links.filter_map(|rest| rest.split('"').next()).collect()
}

both_databases!(tickets_that_wait_come_first);
async fn tickets_that_wait_come_first(backend: Backend) {
    let shop = shop(backend).await;
    let (ada, ben) = (shop.customer().await.id, shop.customer().await.id);
    let lamp = ticket(&shop, ada, "The lamp flickers").await;
    let parcel = ticket(&shop, ben, "No parcel").await;
    let thanks = ticket(&shop, ben, "Thanks").await;
    reply_to_ticket(&shop.parts.db, thanks, TicketAuthor::Staff, "Welcome.").await.expect("it is answered");
    let (lamp, parcel, thanks) = (lamp.to_string(), parcel.to_string(), thanks.to_string());
    let mut support = browser(&shop, "support").await;
    let inbox = support.get("/console/support").await.expect_status(200).text();
    assert!(inbox.contains(&format!("href=\"/console/support/{lamp}\">The lamp flickers</a>")), "{inbox}");
    for (query, found) in [
        (String::new(), vec![parcel.as_str(), &lamp, &thanks]),
        (format!("q={lamp}"), vec![&lamp]),
        (String::from("q=customer-2"), vec![&parcel, &thanks]),
        (String::from("q=customer+1"), vec![&lamp]),
        (format!("customer={ben}&status=answered"), vec![&thanks]),
        (format!("customer={ada}"), vec![&lamp]),
        (String::from("status=closed"), vec![]),
        (String::from("priority=high"), vec![]),
    ] {
        let page = support.get(&format!("/console/support?{query}")).await.expect_status(200).text();
        assert_eq!(numbers(&page), found, "{query}");
    }
}

both_databases!(the_inbox_goes_on_behind_its_last_ticket);
async fn the_inbox_goes_on_behind_its_last_ticket(backend: Backend) {
    let shop = shop(backend).await;
    let ada = shop.customer().await.id;
    for number in 0..53 {
        let opened = ticket(&shop, ada, "One of many").await;
        if number > 0 && number < 30 {
            reply_to_ticket(&shop.parts.db, opened, TicketAuthor::Staff, "Done.").await.expect("it is answered");
        }
    }
    let mut support = browser(&shop, "support").await;
    let first = support.get("/console/support").await.text();
    let (_, next) = first.split_once("<a href=\"/console/support?after=").expect("a next page");
    let next = next.split('"').next().expect("it ends").replace("&#38;", "&");
    let second = support.get(&format!("/console/support?after={next}")).await.text();
    let seen = [numbers(&first), numbers(&second)].concat();
    assert_eq!((numbers(&first).len(), seen.len()), (50, 53));
    assert_eq!((seen[23], seen[24], seen[52]), ("T-000001", "T-000030", "T-000002"), "{seen:?}");
}

both_databases!(a_ticket_is_answered_closed_and_opened_again);
async fn a_ticket_is_answered_closed_and_opened_again(backend: Backend) {
    let shop = shop(backend).await;
    let number = ticket(&shop, shop.customer().await.id, "The lamp flickers").await;
    let mut support = browser(&shop, "support").await;
    let page = format!("/console/support/{number}");
    let path = |act: &str| format!("{page}/{act}");
    let empty = submit(&mut support, &page, &path("reply"), &[("seen", "1"), ("body", " ")]).await;
    assert!(empty.expect_status(422).text().contains("aria-invalid"));
    let reply = [("seen", "1"), ("body", "We send you\nanother one.")];
    let replied = submit(&mut support, &page, &path("reply"), &reply).await;
    let reaches = "This shop sends no mail: the customer reads it in the account.";
    assert_eq!(told(&mut support, replied).await, format!("The reply is saved. {reaches}"));
    let shown = support.get(&page).await.expect_status(200).text();
    assert!(shown.contains(reaches) && !shown.contains("by mail."), "{shown}");
    let stale = submit(&mut support, &page, &path("reply"), &reply).await.expect_status(409).text();
    assert!(stale.contains("We send you\nanother one."), "what was typed stays: {stale}");
    let messages = conversation_of(&shop.parts.db, number.id()).await.expect("it is read");
    assert_eq!((messages.len(), messages[1].author), (2, TicketAuthor::Staff));
    submit(&mut support, &page, &path("close"), &[]).await.expect_status(303);
    let closed = submit(&mut support, &page, &path("reply"), &[("seen", "2"), ("body", "Late.")]).await;
    let closed = closed.expect_status(409).text();
    assert!(closed.contains("Late.</textarea>"), "what was typed stays: {closed}");
    submit(&mut support, &page, &path("reopen"), &[]).await.expect_status(303);
    let ticket = find_ticket(&shop.parts.db, number).await.expect("it is read").expect("it is there").ticket;
    assert_eq!(ticket.status, TicketStatus::Pending);
    let acts = audit(&shop).await.into_iter().take(3).map(|row| row.act).collect::<Vec<_>>();
    assert_eq!(acts, ["support.reopen", "support.close", "support.reply"]);
    let mut viewer = browser(&shop, "viewer").await;
    let shown = viewer.get(&page).await.expect_status(200).text();
    assert!(!shown.contains(">Reply<") && !shown.contains(">Close<"), "{shown}");
}

both_databases!(where_mail_is_sent_a_reply_goes_out_by_mail);
async fn where_mail_is_sent_a_reply_goes_out_by_mail(backend: Backend) {
    let smtp = SmtpFake::open().await;
    let shop = filled(builder(backend).config(&smtp.config())).await;
    let number = ticket(&shop, shop.customer().await.id, "The lamp flickers").await;
    let mut owner = browser(&shop, "owner").await;
    let page = format!("/console/support/{number}");
    let reply = [("seen", "1"), ("body", "We send you another one."), ("close", "1")];
    let replied = submit(&mut owner, &page, &format!("{page}/reply"), &reply).await;
    let closed = "The reply is saved, and the ticket is closed. The customer gets it by mail.";
    assert_eq!(told(&mut owner, replied).await, closed);
    let mails = owner.get("/console/mails").await.expect_status(200).text();
    assert!(!mails.contains("This shop sends no mail"), "{mails}");
}

both_databases!(a_ticket_is_opened_in_the_name_of_a_customer);
async fn a_ticket_is_opened_in_the_name_of_a_customer(backend: Backend) {
    let shop = shop(backend).await;
    let ada = shop.customer().await.id.to_string();
    let mut support = browser(&shop, "support").await;
    let new = "/console/support/new";
    let fields = [("customer", "nobody@example.com"), ("subject", "Called"), ("body", "No light.")];
    let refused = submit(&mut support, new, new, &fields).await.expect_status(422).text();
    assert!(refused.contains("value=\"Called\"") && refused.contains("There is no such customer"), "{refused}");
    let filled = support.get(&format!("{new}?customer={ada}")).await.expect_status(200).text();
    assert!(filled.contains(&format!("value=\"{ada}\"")), "{filled}");
    let customer = support.get(&format!("/console/customers/{ada}")).await.expect_status(200).text();
    assert!(customer.contains(&format!("href=\"{new}?customer={ada}\">Create support ticket</a>")), "{customer}");
    let fields = [("customer", ada.as_str()), ("subject", "Called"), ("body", "No light."), ("priority", "high")];
    submit(&mut support, new, new, &fields).await.expect_status(303);
    let inbox = support.get("/console/support").await.text();
    assert!(inbox.contains("Called") && inbox.contains("<span class=\"badge bad\">high</span>"), "{inbox}");
}

both_databases!(a_ticket_is_opened_for_a_guest_by_the_address_of_an_order);
async fn a_ticket_is_opened_for_a_guest_by_the_address_of_an_order(backend: Backend) {
    let shop = shop(backend).await;
    let guest = json!({"email": "guest@example.com", "name": "Ada Guest"});
    shop.client().post("/auth/guest-tokens", &guest).await.expect_status(201);
    let mut support = browser(&shop, "support").await;
    let new = "/console/support/new";
    let fields = [("customer", "Guest@example.com"), ("subject", "Called"), ("body", "No light.")];
    submit(&mut support, new, new, &fields).await.expect_status(303);
    let inbox = support.get("/console/support").await.expect_status(200).text();
    assert!(inbox.contains("Ada Guest") && inbox.contains("Called"), "{inbox}");
}
