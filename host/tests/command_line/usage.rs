//! Wrong usage: exit code 2, a message on standard error, nothing on standard output.

use super::place::ShopFolder;

#[tokio::test]
async fn wrong_usage_is_told_with_what_was_meant() {
    let place = ShopFolder::empty();
    place.run([""]).await.refused(2, &["unrecognized"]);
    place.run([]).await.refused(2, &["Usage", "serve"]);
    place.run(["chek"]).await.refused(2, &["chek", "'check'"]);
    place.run(["help", "chek"]).await.refused(2, &["chek", "'check'"]);
    place.run(["help", "order", "lst"]).await.refused(2, &["lst", "'list'"]);
    place.run(["serve", "--dmeo"]).await.refused(2, &["--dmeo", "--demo"]);
    place.run(["check", "--jsno"]).await.refused(2, &["--jsno", "--json"]);
    place.run(["check", "superfluous"]).await.refused(2, &["superfluous"]);
    place.run(["--config"]).await.refused(2, &["--config"]);
    place.run(["jobs"]).await.refused(2, &["Usage", "list"]);
    place.run(["jobs", "run"]).await.refused(2, &["<NAME>"]);
    place.run(["jobs", "runn", "x"]).await.refused(2, &["runn", "'run'"]);
    place.run(["jobs", "run", "x", "--at", "tomorrow"]).await.refused(2, &["tomorrow", "2027-01-31"]);
    place.run(["jobs", "run", "x", "--at", ""]).await.refused(2, &["--at"]);
    place.run(["events", "retry"]).await.refused(2, &["<ID>"]);
    place.run(["events", "retry", "0"]).await.refused(2, &["0"]);
    place.run(["events", "retry", "-1"]).await.refused(2, &["-1"]);
    place.run(["events", "retry", "many"]).await.refused(2, &["many"]);
    place.run(["events", "retry", "99999999999999999999"]).await.refused(2, &["99999999999999999999"]);
    place.run(["events", "--failed", "retry", "1"]).await.refused(2, &["--failed"]);
    place.run(["token"]).await.refused(2, &["Usage", "create"]);
    place.run(["token", "create"]).await.refused(2, &["--customer", "--name"]);
    place.run(["staff", "create"]).await.refused(2, &["--email", "--role <owner|manager|support|warehouse|"]);
    place.run(["completions"]).await.refused(2, &["<SHELL>"]);
    place.run(["completions", "klingon"]).await.refused(2, &["klingon", "bash", "zsh"]);
    place.run(["migrate", "stats"]).await.refused(2, &["stats", "status"]);
}

#[tokio::test]
async fn wrong_usage_is_told_before_the_configuration_is_read() {
    ShopFolder::with("this is no TOML").run(["events", "retry", "0"]).await.refused(2, &["<ID>"]);
}

#[tokio::test]
async fn no_number_of_the_system_and_no_word_of_a_library_is_told() {
    let place = ShopFolder::empty();
    let signed = ["--secret", "whsec_x", "--timestamp", "1768478400", "--signature", "v1=00", "--body", "missing.json"];
    let outcomes = [
        place.run([&["webhook", "verify"], &signed[..]].concat()).await.refused(1, &["missing.json: "]),
        place.run(["events", "retry", "many"]).await.refused(2, &["'many'", "<ID>", "a whole number is expected"]),
        place.run(["events", "retry", "0"]).await.refused(2, &["'0'", "a whole number of at least 1 is expected"]),
        place.run(["webhook", "show", "99999999999999999999"]).await.refused(2, &["it has too many digits"]),
        place.run(["webhook", "listen", "--port", "70000"]).await.refused(2, &["a whole number from "]),
    ];
    for outcome in outcomes {
        let leaks = ["os error", "invalid digit", "too large to fit", "is not in "];
        assert!(!leaks.iter().any(|leak| outcome.err.contains(leak)), "{outcome:?}");
    }
}
