//! What the program contains and what its database has had: `modules`, `routes`, `openapi`, `migrate status`.

use std::collections::BTreeSet;

use serde_json::{Value, json};
use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::sql;
use stoa_core::testing::both_databases;

use super::http;
use super::place::ShopFolder;
use super::stock::{names, serve, stop};

/// The members of every entry, which are the same for all.
#[track_caller]
fn members(entries: &[Value]) -> Vec<String> {
    let of = |entry: &Value| entry.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    let first = of(entries.first().expect("there are entries"));
    for entry in entries {
        assert_eq!(of(entry), first);
    }
    first
}

fn texts<'a>(entries: &'a [Value], member: &str) -> Vec<&'a str> {
    entries.iter().map(|entry| entry[member].as_str().unwrap_or_else(|| panic!("no {member} in {entry}"))).collect()
}

/// The first lines of a column's cells, by its head, which may stand below the first line as the cells do then.
fn column<'a>(table: &'a str, head: &str) -> Vec<&'a str> {
    let is_head = |line: &&str| !line.contains(|letter: char| letter.is_lowercase());
    let heads = table.lines().take_while(is_head).collect::<Vec<_>>();
    let found = heads.iter().enumerate().find_map(|(below, heads)| Some((below, heads.find(head)?)));
    let (below, start) = found.unwrap_or_else(|| panic!("no {head} in {table}"));
    let lines = table.lines().skip(heads.len()).collect::<Vec<_>>();
    let rows = (0..lines.len()).filter(|at| !lines[*at].starts_with(' '));
    let cells = rows.map(|at| lines.get(at + below).and_then(|line| line.get(start..)).unwrap_or_default());
    cells.map(|cell| cell.split("  ").next().unwrap_or_default()).collect()
}

const MODULES: [&str; 8] = [
    "digital_secrets",
    "documentation",
    "downloads",
    "event_tickets",
    "inventory",
    "services",
    "storefront",
    "subscriptions",
];

#[tokio::test]
async fn modules_are_shown_with_what_they_add() {
    let place = ShopFolder::with("[modules.downloads]\nenabled = true\n");
    let shown = place.run(["modules"]).await.succeeded();
    assert_eq!(column(&shown.out, "MODULE"), MODULES);
    assert_eq!(column(&shown.out, "STATE"), ["off", "off", "on", "off", "off", "off", "off", "off"]);
    assert!(column(&shown.out, "ROUTES")[2].contains("GET /downloads/{token}"), "{}", shown.out);

    let modules = place.run(["modules", "--json"]).await.succeeded().data();
    let expected = [
        "key",
        "enabled",
        "version",
        "crate",
        "routes",
        "abilities",
        "capabilities",
        "events",
        "jobs",
        "mails",
        "pages",
    ];
    assert_eq!(members(&modules), expected);
    assert_eq!(texts(&modules, "key"), MODULES);
    let downloads = &modules[2];
    assert_eq!((&downloads["enabled"], &modules[0]["enabled"]), (&json!(true), &json!(false)));
    assert_eq!(
        (&downloads["crate"], &downloads["version"]),
        (&json!("stoa-commerce-downloads"), &json!(env!("CARGO_PKG_VERSION")))
    );
    assert_eq!(
        downloads["routes"][1],
        json!({"method": "GET", "path": "/downloads/{token}", "ability": "downloads.read", "refused": false})
    );
    assert_eq!(downloads["abilities"], json!(["downloads.read"]));
    assert_eq!(downloads["capabilities"], json!(["digital"]));
    let events = downloads["events"].as_array().expect("a list");
    assert_eq!(members(events), ["event", "listener"]);
    assert!(texts(events, "event").contains(&"OrderPaid"), "{events:?}");
    assert_eq!(names(place.path()), ["config.toml"], "nothing is made by looking");
}

#[tokio::test]
async fn routes_are_shown_with_who_may_use_them() {
    let place = ShopFolder::with("[modules.downloads]\nenabled = true\n");
    let routes = place.run(["routes", "--json"]).await.succeeded().data();
    assert_eq!(members(&routes), ["name", "method", "path", "access", "owner"]);
    let shown = place.run(["routes"]).await.succeeded();
    for (head, member) in [("METHOD", "method"), ("PATH", "path"), ("ACCESS", "access"), ("OWNER", "owner")] {
        assert_eq!(column(&shown.out, head), texts(&routes, member));
    }
    let find = |name: &str| routes.iter().find(|route| route["name"] == name).unwrap_or_else(|| panic!("no {name}"));
    let expected = json!({"name": "products.index", "method": "GET", "path": "/api/v1/products", "access": "public",
                          "owner": "core"});
    assert_eq!(find("products.index"), &expected);
    let accesses = ["cart.show", "orders.index", "downloads.file"].map(|name| find(name)["access"].clone());
    assert_eq!(accesses, ["cart", "orders.read", "downloads.read"]);
    assert_eq!(find("downloads.file")["owner"], "downloads");
    let places = routes.iter().map(|route| (route["method"].to_string(), route["path"].to_string()));
    assert_eq!(places.collect::<BTreeSet<_>>().len(), routes.len(), "a route is listed twice");
    let without = ShopFolder::empty().run(["routes", "--json"]).await.succeeded().data();
    assert!(without.iter().all(|route| route["owner"] == "core"), "a module that is off has routes");
}

#[tokio::test]
async fn the_document_is_the_one_that_is_served() {
    let place = ShopFolder::on(Backend::Sqlite).await.variable("STOA_SERVER__BASE_URL", "https://shop.test");
    let printed = place.run(["openapi"]).await.succeeded();
    let document = printed.json();
    assert_eq!(document["openapi"], "3.0.3");
    assert_eq!(document["servers"][0]["url"], "https://shop.test/api/v1");
    assert!(document["paths"]["/products"]["get"].is_object() && document["paths"]["/downloads"].is_null());
    assert_eq!(place.run(["openapi", "--json"]).await.succeeded().out, printed.out);
    let (shop, address) = serve(&place).await;
    let served = http::get(&address, "/api/v1/openapi.json").await;
    assert_eq!(served.json(), document);
    stop(shop).await;
}

const FORGET_LAST: Sql =
    sql!("DELETE FROM _migrations_core WHERE version = (SELECT MAX(version) FROM _migrations_core)");

/// Leaves a database that lacks what core's last migration noted, as one of an earlier version does.
pub(super) async fn forget_last_migration(place: &ShopFolder) {
    let db = place.db().await;
    let forgotten = db.write(async |tx| -> Result<u64, DbError> { tx.run(FORGET_LAST).execute().await });
    assert_eq!(forgotten.await.expect("it is written"), 1);
}

both_databases!(migrations_are_shown_with_their_states);
async fn migrations_are_shown_with_their_states(backend: Backend) {
    let place = ShopFolder::on(backend).await;
    let status = ["migrate", "status", "--json"];
    if backend == Backend::Postgres {
        let migrations = place.run(status).await.succeeded().data();
        assert!(migrations.iter().all(|migration| migration["state"] == "pending"), "{migrations:?}");
    } else {
        place.run(status).await.refused(1, &["no database", "stoa migrate"]);
    }
    let applied = place.run(["migrate", "--json"]).await.succeeded().data();
    assert_eq!(members(&applied), ["set", "version", "description", "state"]);
    assert!(applied.iter().all(|migration| migration["set"] == "core" && migration["state"] == "applied"));
    assert_eq!(place.run(status).await.succeeded().data(), applied);
    let versions = applied.iter().map(|migration| migration["version"].as_u64().expect("a number"));
    let shown = place.run(["migrate", "status"]).await.succeeded().out;
    assert_eq!(column(&shown, "NUMBER"), versions.map(|version| format!("{version:04}")).collect::<Vec<_>>());
    assert_eq!(column(&shown, "NAME"), texts(&applied, "description"));
    assert!(column(&shown, "STATE").iter().all(|state| *state == "applied"), "{shown}");

    forget_last_migration(&place).await;
    let states = place.run(status).await.succeeded().data();
    let (last, earlier) = states.split_last().expect("there are migrations");
    assert_eq!(last["state"], "pending");
    assert!(earlier.iter().all(|migration| migration["state"] == "applied"));
}

#[tokio::test]
async fn nothing_to_apply_is_told() {
    let place = ShopFolder::migrated(Backend::Sqlite).await;
    let again = place.run(["migrate"]).await.succeeded();
    assert_eq!(again.out, "nothing to apply: the database is current\n");
    assert_eq!(place.run(["migrate", "--json"]).await.succeeded().data(), Vec::<Value>::new());
}

#[tokio::test]
async fn what_these_commands_do_not_know_is_refused() {
    let place = ShopFolder::empty();
    for command in ["modules", "routes", "openapi", "migrate"] {
        place.run([command, "superfluous"]).await.refused(2, &["superfluous"]);
        place.run([command, "--jsno"]).await.refused(2, &["--jsno", "--json"]);
    }
    place.run(["migrate", "status", "superfluous"]).await.refused(2, &["superfluous"]);
    assert_eq!(names(place.path()), Vec::<String>::new());
}
