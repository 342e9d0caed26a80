//! A series of numbers for each instance.

use serde_json::Value;
use stoa_core::db::{Backend, Sql};
use stoa_core::invoices::{check_series, verify_documents};
use stoa_core::sql;
use stoa_core::testing::{TestShop, both_databases, run_test};

use crate::shelf::{TAXES, builder, buyer, lines, product_id, refund, stocked};

const NUMBERS: Sql = sql!("SELECT number FROM invoices ORDER BY number");
const CREDIT_NOTES: Sql = sql!("SELECT number FROM credit_notes ORDER BY number");
const HOLD: Sql = sql!("UPDATE number_series SET last = last WHERE series = 'invoices:A'");

/// What an instance of this name is configured with.
fn instance(name: &str) -> String {
    format!(
        "{TAXES}\n[invoices]\nprefix = 'INV-{{instance}}'\ncredit_note_prefix = 'CN-{{instance}}'\nseries = 'instance'\ninstance = '{name}'"
    )
}

async fn two(backend: Backend) -> (TestShop, TestShop) {
    let one = stocked(builder(backend).config(&instance("A"))).await;
    let other = builder(backend).config(&instance("B")).on(one.database()).seed(2).open().await;
    (one, other)
}

both_databases!(each_instance_counts_for_itself_without_a_gap);
async fn each_instance_counts_for_itself_without_a_gap(backend: Backend) {
    let (one, other) = two(backend).await;
    let book = product_id(&one, "book").await;
    let mut running = Vec::new();
    for shop in [&one, &one, &other, &other] {
        let buyer = buyer(shop).await;
        running.push(tokio::spawn(async move {
            let mut orders = Vec::new();
            for _ in 0..5 {
                let placed = buyer.try_to_place_ids(&[(book, 1)], &Value::Null).await.expect_status(201).json();
                buyer.pay(&placed["data"]).await;
                orders.push(placed["data"].clone());
            }
            orders
        }));
    }
    let mut orders = Vec::new();
    for customer in running {
        orders.push(customer.await.expect("the customer is served"));
    }
    for (shop, order) in [(&one, &orders[2][0]), (&other, &orders[0][0]), (&other, &orders[3][0])] {
        refund(shop, order, lines(order, &[("book", 1)])).await;
    }
    let db = &one.parts.db;
    let year = one.now().format("%Y").to_string();
    let numbered = |prefix: &str, series: &str, count: usize| {
        (1..=count).map(|number| format!("{prefix}-{series}-{year}-{number:06}")).collect::<Vec<_>>()
    };
    let invoices = db.read(NUMBERS).scalars::<String>().await.expect("they are read");
    assert_eq!(invoices, [numbered("INV", "A", 10), numbered("INV", "B", 10)].concat());
    // Who refunds issues the credit note.
    let credit_notes = db.read(CREDIT_NOTES).scalars::<String>().await.expect("they are read");
    assert_eq!(credit_notes, [numbered("CN", "A", 1), numbered("CN", "B", 2)].concat());
    assert_eq!(verify_documents(db).await.expect("they are looked through"), []);
}

/// On SQLite one writes at a time anyway.
#[test]
fn no_instance_waits_for_another() {
    run_test(Backend::Postgres, |backend| async move {
        let (one, other) = two(backend).await;
        let book = product_id(&one, "book").await;
        let (first, second) = (buyer(&one).await, buyer(&other).await);
        first.try_to_place_ids(&[(book, 1)], &Value::Null).await.expect_status(201);
        let held = one.parts.db.write(async |tx| -> Result<(), stoa_core::db::DbError> {
            tx.run(HOLD).execute().await?;
            second.try_to_place_ids(&[(book, 1)], &Value::Null).await.expect_status(201);
            Ok(())
        });
        held.await.expect("nobody waits");
    });
}

both_databases!(the_prefix_of_an_instance_stays_until_the_year_ends);
async fn the_prefix_of_an_instance_stays_until_the_year_ends(backend: Backend) {
    let (one, _) = two(backend).await;
    let book = product_id(&one, "book").await;
    buyer(&one).await.try_to_place_ids(&[(book, 1)], &Value::Null).await.expect_status(201);
    let config = async |prefix: &str, name: &str| {
        let text = instance(name).replace("'INV-", &format!("'{prefix}-"));
        let shop = builder(backend).config(&text).on(one.database()).seed(3).open().await;
        shop.parts.config.invoices.clone()
    };
    let db = &one.parts.db;
    check_series(db, &config("INV", "A").await).await.expect("nothing has changed");
    check_series(db, &config("R", "B").await).await.expect("it has no number yet");
    let refused = check_series(db, &config("R", "A").await).await.expect_err("it has one").to_string();
    for said in ["INV-A-", "R-A", "`invoices.prefix`", "set it back"] {
        assert!(refused.contains(said), "{refused}");
    }
    one.advance(chrono::TimeDelta::days(366));
    check_series(db, &config("R", "A").await).await.expect("it is another year");
}
