//! What the audit log says of an operator's change: how it was, and how it is.

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use super::customer::place_with_ada;

both_databases!(the_audit_log_says_how_it_was_and_how_it_is);
async fn the_audit_log_says_how_it_was_and_how_it_is(backend: Backend) {
    let (place, _) = place_with_ada(backend).await;
    let ada = "ada@example.com";
    let told = async |act: &str| -> Vec<[Value; 2]> {
        let rows = place.run(["audit", "list", "--act", act, "--json"]).await.succeeded().data();
        rows.iter().map(|row| [row["before"].clone(), row["after"].clone()]).collect()
    };
    let run = async |arguments: &[&str]| {
        place.run(arguments).await.succeeded();
    };

    run(&["customer", "edit", ada, "--name", "Ada King"]).await;
    assert_eq!(told("customers.edit").await, [[json!({"name": "Ada Lovelace"}), json!({"name": "Ada King"})]]);
    run(&["customer", "edit", ada, "--name", "Ada King"]).await;
    assert_eq!(told("customers.edit").await.len(), 1, "nothing has changed");
    run(&["customer", "verify-email", ada, "--unverify"]).await;
    assert_eq!(told("customers.verify-email").await, [[json!({"verified": true}), json!({"verified": false})]]);

    run(&["product", "create", "lamp", "--name", "Lamp", "--price", "20.00"]).await;
    run(&["product", "delete", "lamp", "--yes"]).await;
    let [before, after] = &told("products.delete").await[0];
    let known = ["name", "price_amount", "active"].map(|member| before[member].clone());
    assert_eq!((known, after), ([json!("Lamp"), json!(2000), json!(true)], &Value::Null));
    run(&["category", "create", "light", "--name", "Light"]).await;
    run(&["category", "delete", "light", "--yes"]).await;
    let [before, after] = &told("categories.delete").await[0];
    assert_eq!((&before["name"], after), (&json!("Light"), &Value::Null));

    run(&["discount", "create", "SUMMER", "--percent", "10"]).await;
    for act in ["disable", "enable", "enable", "remove"] {
        run(&["discount", act, "SUMMER"]).await;
    }
    let [off, on] = [false, true].map(|active| json!({"active": active}));
    assert_eq!(told("discounts.disable").await, [[on.clone(), off.clone()]]);
    // The newest first.
    assert_eq!(told("discounts.enable").await, [[on.clone(), on.clone()], [off, on]]);
    assert_eq!(told("discounts.remove").await[0][0]["percent"], 1000);

    let ticket = ["ticket", "create", "--customer", ada, "--subject", "The lamp hums", "--body", "Help!", "--json"];
    let ticket = place.run(ticket).await.succeeded().json();
    let number = ticket["number"].as_str().expect("a number");
    run(&["ticket", "close", number]).await;
    run(&["ticket", "reopen", number]).await;
    let [open, closed, pending] = ["open", "closed", "pending"].map(|status| json!({"status": status}));
    assert_eq!(told("support.close").await, [[open, closed.clone()]]);
    assert_eq!(told("support.reopen").await, [[closed, pending]]);
}
