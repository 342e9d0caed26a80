//! `/support-tickets`: summaries of own tickets (S4.1, contract 2.3).

use chrono::TimeDelta;
use serde_json::{Value, json};
use stoa_core::customers::CustomerRecord;
use stoa_core::db::Backend;
use stoa_core::support_tickets::{
    CreateTicketError, NewTicket, TicketAuthor, TicketNumber, TicketPriority, TicketRecord, TicketStatus, close_ticket,
    create_ticket, reply_to_ticket,
};
use stoa_core::testing::{TestClient, TestShop, both_databases};

use crate::customer::{client_of, shop};

fn about(customer: &CustomerRecord, subject: &str) -> NewTicket {
    NewTicket {
        customer_id: customer.id,
        subject: subject.to_owned(),
        body: String::from("It hums in the evening."),
        priority: TicketPriority::Normal,
        language: None,
    }
}

async fn open(shop: &TestShop, customer: &CustomerRecord, subject: &str) -> TicketRecord {
    create_ticket(&shop.parts.db, &about(customer, subject)).await.expect("a ticket is opened")
}

async fn reply(shop: &TestShop, ticket: i64, author: TicketAuthor) {
    let replied = reply_to_ticket(&shop.parts.db, TicketNumber::of(ticket), author, "Since when?").await;
    replied.expect("a reply is written");
}

async fn listed(client: &TestClient, query: &str) -> Value {
    client.get(&format!("/support-tickets{query}")).await.expect_status(200).json()
}

async fn shown(client: &TestClient, ticket: i64) -> Value {
    client.get(&format!("/support-tickets/{ticket}")).await.expect_status(200).json()["data"].clone()
}

fn subjects(page: &Value) -> Vec<&str> {
    let tickets = page["data"].as_array().expect("a list");
    tickets.iter().map(|ticket| ticket["subject"].as_str().expect("a text")).collect()
}

both_databases!(a_ticket_is_shown_as_a_summary_without_what_was_written);
async fn a_ticket_is_shown_as_a_summary_without_what_was_written(backend: Backend) {
    let shop = shop(backend).await;
    let ada = shop.customer().await;
    let client = client_of(&shop, &ada).await;
    let urgent = NewTicket { priority: TicketPriority::High, ..about(&ada, " The lamp hums ") };
    let ticket = create_ticket(&shop.parts.db, &urgent).await.expect("a ticket is opened").ticket;
    let expected = json!({
        "id": ticket.id, "number": format!("T-{:06}", ticket.id), "subject": "The lamp hums", "status": "open",
        "priority": "high", "last_reply_at": null, "created_at": "2026-01-15T12:00:00Z",
    });
    assert_eq!(shown(&client, ticket.id).await, expected);
    assert_eq!(listed(&client, "").await["data"], json!([expected]));
    shop.advance(TimeDelta::minutes(5));
    reply(&shop, ticket.id, TicketAuthor::Staff).await;
    let answer = client.get(&format!("/support-tickets/{}", ticket.id)).await.expect_status(200);
    assert_eq!(answer.header("cache-control"), Some("private, no-store"));
    assert!(!answer.text().contains("Since when") && !answer.text().contains("hums in"), "{}", answer.text());
    assert_eq!(answer.json()["data"]["last_reply_at"], "2026-01-15T12:05:00Z");
}

both_databases!(the_status_tells_whose_turn_it_is);
async fn the_status_tells_whose_turn_it_is(backend: Backend) {
    let shop = shop(backend).await;
    let ada = shop.customer().await;
    let client = client_of(&shop, &ada).await;
    let id = open(&shop, &ada, "Lamp").await.ticket.id;
    for (author, status) in [
        (TicketAuthor::Customer, "open"),
        (TicketAuthor::Staff, "answered"),
        (TicketAuthor::Staff, "answered"),
        (TicketAuthor::Customer, "pending"),
        (TicketAuthor::Customer, "pending"),
    ] {
        reply(&shop, id, author).await;
        assert_eq!(shown(&client, id).await["status"], status);
    }
    let closed = close_ticket(&shop.parts.db, TicketNumber::of(id)).await.expect("it is closed");
    assert_eq!(closed.record.ticket.status, TicketStatus::Closed);
    assert_eq!(shown(&client, id).await["status"], "closed");
    reply(&shop, id, TicketAuthor::Customer).await;
    assert_eq!(shown(&client, id).await["status"], "pending");
}

both_databases!(tickets_are_listed_twenty_on_a_page_the_newest_first);
async fn tickets_are_listed_twenty_on_a_page_the_newest_first(backend: Backend) {
    let shop = shop(backend).await;
    let (ada, eve) = (shop.customer().await, shop.customer().await);
    let client = client_of(&shop, &ada).await;
    let empty = listed(&client, "").await;
    assert_eq!(
        (&empty["data"], &empty["meta"]["total"], &empty["meta"]["last_page"]),
        (&json!([]), &json!(0), &json!(1))
    );
    let mut names = Vec::new();
    for number in 1..=21 {
        names.push(format!("Question {number}"));
        open(&shop, &ada, names.last().expect("one")).await;
        open(&shop, &eve, "Not hers").await;
    }
    names.reverse();
    // A reply does not change the order.
    let first = listed(&client, "?page=2").await["data"][0]["id"].as_i64().expect("an id");
    reply(&shop, first, TicketAuthor::Staff).await;
    let page = listed(&client, "").await;
    assert_eq!(subjects(&page), names[..20]);
    let meta = &page["meta"];
    let numbers = (&meta["per_page"], &meta["total"], &meta["last_page"], &meta["current_page"]);
    assert_eq!(numbers, (&json!(20), &json!(21), &json!(2), &json!(1)));
    assert_eq!(page["links"]["next"], json!("http://shop.test/api/v1/support-tickets?page=2"));
    assert_eq!(subjects(&listed(&client, "?page=2").await), names[20..]);
    assert_eq!(subjects(&listed(&client, "?page=3").await), [""; 0]);
    assert_eq!(subjects(&listed(&client, "?page=-1").await), names[..20]);
}

both_databases!(nobody_reads_the_tickets_of_others);
async fn nobody_reads_the_tickets_of_others(backend: Backend) {
    let shop = shop(backend).await;
    let (ada, eve) = (shop.customer().await, shop.customer().await);
    let (hers, other) = (client_of(&shop, &ada).await, client_of(&shop, &eve).await);
    let id = open(&shop, &ada, "Mine").await.ticket.id;
    let own = open(&shop, &eve, "Hers").await.ticket.id;
    other.get(&format!("/support-tickets/{id}")).await.expect_error(404, "not_found");
    assert_eq!(subjects(&listed(&other, "").await), ["Hers"]);
    assert_eq!(subjects(&listed(&hers, "").await), ["Mine"]);
    hers.get(&format!("/support-tickets/{own}")).await.expect_error(404, "not_found");
    for unknown in ["0", "-1", "4711", "T-000001", "x", "99999999999999999999"] {
        hers.get(&format!("/support-tickets/{unknown}")).await.expect_error(404, "not_found");
    }
}

both_databases!(head_answers_like_get_and_nothing_writes);
async fn head_answers_like_get_and_nothing_writes(backend: Backend) {
    let shop = shop(backend).await;
    let ada = shop.customer().await;
    let client = client_of(&shop, &ada).await;
    let path = format!("/support-tickets/{}", open(&shop, &ada, "Lamp").await.ticket.id);
    for path in ["/support-tickets", path.as_str()] {
        let head = client.head(path).await.expect_status(200);
        assert!(head.body.is_empty());
        let length = client.get(path).await.body.len().to_string();
        assert_eq!(head.header("content-length"), Some(length.as_str()));
        let refused = client.post(path, &json!({"subject": "New"})).await.expect_error(405, "method_not_allowed");
        assert!(refused.header("allow").is_some_and(|allow| allow.contains("GET") && !allow.contains("POST")));
        client.delete(path).await.expect_error(405, "method_not_allowed");
    }
}

both_databases!(no_ticket_is_opened_without_a_customer_or_a_text);
async fn no_ticket_is_opened_without_a_customer_or_a_text(backend: Backend) {
    let shop = shop(backend).await;
    let ada = shop.customer().await;
    let db = &shop.parts.db;
    let unknown = NewTicket { customer_id: 4711, ..about(&ada, "Lamp") };
    assert!(matches!(create_ticket(db, &unknown).await, Err(CreateTicketError::NoCustomer)));
    assert!(matches!(create_ticket(db, &about(&ada, " ")).await, Err(CreateTicketError::Subject)));
    let silent = NewTicket { body: "x".repeat(10_001), ..about(&ada, "Lamp") };
    assert!(matches!(create_ticket(db, &silent).await, Err(CreateTicketError::Body)));
    assert_eq!(listed(&client_of(&shop, &ada).await, "").await["meta"]["total"], 0);
}

both_databases!(tickets_that_are_opened_and_answered_at_once_lose_nothing);
async fn tickets_that_are_opened_and_answered_at_once_lose_nothing(backend: Backend) {
    let shop = shop(backend).await;
    let ada = shop.customer().await;
    let opened = futures_util::future::join_all((0..8).map(|_| open(&shop, &ada, "Lamp"))).await;
    let mut numbers = opened.iter().map(|record| record.ticket.number.clone()).collect::<Vec<_>>();
    numbers.sort();
    numbers.dedup();
    assert_eq!(numbers.len(), 8);
    let id = opened[0].ticket.id;
    futures_util::future::join_all((0..8).map(|_| reply(&shop, id, TicketAuthor::Staff))).await;
    let written = stoa_core::support_tickets::conversation_of(&shop.parts.db, id).await.expect("it is read");
    assert_eq!(written.len(), 9);
}
