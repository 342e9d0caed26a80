//! What the operator sees and does.

use stoa_core::db::{Backend, Sql};
use stoa_core::sql;
use stoa_core::testing::{both_databases, staff_browser, submit_from};

use crate::shelf::{changes, points, shop};

const AUDITED: Sql = sql!("SELECT actor, subject FROM audit_log WHERE act = 'loyalty.correct' ORDER BY id");

both_databases!(points_are_corrected_in_the_console_at_the_customer_and_written_down);
async fn points_are_corrected_in_the_console_at_the_customer_and_written_down(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let ada = shop.client().token(&customer, &["*"]).await;
    let number = customer.id.to_string();
    let mut owner = staff_browser(&shop, "owner").await;
    let form = format!("/console/m/loyalty/accounts/correct?customer={number}");
    let page = owner.get(&format!("/console/customers/{number}")).await.expect_status(200).text();
    assert!(page.contains("Loyalty points") && page.contains(&form), "{page}");
    let to = "/console/m/loyalty/accounts/correct";
    let nothing = [("customer", number.as_str()), ("points", "0"), ("reason", "x")];
    let refused = submit_from(&mut owner, &form, to, &nothing).await.expect_status(422).text();
    assert!(refused.contains("ust not be 0"), "{refused}");
    let given = [("customer", number.as_str()), ("points", "-7"), ("reason", "counted <twice>")];
    submit_from(&mut owner, &form, to, &given).await.expect_status(303);
    assert_eq!(changes(&ada).await, [(String::from("corrected"), -7)]);
    let page = owner.get(&format!("/console/customers/{number}")).await.expect_status(200).text();
    assert!(page.contains("There are -7 points now.") && !page.contains("<twice>"), "{page}");

    let said =
        shop.command(&["loyalty", "correct", &number, "--points", "10", "--reason", "sorry"]).await.expect_success();
    assert!(said.contains("has 3 points"), "{said}");
    assert_eq!(points(&ada).await, 3);
    let list = owner.get("/console/m/loyalty/accounts").await.expect_status(200).text();
    assert!(list.contains("Customer 1"), "{list}");
    let subject = format!("customer:{number}");
    let audited = shop.parts.db.read(AUDITED).all::<(String, String)>().await.expect("it is read");
    assert_eq!(audited[0], (String::from("staff:owner@shop.example"), subject));
    let long = "x".repeat(201);
    for (customer, points, reason, code) in
        [("4711", "1", "x", 1), (&number, "0", "x", 2), (&number, "1", " ", 2), (&number, "1", &long, 2)]
    {
        let command = ["loyalty", "correct", customer, "--points", points, "--reason", reason];
        shop.command(&command).await.expect_failure(code);
    }
    assert_eq!(points(&ada).await, 3);
    assert_eq!(shop.breaches().await, [""; 0]);
}
