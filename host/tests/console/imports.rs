//! Imports in the console: tried first, then done by the queue.

use stoa_core::catalog::export_product;
use stoa_core::db::Backend;
use stoa_core::testing::{TestBrowser, TestResponse, both_databases};

use crate::shelf::{audit, browser, csrf_of, shop, submit, told};

const FILE: &str = "{\"type\": \"product\", \"slug\": \"lamp\", \"name\": \"Lamp\", \"price_amount\": 2100}\n\
    {\"type\": \"product\", \"slug\": \"desk\", \"name\": \"Desk\", \"price_amount\": 9900}\n\
    {\"type\": \"product\", \"slug\": \"sofa\", \"name\": \"Sofa\"}\n";

async fn upload(owner: &mut TestBrowser, name: &str, content: &[u8]) -> TestResponse {
    let csrf = csrf_of(&owner.get("/console/imports").await.expect_status(200).text());
    owner.upload("/console/imports", &[("csrf", &csrf)], &[("file", name, content)]).await
}

both_databases!(a_file_is_tried_before_it_is_imported_once);
async fn a_file_is_tried_before_it_is_imported_once(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    let tried = upload(&mut owner, "more.jsonl", FILE.as_bytes()).await.expect_status(303);
    let here = tried.header("location").and_then(|location| location.split('?').next()).expect("a page").to_owned();
    let page = owner.get(&here).await.expect_status(200).text();
    for told in
        ["1 product would be created", "1 product would be changed", "1 would be refused", ">3</th>", "needs a price"]
    {
        assert!(page.contains(told), "{told}: {page}");
    }
    assert!(export_product(&shop.parts.db, "desk").await.expect("it can be read").is_none(), "nothing is written yet");
    let run = format!("{here}/run");
    submit(&mut owner, &here, &run, &[]).await.expect_status(303);
    let page = owner.get(&here).await.expect_status(200).text();
    assert!(page.contains("http-equiv=\"refresh\"") || page.contains("What came of it"), "{page}");
    shop.run_jobs().await;
    let page = owner.get(&here).await.expect_status(200).text();
    for told in ["1 product created", "1 product changed", "1 refused", ">3</th>"] {
        assert!(page.contains(told), "{told}: {page}");
    }
    assert!(export_product(&shop.parts.db, "desk").await.expect("it can be read").is_some());
    let again = submit(&mut owner, "/console/imports", &run, &[]).await;
    let said = told(&mut owner, again).await;
    assert!(said.contains("imported already"), "{said}");
    let rows = audit(&shop).await;
    let import = rows.iter().find(|row| row.act == "products.import").expect("it is written down");
    assert_eq!((import.actor.as_str(), import.subject.as_str()), ("staff:owner@shop.example", "import:more.jsonl"));
    assert!(rows.iter().any(|row| row.act == "products.create" && row.actor == "staff:owner@shop.example"));
    let list = owner.get("/console/imports").await.expect_status(200).text();
    assert!(list.contains("more.jsonl") && list.contains("1 of 1"), "{list}");
}

both_databases!(what_is_no_catalog_is_refused_at_once);
async fn what_is_no_catalog_is_refused_at_once(backend: Backend) {
    let shop = shop(backend).await;
    let mut owner = browser(&shop, "owner").await;
    for content in [&b""[..], b"\xff\xfe\x00", b"a,b\n1,2\n"] {
        let page = upload(&mut owner, "x.csv", content).await.expect_status(422).text();
        assert!(page.contains("role=\"alert\"") && !page.contains("--format"), "{page}");
    }
    let unknown = upload(&mut owner, "x.csv", b"a,b\n1,2\n").await.expect_status(422).text();
    assert!(unknown.contains("The format cannot be told from the content: choose it below."), "{unknown}");
    let csrf = csrf_of(&owner.get("/console/imports").await.text());
    let page = owner.upload("/console/imports", &[("csrf", &csrf)], &[]).await.expect_status(422).text();
    assert!(page.contains("Choose the file to import."), "{page}");
    owner.get("/console/imports/7").await.expect_status(404);
    owner.get("/console/imports/x").await.expect_status(404);
    let mut viewer = browser(&shop, "viewer").await;
    viewer.get("/console/imports").await.expect_status(403);
}
