//! Tables on 80 columns: no line is longer, and no number, slug, id or address is broken.

use serde_json::{Value, json};
use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::sql;
use stoa_core::testing::both_databases;

use super::customer_data::add_session;
use super::order::Sold;
use super::place::ShopFolder;

const COLUMNS: usize = 80;

const EMAIL: &str = "augusta-ada.lovelace.countess@mathematics.example.com";
const SLUG: &str = "hand-made-evening-lamp-of-brass-with-a-shade-of-linen-and-oak";

/// Each list, and the members whose values are told whole.
const LISTS: [(&[&str], &[&str]); 23] = [
    (&["order", "list"], &["number", "customer_email", "status", "payment_status"]),
    (&["payment", "list"], &["id", "status", "gateway"]),
    (&["invoice", "list"], &["number"]),
    (&["credit-note", "list"], &["number"]),
    (&["customer", "list"], &["id", "email"]),
    (&["customer", "sessions", EMAIL], &["id"]),
    (&["token", "list"], &["id", "email"]),
    (&["ticket", "list"], &["number"]),
    (&["product", "list"], &["slug", "id"]),
    (&["category", "list"], &["slug", "id"]),
    (&["discount", "list"], &["code"]),
    (&["staff", "list"], &["email", "role"]),
    (&["webhook", "list"], &["id"]),
    (&["webhook", "deliveries"], &["id", "event", "state"]),
    (&["mail", "list"], &["id", "to"]),
    (&["audit", "list"], &["act", "subject", "actor"]),
    (&["events"], &["id", "event", "listener", "state"]),
    (&["jobs", "list"], &["name"]),
    (&["modules"], &["key"]),
    (&["routes"], &["name", "owner"]),
    (&["migrate", "status"], &["name"]),
    (&["inventory", "list"], &["sku"]),
    (&["inventory", "history", SLUG], &["kind", "actor"]),
];

const FLAG: Sql = sql!("UPDATE orders SET review_reason = 'paid_twice' WHERE id = $1");
const FAILED_JOB: Sql = sql!("UPDATE tasks SET last_error = $1 WHERE last_error IS NULL");

/// A shop in which everything has a long name.
async fn long_winded(backend: Backend) -> Sold {
    let sold = Sold::on(backend).await;
    let place = &sold.place;
    place.configure("[modules.inventory]\nenabled = true\n");
    place.run(["migrate"]).await.succeeded();
    let customer = place.run(["customer", "list", "--json"]).await.succeeded().data()[0]["id"].to_string();
    let name = "Augusta Ada King, Countess of Lovelace and Baroness of Ockham";
    place.run(["customer", "edit", &customer, "--email", EMAIL, "--name", name]).await.succeeded();
    let category = format!("{SLUG}-etc");
    let lines = [
        json!({"type": "category", "slug": category, "name": "Lamps, and whatever else stands on a desk or hangs above it"}),
        json!({"type": "product", "slug": SLUG, "name": "Evening lamp, made by hand of brass, with a shade of linen, on a foot of oak",
               "price_amount": 123_456_789, "category": category, "capabilities": ["shippable", "inventory"]}),
    ];
    place.write("catalog.jsonl", lines.map(|line| format!("{line}\n")).concat());
    place.run(["import", "catalog.jsonl"]).await.succeeded();
    place
        .run(["inventory", "set", SLUG, "123456", "--reason", "counted after the move to the new warehouse"])
        .await
        .succeeded();
    let url = format!("https://accounting.example.com/hooks/{}", "0123456789abcdef".repeat(6));
    place
        .run(["webhook", "add", "--url", &url, "--event", "order.paid", "order.cancelled", "order.shipped"])
        .await
        .succeeded();
    let token = [
        "token",
        "create",
        "--customer",
        EMAIL,
        "--name",
        "for the accounting program of the whole company",
        "--ability",
    ];
    let token = [&token[..], &["orders.read", "--ability", "invoices.read", "--ability", "credit_notes.read"]].concat();
    place.run(&token).await.succeeded();
    let subject = "The lamp that I ordered two weeks ago has not arrived, and the link of the carrier leads nowhere";
    place
        .run(["ticket", "create", "--customer", EMAIL, "--subject", subject, "--body", "Where is it?"])
        .await
        .succeeded();
    let code = "WELCOME-BACK-AFTER-SUCH-A-LONG-TIME-2026";
    place
        .run(["discount", "create", code, "--amount", "123456.78", "--minimum", "1234567.89", "--until", "2099-01-31"])
        .await
        .succeeded();
    place.run(["staff", "create", "--email", EMAIL, "--name", name, "--role", "accountant"]).await.succeeded();

    let order = sold.order(&[("lamp", 3)]).await;
    sold.pay(&order).await;
    let (id, item) = (order["id"].to_string(), order["items"][0]["id"].to_string());
    let one = format!("{item}:1");
    place.run(["order", "ship", &id, "--line", &one]).await.succeeded();
    place.run(["order", "refund", &id, "--line", &one, "--reason", "Broken"]).await.succeeded();
    let shown = place.run(["customer", "show", &customer, "--json"]).await.succeeded().json();
    let db = place.db().await;
    add_session(&db, shown["user_id"].as_i64().expect("a number"), 1).await;
    let number = order["id"].as_i64().expect("an id");
    let told = "the provider did not answer within ten seconds, and neither did the one that was asked after it";
    let changed = db.write(async |tx| -> Result<(), DbError> {
        tx.run(FLAG).bind(number).execute().await?;
        tx.run(FAILED_JOB).bind(told).execute().await.map(drop)
    });
    changed.await.expect("the rows can be changed");
    db.close().await;
    sold
}

/// The words of a text, and what stands between commas in it.
fn is_whole(text: &str, value: &Value) -> bool {
    let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
    text.lines().any(|line| {
        line.split("  ").any(|cell| cell.trim() == value) || line.split_whitespace().any(|word| word == value)
    })
}

/// Looks at the table of a list: it fits, and these members of its records stand whole in it.
#[track_caller]
pub(super) fn assert_told(text: &str, records: &[Value], members: &[&str]) {
    for line in text.lines() {
        assert!(line.chars().count() <= COLUMNS, "{line:?} is too long in\n{text}");
    }
    for record in records {
        for member in members {
            let value = &record[*member];
            assert!(value.is_null() || is_whole(text, value), "{member} {value} is not whole in\n{text}");
        }
    }
}

both_databases!(no_table_is_wider_than_80_columns_and_none_breaks_what_commands_take);
async fn no_table_is_wider_than_80_columns_and_none_breaks_what_commands_take(backend: Backend) {
    let sold = long_winded(backend).await;
    for (command, members) in LISTS {
        let text = sold.place.run(command).await.succeeded().out;
        let records = sold.place.run([command, &["--json"]].concat()).await.succeeded().data();
        assert!(!records.is_empty() || matches!(command, ["mail", "list"] | ["events"]), "{command:?} is filled");
        assert_told(&text, &records, members);
    }
}

both_databases!(a_value_that_nothing_has_is_told_with_the_one_that_was_meant);
async fn a_value_that_nothing_has_is_told_with_the_one_that_was_meant(backend: Backend) {
    let sold = Sold::on(backend).await;
    let place = &sold.place;
    place.configure("[[shipping.carriers]]\nid = \"postnl\"\nlabel = \"PostNL\"\ntracking_url = \"https://post.example/{number}\"\n\n[modules.inventory]\nenabled = true\n");
    place.run(["migrate"]).await.succeeded();
    let order = sold.order(&[("lamp", 1)]).await;
    sold.pay(&order).await;
    place.run(["discount", "create", "SUMMER-10", "--percent", "10"]).await.succeeded();
    place.run(["staff", "create", "--email", "ada@example.com", "--name", "Ada", "--role", "owner"]).await.succeeded();
    place.run(["webhook", "add", "--url", "https://example.com/hook", "--event", "order.paid"]).await.succeeded();
    let id = order["id"].to_string();
    let cases: [(&[&str], i32, &str); 27] = [
        (&["product", "show", "lmap"], 1, "there is no product `lmap`; did you mean `lamp`?"),
        (&["product", "set", "chiar", "--price", "1.00"], 1, "did you mean `chair`?"),
        (&["product", "deactivate", "sogn"], 1, "did you mean `song`?"),
        (&["discount", "show", "SUMER-10"], 1, "did you mean `SUMMER-10`?"),
        (&["discount", "set", "SUMMER10", "--percent", "5"], 1, "did you mean `SUMMER-10`?"),
        (&["discount", "disable", "sommer-10"], 1, "did you mean `SUMMER-10`?"),
        (&["staff", "disable", "adda@example.com"], 1, "did you mean `ada@example.com`?"),
        (
            &["staff", "set-role", "ada@example.com", "--role", "owener"],
            2,
            "there is no role `owener`; did you mean `owner`?",
        ),
        (
            &["staff", "create", "--email", "ada@example.com", "--name", "Ada", "--role", "owner"],
            1,
            "ada@example.com already; `stoa staff list` shows all",
        ),
        (&["staff", "create", "--email", "ada", "--name", "Ada", "--role", "owner"], 2, "such as ada@example.com"),
        (&["staff", "set-role", "ada@example.com", "--role", "boss"], 2, "there is no role `boss`; there are: owner, "),
        (&["jobs", "run", "orders.expier"], 1, "there is no job `orders.expier`; did you mean `orders.expire`?"),
        (&["worker", "--only", "event"], 2, "there is no lane `event`; did you mean `events`?"),
        (&["order", "ship", &id, "--carrier", "postln"], 2, "there is no carrier `postln`; did you mean `postnl`?"),
        (&["order", "list", "--status", "pendnig"], 2, "'pending'"),
        (&["webhook", "deliveries", "--event", "order.payed"], 2, "did you mean `order.paid`?"),
        (
            &["webhook", "add", "--url", "https://example.com/a", "--event", "orders.paid"],
            2,
            "did you mean `order.paid`?",
        ),
        (&["webhook", "deliveries", "--state", "dead-letter"], 2, "'dead_letter'"),
        (&["webhook", "deliveries", "--endpoint", "9"], 2, "there is no endpoint `9`; there are: 1"),
        (&["webhook", "retry", "--state", "skipped", "--endpoint", "9"], 2, "there is no endpoint `9`"),
        (&["payment", "list", "--gateway", "stirpe"], 2, "there is no gateway `stirpe`; did you mean `stripe`?"),
        (&["payment", "callbacks", "--gateway", "molie"], 2, "there is no gateway `molie`; did you mean `mollie`?"),
        (&["report", "sale"], 2, "'sales'"),
        (&["inventory", "show", "lmap"], 1, "`lmap` is not counted"),
        (&["customer", "show", "many"], 1, "there is no customer"),
        (&["webhook", "show", "first"], 2, "a whole number is expected"),
        (&["order", "list", "--limit", "0"], 2, "a whole number of at least 1 is expected"),
    ];
    for (command, code, words) in cases {
        place.run(command).await.refused(code, &[words]);
    }
    assert!(!place.run(["payment", "list", "--gateway", "development", "--json"]).await.succeeded().data().is_empty());

    for (option, wrong, told) in [
        ("--act", "discounts.craete", "the audit log has no act `discounts.craete`; did you mean `discounts.create`?"),
        ("--act", "discount", "the audit log has no act `discount`; did you mean `discounts`?"),
        ("--actor", "cli:nobody-at-all", "the audit log has no actor `cli:nobody-at-all`\n"),
        ("--subject", "dicount:SUMMER-10", "did you mean `discount:SUMMER-10`?"),
        ("--subject", "discount:SUMMER-01", "did you mean `discount:SUMMER-10`?"),
        ("--subject", "order:99", "the audit log has no subject `order:99`"),
    ] {
        let outcome = place.run(["audit", "list", option, wrong]).await.succeeded();
        assert!(outcome.err.contains(told) && outcome.out.contains("nothing to list"), "{outcome:?}");
    }
    let known = place.run(["audit", "list", "--act", "discounts.create"]).await.succeeded();
    assert!(known.err.is_empty() && known.out.contains("percent: 1000"), "{known:?}");
}

both_databases!(old_and_new_amounts_are_told_as_customers_see_them);
async fn old_and_new_amounts_are_told_as_customers_see_them(backend: Backend) {
    let place = ShopFolder::migrated(backend).await;
    place.run(["discount", "create", "WELCOME", "--amount", "5.00", "--minimum", "25.00"]).await.succeeded();
    let set = async |options: &[&str]| place.run([&["discount", "set", "welcome"], options].concat()).await.succeeded();
    let told = set(&["--amount", "7.50", "--minimum", "none"]).await.out;
    assert!(told.starts_with("what WELCOME takes off is €7.50 now; it was €5.00\n"), "{told}");
    assert!(told.contains("the minimum of WELCOME is gone; it was €25.00\n"), "{told}");
    let told = set(&["--percent", "12.5", "--json"]).await;
    assert_eq!(told.err, "stoa: what WELCOME takes off is 12.5 % now; it was €7.50\n");
    assert_eq!(told.json()["percent"], json!(12.5));
    assert!(!set(&["--max-uses", "5"]).await.out.contains("takes off"), "nothing about amounts was said");

    place
        .run(["product", "create", "lamp", "--name", "Lamp", "--price", "49.00", "--compare-at", "59.00"])
        .await
        .succeeded();
    let set = async |price: &str| place.run(["product", "set", "lamp", "--compare-at", price]).await.succeeded().out;
    let told = set("").await;
    assert!(told.starts_with("the price before the reduction of lamp is gone; it was €59.00\n"), "{told}");
    let told = set("").await;
    assert!(told.starts_with("the price before the reduction of lamp: none, as before\n"), "{told}");
    let told = set("69.00").await;
    assert!(told.starts_with("the price before the reduction of lamp is €69.00 now; there was none\n"), "{told}");
}
