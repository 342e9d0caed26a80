//! What customers see of their tickets.

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::kit::{builder, buyer, order_id, product, seated, shop_with, text};

both_databases!(a_ticket_says_what_it_is_for);
async fn a_ticket_says_what_it_is_for(backend: Backend) {
    let shop = builder(backend).open().await;
    shop.stock(&[seated("stalls", &json!({"ticket_type": "Stalls"}))]).await;
    let ada = buyer(&shop).await;
    let order = ada.buy_with(&shop, "stalls", 1, &json!({"seat": "A1", "holder": "Ada Lovelace"})).await;
    let tickets = ada.tickets().await;
    let ticket = &tickets[0];
    let (token, qr) = (text(&ticket["token"]), text(&ticket["qr"]));
    assert!(token.len() >= 24 && qr.starts_with("T1."), "{ticket}");
    assert_eq!(
        *ticket,
        json!({"number": "ET-000001", "token": token, "status": "issued", "event": "Symposium",
               "event_slug": "symposium-1", "venue": "Agora", "starts_at": "2031-05-01T17:00:00Z",
               "starts_at_local": "2031-05-01T19:00:00", "ends_at": null,
               "ticket_type": "Stalls", "holder": "Ada Lovelace", "seat": "A1", "checked_in_at": null,
               "voided_at": null, "qr": qr, "order_id": order_id(&order)})
    );
    let shown = ada.client.get(&format!("/event-tickets/{token}")).await.expect_status(200);
    assert!(shown.header("cache-control").is_some_and(|control| control.contains("no-store")));
    assert_eq!(shown.json()["data"], *ticket);
}

both_databases!(another_customers_ticket_is_not_found);
async fn another_customers_ticket_is_not_found(backend: Backend) {
    let shop = shop_with(backend, 10).await;
    let (ada, eve) = (buyer(&shop).await, buyer(&shop).await);
    ada.buy(&shop, "standing", 1).await;
    let path = format!("/event-tickets/{}", text(&ada.tickets().await[0]["token"]));
    for accept in ["application/json", "image/svg+xml", "application/pdf"] {
        let eve = eve.client.with_header("accept", accept);
        eve.get(&path).await.expect_error(404, "not_found");
    }
    assert_eq!(eve.tickets().await, [Value::Null; 0]);
    for unknown in ["1", "0", "-1", "ET-000001", "%20", "9999999999999999999999", "..%2f..%2fetc", "1%00"] {
        ada.client.get(&format!("/event-tickets/{unknown}")).await.expect_error(404, "not_found");
    }
}

both_databases!(reading_needs_its_ability);
async fn reading_needs_its_ability(backend: Backend) {
    let shop = shop_with(backend, 10).await;
    let ada = buyer(&shop).await;
    ada.buy(&shop, "standing", 1).await;
    let path = format!("/event-tickets/{}", text(&ada.tickets().await[0]["token"]));
    for path in ["/event-tickets", &path] {
        shop.client().get(path).await.expect_error(401, "unauthenticated");
        let other = shop.client().token(&ada.customer, &["orders.read"]).await;
        let refused = other.get(path).await.expect_error(403, "insufficient_scope").json();
        assert_eq!(refused["errors"]["required_ability"], json!(["event_tickets.read"]));
        let own = shop.client().token(&ada.customer, &["event_tickets.read"]).await;
        own.get(path).await.expect_status(200);
        own.head(path).await.expect_status(200);
        own.delete(path).await.expect_error(405, "method_not_allowed");
    }
}

both_databases!(tickets_are_listed_with_the_newest_first);
async fn tickets_are_listed_with_the_newest_first(backend: Backend) {
    let shop = shop_with(backend, 30).await;
    let ada = buyer(&shop).await;
    ada.buy(&shop, "standing", 21).await;
    let first = ada.client.get("/event-tickets").await.expect_status(200).json();
    let members = (&first["meta"]["total"], &first["meta"]["per_page"], &first["data"][0]["number"]);
    assert_eq!(members, (&json!(21), &json!(20), &json!("ET-000021")));
    let second = ada.client.get("/event-tickets?page=2").await.expect_status(200).json();
    assert_eq!(second["data"].as_array().map(Vec::len), Some(1));
    let past = ada.client.get("/event-tickets?page=7").await.expect_status(200).json();
    assert_eq!(past["data"], json!([]));
}

both_databases!(a_ticket_can_be_printed);
async fn a_ticket_can_be_printed(backend: Backend) {
    let shop = builder(backend).open().await;
    shop.stock(&[seated("stalls", &json!({"event": "Übermut", "ticket_type": "Stalls"}))]).await;
    let ada = buyer(&shop).await;
    ada.buy_with(&shop, "stalls", 1, &json!({"seat": "A1", "holder": "Соломія Їжаченко"})).await;
    let token = text(&ada.tickets().await[0]["token"]);
    let german = ada.client.with_header("accept", "application/pdf").with_header("accept-language", "de");
    let file = german.get(&format!("/event-tickets/{token}")).await.expect_status(200);
    assert_eq!(file.header("content-type"), Some("application/pdf"));
    assert!(file.header("content-disposition").is_some_and(|value| value.contains("ET-000001.pdf")));
    let said = text_of(&file.body);
    for part in
        ["Übermut", "Eintrittskarte", "2031-05-01 19:00", "Agora", "Stalls", "A1", "Соломія Їжаченко", "ET-000001"]
    {
        assert!(said.contains(part), "{part} is in\n{said}");
    }

    let told = shop.command(&["event-tickets", "pdf", "ET-000001", "ticket.pdf"]).await.expect_success();
    assert!(told.contains("ticket.pdf"), "{told}");
    let written = std::fs::read(shop.folder().join("ticket.pdf")).expect("it is written");
    assert!(text_of(&written).contains("Ticket"));
    let nowhere = shop.command(&["event-tickets", "pdf", "ET-000001", "no/such/folder.pdf"]).await;
    assert!(nowhere.expect_failure(1).contains("no/such/folder.pdf"));
}

fn text_of(pdf: &[u8]) -> String {
    let pdf = lopdf::Document::load_mem(pdf).expect("it can be read");
    let pages = pdf.get_pages().into_keys();
    pages.map(|page| pdf.extract_text(&[page]).expect("its text can be read")).collect()
}

both_databases!(customers_choose_tickets_by_the_place_of_the_event);
async fn customers_choose_tickets_by_the_place_of_the_event(backend: Backend) {
    let shop = builder(backend).open().await;
    let in_the_stoa = product("talk", &json!({"event": "Talk", "venue": "Stoa"}));
    shop.stock(&[in_the_stoa, product("standing", &json!({})), product("seats", &json!({"ticket_type": "Seats"}))])
        .await;
    let browse = async |query: &str| {
        let german = shop.client().with_header("accept-language", "de");
        german.get(&format!("/browse{query}")).await.expect_status(200).json()
    };
    let all = browse("").await;
    let values =
        json!([{"value": "Agora", "label": "Agora", "count": 2}, {"value": "Stoa", "label": "Stoa", "count": 1}]);
    let facet = json!({"parameter": "event_tickets.venue", "key": "venue", "label": "Ort", "values": values});
    assert_eq!(all["meta"]["facets"], json!([facet]));
    let chosen = browse("?event_tickets.venue=Stoa").await;
    assert_eq!((&chosen["meta"]["total"], &chosen["data"][0]["slug"]), (&json!(1), &json!("talk")));
    assert_eq!(browse("?event_tickets.venue=Nowhere").await["meta"]["total"], 0);
    let list = async |query: &str| shop.client().get(&format!("/products{query}")).await.expect_status(200).json();
    let chosen = list("?event_tickets.venue=Stoa").await;
    assert_eq!((&chosen["meta"]["total"], &chosen["data"][0]["slug"]), (&json!(1), &json!("talk")));
    assert!(chosen["links"]["last"].as_str().is_some_and(|link| link.contains("event_tickets.venue=Stoa")), "{chosen}");
    for (query, total) in [
        ("?event_tickets.venue=Nowhere", 0),
        ("?event_tickets.venue=Stoa&category=none", 0),
        ("?event_tickets.venue=Stoa&event_tickets.venue=Agora", 2),
        ("?event_tickets.venue=", 3),
        ("?event_tickets.place=Stoa&option.venue=Stoa", 3),
    ] {
        assert_eq!(list(query).await["meta"]["total"], total, "{query}");
    }
    // What is imported anew is chosen anew.
    shop.stock(&[product("talk", &json!({"event": "Talk", "venue": "Agora"}))]).await;
    assert_eq!(browse("?event_tickets.venue=Agora").await["meta"]["total"], 3);
}
