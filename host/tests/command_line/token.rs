//! `stoa token create`.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use super::place::ShopFolder;

async fn place_with_customer(backend: Backend) -> ShopFolder {
    let place = ShopFolder::migrated(backend).await;
    place.run(["customer", "create", "--email", "ada@example.com", "--name", "Ada"]).await.succeeded();
    place
}

both_databases!(a_token_is_made_with_what_was_asked_for);
async fn a_token_is_made_with_what_was_asked_for(backend: Backend) {
    let place = place_with_customer(backend).await;
    let arguments = [
        "token",
        "create",
        "--customer",
        "Ada@Example.com",
        "--name",
        " Laptop ",
        "--ability",
        "orders.read",
        "--ability",
        "account.read",
        "--ability",
        "orders.read",
        "--ip",
        "192.0.2.7",
        "--ip",
        "2001:db8::1/32",
        "--json",
    ];
    let made = place.run(arguments).await.succeeded().json();
    let token = made["token"].as_str().expect("the plain token");
    let (id, secret) = token.split_once('|').expect("an id and a secret");
    assert_eq!(made["id"], json!(id.parse::<i64>().expect("a number")));
    assert!(secret.len() >= 40);
    assert_eq!(made["name"], "Laptop");
    assert_eq!(made["abilities"], json!(["account.read", "orders.read"]));
    assert_eq!(made["networks"], json!(["192.0.2.7/32", "2001:db8::/32"]));
}

both_databases!(a_token_without_abilities_opens_everything_and_is_all_of_the_output);
async fn a_token_without_abilities_opens_everything_and_is_all_of_the_output(backend: Backend) {
    let place = place_with_customer(backend).await;
    let made =
        place.run(["token", "create", "--customer", "ada@example.com", "--name", "All", "--json"]).await.succeeded();
    assert_eq!(made.json()["abilities"], json!(["*"]));
    let plain = place.run(["token", "create", "--customer", "ada@example.com", "--name", "All"]).await.succeeded();
    assert_eq!(plain.out.lines().count(), 1);
    assert!(plain.out.contains('|'));
}

#[tokio::test]
async fn what_no_token_can_have_is_refused() {
    let place = place_with_customer(Backend::Sqlite).await;
    let with = |option: &'static str, value: &'static str| {
        let create = ["token", "create", "--customer", "ada@example.com", "--name", "x"];
        [create.as_slice(), &[option, value]].concat()
    };
    place.run(with("--ability", "orders.raed")).await.refused(2, &["`orders.raed`", "did you mean `orders.read`"]);
    place.run(with("--ability", "zebra")).await.refused(2, &["`zebra`", "account.read"]);
    place.run(with("--ability", "")).await.refused(2, &["ability"]);
    for network in ["ten", "10.0.0.0/33", "10.0.0", "", "::1/129", "10.0.0.0-10.0.0.9"] {
        place.run(with("--ip", network)).await.refused(2, &["--ip", "192.0.2.0/24"]);
    }
    let long = "x".repeat(81);
    for name in ["", "  ", "a\nb", long.as_str()] {
        let arguments = ["token", "create", "--customer", "ada@example.com", "--name", name];
        place.run(arguments).await.refused(2, &["--name", "80"]);
    }
}

#[tokio::test]
async fn a_token_needs_a_customer() {
    let place = ShopFolder::migrated(Backend::Sqlite).await;
    let arguments = ["token", "create", "--customer", "bob@example.com", "--name", "x", "--json"];
    place.run(arguments).await.refused(1, &["no customer", "bob@example.com"]);
}
