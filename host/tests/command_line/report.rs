//! `stoa report`.

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::outbound::HttpClient;
use stoa_core::testing::both_databases;

use super::stock::Stocked;
use super::tables::assert_told;

const ALWAYS: [&str; 4] = ["--from", "2000-01-01", "--to", "2999-12-31"];

/// A desk lamp for a consumer in Germany.
async fn sell(stocked: &Stocked) {
    let mut server = stocked.place.start(["serve"]);
    let address = server.line("listening on http://").await;
    let client = HttpClient::new().expect("outbound HTTP can be prepared");
    let client = client.client();
    let send = async |path: &str, body: Value| -> Value {
        let url = format!("http://{address}/api/v1{path}");
        let sent = client.post(url).bearer_auth(&stocked.token).json(&body).send().await.expect("it is answered");
        sent.json().await.expect("JSON")
    };
    let lamp = client.get(format!("http://{address}/api/v1/products/desk-lamp")).send().await.expect("it is answered");
    let lamp: Value = lamp.json().await.expect("JSON");
    send("/cart", json!({"product_id": lamp["data"]["id"], "quantity": 2})).await;
    let billing =
        json!({"name": "Ada", "line1": "Street 1", "city": "Berlin", "postal_code": "10115", "country": "DE"});
    let order = send("/checkout", json!({"billing": billing})).await;
    assert!(order["data"]["id"].is_i64(), "{order}");
    server.stop(rustix::process::Signal::TERM).await;
}

async fn shop(backend: Backend) -> Stocked {
    let mut stocked = Stocked::on(backend).await;
    stocked.place = stocked
        .place
        .variable("STOA_SELLER__TAX_ID", "NL004495445B01")
        .variable("STOA_TAX__RATES__DE", "1900")
        .variable("STOA_TAX__RATES__NL", "2100");
    sell(&stocked).await;
    stocked
}

both_databases!(reports_are_printed_for_people_programs_and_spreadsheets);
async fn reports_are_printed_for_people_programs_and_spreadsheets(backend: Backend) {
    let Stocked { place, .. } = shop(backend).await;
    // 9800 x 19/119 = 1564.7.
    let amounts = |row: &Value| (row["base_amount"].clone(), row["tax_amount"].clone());
    let expected = (json!(8235), json!(1565));
    for report in [vec!["report", "tax"], vec!["report", "sales"], vec!["report", "sales", "--by", "product"]] {
        let asked = [report.as_slice(), &ALWAYS].concat();
        let rows = place.run([asked.as_slice(), &["--json"]].concat()).await.succeeded().data();
        assert_eq!(rows.len(), 1, "{rows:?}");
        assert_eq!(amounts(&rows[0]), expected);
        assert_eq!((&rows[0]["country"], &rows[0]["rate_basis_points"]), (&json!("DE"), &json!(1900)));
        let table = place.run(asked.as_slice()).await.succeeded().out;
        for words in ["COUNTRY", "DE", "19%", "€82.35", "€15.65", "€98.00", "Total"] {
            assert!(table.contains(words), "{words} is missing in {table}");
        }
        assert_told(&table, &rows, &["country", "product"]);
    }
    let today = stoa_core::clock::Clock::system().now().date_naive();
    let quarter = stoa_core::reports::Quarter::of(today).to_string();
    let rows = place.run(["report", "oss", "--quarter", &quarter, "--json"]).await.succeeded().data();
    assert_eq!((rows.len(), amounts(&rows[0])), (1, expected));
    let csv = place.run(["report", "oss", "--quarter", &quarter, "--csv"]).await.succeeded().out;
    let told = format!(
        "period,correction,country,rate_basis_points,currency,base_amount,tax_amount,base,tax\r\n\
         {quarter},false,DE,1900,EUR,8235,1565,82.35,15.65\r\n"
    );
    assert_eq!(csv, told);
    let table = place.run(["report", "oss", "--quarter", &quarter]).await.succeeded().out;
    assert_told(&table, &rows, &["period", "country"]);
    let empty = place.run(["report", "oss", "--quarter", "2001Q1", "--json"]).await.succeeded().json();
    assert_eq!(empty, json!({"data": []}));
    place.run(["verify"]).await.succeeded();
}

both_databases!(a_report_says_what_it_needs);
async fn a_report_says_what_it_needs(backend: Backend) {
    let Stocked { place, .. } = Stocked::on(backend).await;
    let quarter = ["report", "oss", "--quarter", "2026Q4"];
    place.run(quarter).await.refused(1, &["seller.tax_id", "VAT ID"]);
    place.run(["report", "oss", "--quarter", "2026Q5"]).await.refused(2, &["2026Q5", "is no quarter"]);
    let reversed = ["report", "tax", "--from", "2026-02-01", "--to", "2026-01-31"];
    place.run(reversed).await.refused(2, &["--to", "before it begins"]);
    place
        .run(["report", "tax", "--from", "yesterday", "--to", "2026-01-31"])
        .await
        .refused(2, &["--from", "2026-10-01"]);
    place.run(["report", "sales", "--csv", "--json"]).await.refused(2, &["--csv"]);
}
