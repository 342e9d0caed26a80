//! Letting people in.

use chrono::TimeDelta;
use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::{TestShop, both_databases};

use crate::kit::{assert_sound, builder, buyer, product, refund, seated, shop_with, taken, text};

async fn check_in(shop: &TestShop, arguments: &[&str]) -> (u8, Value) {
    let end = shop.command(&[&["event-tickets", "check-in", "--json"], arguments].concat()).await;
    (end.code, end.json())
}

both_databases!(a_ticket_admits_once);
async fn a_ticket_admits_once(backend: Backend) {
    let shop = shop_with(backend, 10).await;
    let ada = buyer(&shop).await;
    ada.buy(&shop, "standing", 1).await;
    let token = text(&ada.tickets().await[0]["token"]);
    let (code, answer) = check_in(&shop, &[&token, "--gate", "north"]).await;
    assert_eq!(
        (code, &answer["result"], &answer["checked_in_at"]),
        (0, &json!("valid"), &json!("2026-01-15T12:00:00Z"))
    );
    shop.advance(TimeDelta::minutes(5));
    let (code, answer) = check_in(&shop, &[&token, "--gate", "south"]).await;
    assert_eq!(
        (code, &answer["result"], &answer["checked_in_at"], &answer["gate"]),
        (1, &json!("already_used"), &json!("2026-01-15T12:00:00Z"), &json!("north"))
    );
    let told = shop.command(&["event-tickets", "check-in", &token]).await;
    assert!(told.output.contains("already used since 2026-01-15T12:00:00Z at north"), "{told:?}");
    assert!(told.expect_failure(1).contains("already used since 2026-01-15T12:00:00Z"));
    let ticket = ada.tickets().await.remove(0);
    assert_eq!((&ticket["status"], &ticket["checked_in_at"]), (&json!("checked_in"), &json!("2026-01-15T12:00:00Z")));
    assert_sound(&shop.breaches().await);
}

both_databases!(the_scanned_code_admits_as_the_token_does);
async fn the_scanned_code_admits_as_the_token_does(backend: Backend) {
    let shop = shop_with(backend, 10).await;
    let ada = buyer(&shop).await;
    ada.buy(&shop, "standing", 2).await;
    let tickets = ada.tickets().await;
    let (code, token) = (text(&tickets[0]["qr"]), text(&tickets[0]["token"]));
    let (exit, answer) = check_in(&shop, &[&code]).await;
    assert_eq!((exit, &answer["number"]), (0, &tickets[0]["number"]));
    assert_eq!(check_in(&shop, &[&token]).await.1["result"], "already_used");
    // The signature of one ticket under the text of another.
    let other = text(&tickets[1]["qr"]);
    let (said, _) = other.rsplit_once('.').expect("it is signed");
    let (_, signature) = code.rsplit_once('.').expect("it is signed");
    let forged = format!("{said}.{signature}");
    assert_eq!(check_in(&shop, &[&forged]).await, (1, unknown()));
}

fn unknown() -> Value {
    json!({"result": "unknown", "number": null, "event": null, "event_slug": null, "ticket_type": null, "holder": null,
           "seat": null, "checked_in_at": null, "gate": null, "voided_at": null})
}

both_databases!(what_the_shop_did_not_issue_is_unknown);
async fn what_the_shop_did_not_issue_is_unknown(backend: Backend) {
    let shop = shop_with(backend, 10).await;
    let ada = buyer(&shop).await;
    ada.place(&shop, "standing", 1).await;
    for shown in ["nonsense", "", "ET-000001", "T1.", "T1.e30.AAAA", "T1.bnVsbA.AAAA", "'; DROP TABLE x", "\u{1f600}"] {
        assert_eq!(check_in(&shop, &[shown]).await, (1, unknown()), "{shown}");
    }
    let told = shop.command(&["event-tickets", "check-in", "nonsense"]).await;
    assert_eq!((told.code, told.output.as_str()), (1, "unknown\n"));
}

both_databases!(a_void_ticket_is_void_even_if_it_was_used);
async fn a_void_ticket_is_void_even_if_it_was_used(backend: Backend) {
    let shop = shop_with(backend, 10).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, "standing", 1).await;
    let token = text(&ada.tickets().await[0]["token"]);
    check_in(&shop, &[&token]).await;
    refund(&shop, &order, 1).await;
    shop.run_jobs().await;
    let (code, answer) = check_in(&shop, &[&token, "--event", "symposium-1"]).await;
    assert_eq!((code, &answer["result"], &answer["voided_at"]), (1, &json!("void"), &json!("2026-01-15T12:00:00Z")));
    let undone = shop.command(&["event-tickets", "undo", &token]).await.expect_failure(1);
    assert!(undone.contains("void"), "{undone}");
    assert_eq!(ada.statuses().await, ["void"]);
}

both_databases!(a_ticket_for_another_event_is_refused_at_this_door);
async fn a_ticket_for_another_event_is_refused_at_this_door(backend: Backend) {
    let shop = builder(backend).open().await;
    shop.stock(&[product("standing", &json!({})), product("other", &json!({"event": "Banquet"}))]).await;
    let ada = buyer(&shop).await;
    ada.buy(&shop, "standing", 1).await;
    let token = text(&ada.tickets().await[0]["token"]);
    let (code, answer) = check_in(&shop, &[&token, "--event", "banquet-2"]).await;
    assert_eq!((code, &answer["result"], &answer["event"]), (1, &json!("wrong_event"), &json!("Symposium")));
    assert_eq!(check_in(&shop, &[&token, "--event", "symposium-1"]).await.0, 0);
    assert_eq!(check_in(&shop, &[&token, "--event", "banquet-2"]).await.1["result"], "wrong_event");
    let nowhere = shop.command(&["event-tickets", "check-in", &token, "--event", "feast"]).await;
    assert!(nowhere.expect_failure(1).contains("no event `feast`; `stoa event-tickets event list` shows all"));
    let meant = shop.command(&["event-tickets", "check-in", &token, "--event", "banqet-2"]).await;
    assert!(meant.expect_failure(1).contains("no event `banqet-2`; did you mean `banquet-2`?"));
}

both_databases!(a_check_in_can_be_taken_back);
async fn a_check_in_can_be_taken_back(backend: Backend) {
    let shop = shop_with(backend, 10).await;
    let ada = buyer(&shop).await;
    ada.buy(&shop, "standing", 1).await;
    let token = text(&ada.tickets().await[0]["token"]);
    let early = shop.command(&["event-tickets", "undo", "ET-000001"]).await.expect_failure(1);
    assert!(early.contains("not checked in"), "{early}");
    check_in(&shop, &[&token]).await;
    let undone = shop.command(&["event-tickets", "undo", "ET-000001", "--json"]).await.json();
    assert_eq!((&undone["status"], &undone["checked_in_at"]), (&json!("issued"), &Value::Null));
    assert_eq!(check_in(&shop, &[&token]).await.0, 0);
}

both_databases!(an_operator_can_make_a_ticket_void);
async fn an_operator_can_make_a_ticket_void(backend: Backend) {
    let shop = builder(backend).open().await;
    shop.stock(&[seated("stalls", &json!({"capacity": 1}))]).await;
    let (ada, bob) = (buyer(&shop).await, buyer(&shop).await);
    let order = ada.buy_with(&shop, "stalls", 1, &json!({"seat": "A1"})).await;
    let void = ["event-tickets", "void", "ET-000001", "--reason", "sold on", "--json"];
    let voided = shop.command(&void).await.json();
    assert_eq!((&voided["status"], &voided["void_reason"]), (&json!("void"), &json!("sold on")));
    assert!(shop.command(&void).await.expect_failure(1).contains("void already"));
    bob.buy_with(&shop, "stalls", 1, &json!({"seat": "A1"})).await;
    refund(&shop, &order, 1).await;
    shop.run_jobs().await;
    assert_eq!(taken(&shop, "stalls").await, 1, "a refund afterwards frees nothing a second time");
    assert_eq!(
        (ada.statuses().await, bob.statuses().await),
        (vec![String::from("void")], vec![String::from("issued")])
    );
    assert_sound(&shop.breaches().await);
}

both_databases!(a_file_of_scans_is_checked_in_at_once);
async fn a_file_of_scans_is_checked_in_at_once(backend: Backend) {
    let shop = shop_with(backend, 10).await;
    let ada = buyer(&shop).await;
    ada.buy(&shop, "standing", 3).await;
    let tickets = ada.tickets().await;
    let shown =
        [text(&tickets[0]["qr"]), text(&tickets[1]["token"]), String::from("nonsense"), text(&tickets[0]["token"])];
    std::fs::write(shop.folder().join("scans.txt"), format!("{}\r\n\n", shown.join("\r\n"))).expect("it is written");
    let (code, answers) = check_in(&shop, &["--file", "scans.txt"]).await;
    let results = answers["data"].as_array().expect("a list").iter();
    let results = results.map(|answer| (answer["line"].clone(), text(&answer["result"]))).collect::<Vec<_>>();
    let expected = [(1, "valid"), (2, "valid"), (3, "unknown"), (4, "already_used")];
    assert_eq!(results, expected.map(|(line, result)| (json!(line), result.to_owned())));
    assert_eq!(code, 1, "not all of them were let in");
    let again = shop.command(&["event-tickets", "check-in", "--file", "scans.txt"]).await;
    assert!(again.output.contains("0 valid, 4 not"), "{again:?}");
    let missing = shop.command(&["event-tickets", "check-in", "--file", "no.txt"]).await;
    assert!(missing.expect_failure(1).contains("no.txt"));
    assert_eq!(shop.command(&["event-tickets", "check-in"]).await.code, 2);
}

both_databases!(the_door_list_says_who_may_come_in);
async fn the_door_list_says_who_may_come_in(backend: Backend) {
    let shop = builder(backend).open().await;
    shop.stock(&[seated("stalls", &json!({"ticket_type": "Stalls"}))]).await;
    let ada = buyer(&shop).await;
    ada.buy_with(&shop, "stalls", 1, &json!({"seat": "B1", "holder": "=Zeno"})).await;
    ada.buy_with(&shop, "stalls", 1, &json!({"seat": "A1", "holder": "Ada"})).await;
    let gone = ada.buy_with(&shop, "stalls", 1, &json!({"seat": "A2", "holder": "Bob"})).await;
    refund(&shop, &gone, 1).await;
    shop.run_jobs().await;
    let listed = shop.command(&["event-tickets", "door-list", "symposium-1", "--json"]).await.json();
    let listed = listed["data"].as_array().expect("a list").iter();
    let listed = listed.map(|ticket| (text(&ticket["holder"]), text(&ticket["seat"]))).collect::<Vec<_>>();
    assert_eq!(listed, [("=Zeno", "B1"), ("Ada", "A1")].map(|(holder, seat)| (holder.to_owned(), seat.to_owned())));
    let csv = shop.command(&["event-tickets", "door-list", "symposium-1", "--csv"]).await.expect_success();
    assert_eq!(
        csv,
        "\"holder\",\"seat\",\"type\",\"ticket\",\"status\",\"checked in\"\r\n\
         \"'=Zeno\",\"B1\",\"Stalls\",\"ET-000001\",\"issued\",\"\"\r\n\
         \"Ada\",\"A1\",\"Stalls\",\"ET-000002\",\"issued\",\"\"\r\n"
    );
    let shown = shop.command(&["event-tickets", "show", "ET-000002"]).await.expect_success();
    assert!(shown.contains("Symposium (symposium-1)") && shown.contains("2031-05-01 19:00 (UTC+02:00)"), "{shown}");
    let listed = shop.command(&["event-tickets", "list", "--event", "symposium-1", "--status", "void", "--json"]).await;
    assert_eq!(listed.json()["data"][0]["number"], "ET-000003");
}

both_databases!(lists_for_operators_have_no_tokens_and_files_are_for_their_owner_alone);
async fn lists_for_operators_have_no_tokens_and_files_are_for_their_owner_alone(backend: Backend) {
    use std::os::unix::fs::PermissionsExt;
    let shop = shop_with(backend, 10).await;
    let ada = buyer(&shop).await;
    let order = ada.buy(&shop, "standing", 1).await;
    let own = ada.tickets().await[0].clone();
    for list in [&["list"][..], &["door-list", "symposium-1"]] {
        let listed = shop.command(&[&["event-tickets"], list, &["--json"]].concat()).await.json();
        let ticket = &listed["data"][0];
        assert_eq!((&ticket["number"], &ticket["unit"]), (&own["number"], &json!(1)));
        assert_eq!(ticket["order_item_id"], order["items"][0]["id"]);
        assert!(ticket.get("token").is_none() && ticket.get("qr").is_none(), "{ticket}");
        assert!(!listed.to_string().contains(&text(&own["token"])), "{listed}");
    }
    let shown = shop.command(&["event-tickets", "show", "ET-000001", "--json"]).await.json();
    assert_eq!((&shown["token"], &shown["qr"]), (&own["token"], &own["qr"]), "the detail has them");

    let file = shop.folder().join("ticket.pdf");
    std::fs::write(&file, "old").expect("it is written");
    std::fs::set_permissions(&file, std::fs::Permissions::from_mode(0o644)).expect("it is open to all");
    shop.command(&["event-tickets", "pdf", "ET-000001", "ticket.pdf"]).await.expect_success();
    let rights = std::fs::metadata(&file).expect("it is there").permissions().mode() & 0o777;
    assert_eq!(rights, 0o600);
}
