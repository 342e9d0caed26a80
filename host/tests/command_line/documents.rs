//! `stoa order refund`, `stoa invoice` and `stoa credit-note`.

use serde_json::{Value, json};
use stoa_core::db::{Backend, Sql};
use stoa_core::i18n::Texts;
use stoa_core::invoices::invoice_document;
use stoa_core::outbound::HttpClient;
use stoa_core::pdf::render;
use stoa_core::sql;
use stoa_core::testing::both_databases;

use super::place::ShopFolder;
use super::stock::Stocked;

/// Two desk lamps, ordered and not paid, as the shop itself would have written them.
async fn ordered(place: &ShopFolder, token: &str) -> Value {
    let mut server = place.start(["serve"]);
    let address = server.line("listening on http://").await;
    let client = HttpClient::new().expect("outbound HTTP can be prepared");
    let client = client.client();
    let send = async |path: &str, body: Value| -> Value {
        let url = format!("http://{address}/api/v1{path}");
        let sent = client.post(url).bearer_auth(token).json(&body).send().await.expect("it is answered");
        sent.json().await.expect("JSON")
    };
    let lamp = client.get(format!("http://{address}/api/v1/products/desk-lamp")).send().await.expect("it is answered");
    let lamp: Value = lamp.json().await.expect("JSON");
    send("/cart", json!({"product_id": lamp["data"]["id"], "quantity": 2})).await;
    let billing = json!({"name": "Ada Größe", "line1": "вул. Хрещатик 22", "city": "Київ", "postal_code": "01001", "country": "UA"});
    let order = send("/checkout", json!({"billing": billing})).await["data"].clone();
    server.stop(rustix::process::Signal::TERM).await;
    assert!(order["id"].is_i64(), "{order}");
    order
}

both_databases!(an_order_is_refunded_and_its_documents_are_shown_and_printed);
async fn an_order_is_refunded_and_its_documents_are_shown_and_printed(backend: Backend) {
    let Stocked { place, token, customer } = Stocked::on(backend).await;
    let order = ordered(&place, &token).await;
    let (id, item) = (order["id"].to_string(), order["items"][0]["id"].to_string());
    let by_amount = ["order", "refund", &id, "--amount", "100", "--reason", "Late", "--json"];
    place.run(by_amount).await.refused(1, &["nothing was paid", "`stoa order cancel O-00000"]);
    place.run(["order", "mark-paid", &id]).await.succeeded();

    let line = format!("{item}:1");
    let by_line = ["order", "refund", &id, "--line", &line, "--reason", "Broken", "--json"];
    let refund = place.run(by_line).await.succeeded().json();
    for (member, value) in [
        ("status", json!("succeeded")),
        ("amount", json!(4900)),
        ("currency", json!("EUR")),
        ("reason", json!("Broken")),
        ("gateway", json!("manual")),
        ("order_id", order["id"].clone()),
    ] {
        assert_eq!(refund[member], value, "{member}");
    }
    assert_eq!((&refund["items"][0]["quantity"], &refund["credit_note"]["total_amount"]), (&json!(1), &json!(4900)));
    let told = place.run(["order", "refund", &id, "--amount", "100", "--reason", "Late"]).await.succeeded().out;
    assert!(told.contains("€1.00") && told.contains("CN-"), "{told}");
    place
        .run(["order", "refund", &id, "--amount", "4801", "--reason", "All"])
        .await
        .refused(1, &["€48.00", "--amount 48.00"]);

    let invoice =
        place.run(["invoice", "show", &order["invoice"]["id"].to_string(), "--json"]).await.succeeded().json();
    assert_eq!((&invoice["status"], &invoice["credited_amount"]), (&json!("paid"), &json!(5000)));
    assert_eq!(invoice["customer_id"], customer);
    let number = invoice["number"].as_str().expect("a number").to_owned();
    assert_eq!(
        place.run(["invoice", "list", "--status", "paid", "--json"]).await.succeeded().data(),
        std::slice::from_ref(&invoice)
    );
    assert_eq!(
        place.run(["invoice", "list", "--status", "void", "--json"]).await.succeeded().data(),
        Vec::<Value>::new()
    );
    let people = place.run(["invoice", "show", &number.to_lowercase()]).await.succeeded().out;
    assert!(people.contains("Desk lamp") && people.contains("€98.00"), "{people}");
    let notes = place.run(["credit-note", "list", "--customer", "ada@example.com", "--json"]).await.succeeded().data();
    assert_eq!(notes.len(), 2);
    let note = notes[1]["number"].as_str().expect("a number");
    assert_eq!(place.run(["credit-note", "show", note, "--json"]).await.succeeded().json(), notes[1]);

    let written = place.run(["invoice", "pdf", &number, "--output", "invoice.pdf"]).await.succeeded().out;
    assert_eq!(written, format!("{number} is written to invoice.pdf\n"));
    place.run(["credit-note", "pdf", note, "--output", "note.pdf"]).await.succeeded();
    let db = place.db().await;
    let invoice_id = invoice["id"].as_i64().expect("an id");
    let document = invoice_document(&db, invoice_id).await.expect("it is read").expect("it is there");
    assert_eq!(document.buyer[..2], ["Ada Größe", "вул. Хрещатик 22"]);
    let file = std::fs::read(place.path().join("invoice.pdf")).expect("it is there");
    assert_eq!(file, render(&document, &Texts::built_in()).expect("it is written"));
    let file = std::fs::read(place.path().join("note.pdf")).expect("it is there");
    assert!(file.starts_with(b"%PDF-"));
    place.run(["invoice", "pdf", "INV-1999-000001"]).await.refused(1, &["INV-1999-000001", "stoa invoice list"]);
    place.run(["credit-note", "show", "4711"]).await.refused(1, &["4711", "stoa credit-note list"]);
}

both_databases!(a_refund_says_which_units_it_takes_and_takes_those_that_are_named);
async fn a_refund_says_which_units_it_takes_and_takes_those_that_are_named(backend: Backend) {
    let Stocked { place, token, .. } = Stocked::on(backend).await;
    let order = ordered(&place, &token).await;
    let (id, item) = (order["id"].to_string(), order["items"][0]["id"].to_string());
    place.run(["order", "mark-paid", &id]).await.succeeded();
    let command = async |quantity: &str, units: &[&str]| {
        let line = format!("{item}:{quantity}");
        let units = units.iter().map(|unit| format!("{item}:{unit}")).collect::<Vec<_>>();
        let mut command = vec!["order", "refund", &id, "--line", &line, "--reason", "Broken"];
        for unit in &units {
            command.extend(["--unit", unit]);
        }
        place.run(&command[..]).await
    };
    command("1", &["3"]).await.refused(1, &["no unit 3", "1 to 2"]);
    command("2", &["1"]).await.refused(2, &["--unit", "2 units are to go back", "1 is named"]);
    command("1", &["1", "1"]).await.refused(2, &["unit 1 is named twice"]);
    let one = format!("{item}:1");
    let stray = ["order", "refund", &id, "--line", &one, "--unit", "4711:1", "--reason", "x"];
    place.run(stray).await.refused(2, &["--unit", "4711", "--line 4711:QUANTITY"]);
    place.run(["order", "refund", &id, "--shipping", "--unit", "1:1", "--reason", "x"]).await.refused(2, &["--line"]);
    let told = command("1", &["1"]).await.succeeded().out;
    assert!(told.contains(&format!("taken: unit 1 of item {item} (Desk lamp)\n")), "{told}");
    command("1", &["1"]).await.refused(1, &["unit 1 was refunded already"]);
    let json = ["order", "refund", &id, "--line", &one, "--reason", "Broken", "--json"];
    let refund = place.run(json).await.succeeded().json();
    assert_eq!((&refund["items"][0]["units"], &refund["items"][0]["used_units"]), (&json!([2]), &json!([])));
}

both_databases!(documents_are_written_as_electronic_invoices);
async fn documents_are_written_as_electronic_invoices(backend: Backend) {
    let Stocked { mut place, token, .. } = Stocked::on(backend).await;
    let seller = [
        ("STOA_SELLER__STREET", "Lampenweg 5"),
        ("STOA_SELLER__POSTAL_CODE", "10115"),
        ("STOA_SELLER__CITY", "Berlin"),
        ("STOA_SELLER__TAX_ID", "DE136695976"),
        ("STOA_SELLER__EMAIL", "office@example.com"),
    ];
    for (name, value) in seller {
        place = place.variable(name, value);
    }
    let order = ordered(&place, &token).await;
    let invoice = order["invoice"]["number"].as_str().expect("a number").to_owned();
    let refused = place.run(["invoice", "xml", &invoice]).await;
    refused.refused(1, &[&invoice, "no electronic form", "`seller.phone`", "stoa doctor"]);
    let cii = place.run(["invoice", "xml", &invoice, "--syntax", "cii"]).await.succeeded().out;
    assert!(cii.contains("CrossIndustryInvoice") && cii.contains("urn:cen.eu:en16931:2017<"), "{cii}");

    let place = place.variable("STOA_SELLER__PHONE", "+49 30 1234567");
    let order = ordered(&place, &token).await;
    let invoice = order["invoice"]["number"].as_str().expect("a number").to_owned();
    let ubl = place.run(["invoice", "xml", &invoice.to_lowercase()]).await.succeeded().out;
    assert!(ubl.contains("xrechnung_3.0") && ubl.contains(&invoice), "{ubl}");
    assert_eq!(place.run(["invoice", "xml", &invoice, "--syntax", "ubl"]).await.succeeded().out, ubl);
    let written = place.run(["invoice", "xml", &invoice, "--output", "invoice.xml"]).await.succeeded().out;
    assert_eq!(written, format!("{invoice} is written to invoice.xml\n"));
    assert_eq!(std::fs::read_to_string(place.path().join("invoice.xml")).expect("it is there"), ubl);
    place.run(["invoice", "xml", &invoice, "--syntax", "edifact"]).await.refused(2, &["edifact", "ubl", "cii"]);
    place.run(["invoice", "xml", "INV-1999-000001"]).await.refused(1, &["INV-1999-000001", "stoa invoice list"]);

    let id = order["id"].to_string();
    place.run(["order", "mark-paid", &id]).await.succeeded();
    let refund = ["order", "refund", &id, "--amount", "100", "--reason", "Late", "--json"];
    let note = place.run(refund).await.succeeded().json()["credit_note"]["number"].clone();
    let note = note.as_str().expect("a number");
    let ubl = place.run(["credit-note", "xml", note]).await.succeeded().out;
    assert!(ubl.contains("<CreditNote") && ubl.contains(note) && ubl.contains(&invoice), "{ubl}");
    let cii = place.run(["credit-note", "xml", note, "--syntax", "cii"]).await.succeeded().out;
    assert!(cii.contains(">381<"), "{cii}");
}

const SKIP_NUMBER: Sql = sql!("UPDATE number_series SET last = last + 1");

both_databases!(a_gap_in_the_numbers_is_found);
async fn a_gap_in_the_numbers_is_found(backend: Backend) {
    let Stocked { place, token, .. } = Stocked::on(backend).await;
    ordered(&place, &token).await;
    let told = place.run(["invoice", "verify"]).await.succeeded().out;
    assert_eq!(told, "invoices and credit notes are in order\n");
    assert_eq!(place.run(["invoice", "verify", "--json"]).await.succeeded().data(), Vec::<Value>::new());
    place.db().await.write(async |tx| tx.run(SKIP_NUMBER).execute().await).await.expect("it is written");
    place.run(["invoice", "verify"]).await.refused(1, &["1 problem", "the counter stands at 2"]);
    let listed = place.run(["invoice", "verify", "--json"]).await;
    assert_eq!((listed.code, listed.data().len()), (1, 1));
}

both_databases!(what_a_refund_is_not_is_refused_before_anything_is_read);
async fn what_a_refund_is_not_is_refused_before_anything_is_read(backend: Backend) {
    ShopFolder::empty()
        .run(["order", "refund", "1", "--amount", "ten", "--reason", "x"])
        .await
        .refused(2, &["--amount", "ten"]);
    let place = ShopFolder::migrated(backend).await;
    for (arguments, words) in [
        (vec!["--reason", "x"], vec!["--amount"]),
        (vec!["--amount", "ten", "--reason", "x"], vec!["--amount", "ten"]),
        (vec!["--amount", "0", "--reason", "x"], vec!["--amount", "0"]),
        (vec!["--amount", "1", "--line", "1:1", "--reason", "x"], vec!["--amount", "--line"]),
        (vec!["--line", "1", "--reason", "x"], vec!["--line", "77:2"]),
        (vec!["--line", "1:1", "--unit", "1", "--reason", "x"], vec!["--unit", "77:2"]),
        (vec!["--line", "1:1", "--unit", "1:0", "--reason", "x"], vec!["--unit", "77:2"]),
        (vec!["--amount", "1"], vec!["--reason"]),
        (vec!["--amount", "1", "--reason", " "], vec!["--reason", "1 to 500"]),
        (vec!["--amount", "1", "--reason", "a\nb"], vec!["--reason", "control"]),
    ] {
        let command = [vec!["order", "refund", "1"], arguments].concat();
        place.run(&command[..]).await.refused(2, &words);
    }
    place.run(["order", "refund", "1", "--amount", "1", "--reason", "x"]).await.refused(1, &["no order O-000001"]);
    place.run(["invoice", "show", "1.5"]).await.refused(2, &["1.5", "INV-2026-000042"]);
}
