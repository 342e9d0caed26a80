//! `stoa staff`: the people of the console, from their first password to their last day.

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use super::place::ShopFolder;

const ADA: &str = "ada@example.com";
const BOB: &str = "bob@example.com";

both_databases!(people_of_the_console_are_made_changed_and_let_go_and_each_time_a_row_says_so);
async fn people_of_the_console_are_made_changed_and_let_go_and_each_time_a_row_says_so(backend: Backend) {
    let place = ShopFolder::migrated(backend).await;
    let ada = ["staff", "create", "--email", ADA, "--name", "Ada", "--role", "owner", "--password-stdin", "--json"];
    place.run_with(ada, "too short\n").await.refused(2, &["12"]);
    let made = place.run_with(ada, "correct horse battery\n").await.succeeded().json();
    assert_eq!(
        (&made["email"], &made["role"], &made["has_password"]),
        (&json!(ADA), &json!("owner"), &json!(true)),
        "{made}"
    );
    let bob = ["staff", "create", "--email", BOB, "--name", "Bob", "--role", "viewer"];
    let told = place.run(bob).await.succeeded().out;
    assert!(told.contains(&format!("stoa staff login-link {BOB}")), "{told}");
    place.run(bob).await.refused(1, &[BOB]);

    let set = ["staff", "set-role", BOB, "--role", "support", "--json"];
    assert_eq!(place.run(set).await.succeeded().json()["role"], "support");
    let off = ["staff", "disable", "--email", BOB, "--json"];
    assert_eq!(place.run(off).await.succeeded().json()["disabled"], true);
    place.run(["staff", "login-link", BOB]).await.refused(1, &["stoa staff enable"]);
    assert_eq!(place.run(["staff", "enable", BOB, "--json"]).await.succeeded().json()["disabled"], false);
    let link = place.run(["staff", "login-link", BOB, "--json"]).await.succeeded().json();
    assert!(link["url"].as_str().is_some_and(|url| url.contains("/console/login")), "{link}");
    assert!(link["expires_at"].is_string(), "{link}");
    place.run(["staff", "disable", ADA]).await.refused(1, &["the last owner"]);
    place.run(["staff", "set-role", ADA, "--role", "viewer"]).await.refused(1, &["the last owner"]);
    assert_eq!(place.run(["staff", "reset", ADA, "--json"]).await.succeeded().json()["has_password"], false);

    let mut people = place.run(["staff", "list", "--json"]).await.succeeded().data();
    people.sort_by_key(|person| person["email"].to_string());
    let known = people.iter().map(|person| (person["email"].as_str(), person["role"].as_str())).collect::<Vec<_>>();
    assert_eq!(known, [(Some(ADA), Some("owner")), (Some(BOB), Some("support"))]);

    let subject = format!("staff:{BOB}");
    let rows = place.run(["audit", "list", "--subject", &subject, "--json"]).await.succeeded().data();
    let acts = rows.iter().map(|row| row["act"].as_str().unwrap_or_default()).collect::<Vec<_>>();
    assert_eq!(acts, ["staff.login-link", "staff.enable", "staff.disable", "staff.set-role", "staff.create"]);
    let is_told = |row: &Value| row["actor"].as_str().is_some_and(|actor| actor.starts_with("cli:"));
    assert!(rows.iter().all(is_told), "{rows:?}");
    let all = place.run(["audit", "list", "--json"]).await.succeeded().out;
    assert!(!all.contains("correct horse"), "no secret is written down: {all}");
}
