//! `stoa serve`: its start and its end.

use rustix::process::Signal;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;
use tokio::io::AsyncReadExt;
use tokio::net::{TcpListener, TcpStream};

use super::http;
use super::place::{ShopFolder, send};

/// The status that a request is answered with.
async fn get(address: &str, path: &str) -> u16 {
    http::get(address, path).await.status.as_u16()
}

both_databases!(an_empty_database_is_migrated_and_served_until_the_end);
async fn an_empty_database_is_migrated_and_served_until_the_end(backend: Backend) {
    let place = ShopFolder::on(backend).await;
    let mut shop = place.start(["serve"]);
    let address = shop.line("listening on http://").await;
    assert!(address.starts_with("127.0.0.1:") && !address.ends_with(":0"), "{address}");
    assert_eq!(get(&address, "/health/ready").await, 200);
    assert_eq!(get(&address, "/api/v1/products").await, 200);
    let (code, log) = shop.stop(Signal::TERM).await;
    assert_eq!(code, Some(0), "{log}");
    assert!(TcpStream::connect(&address).await.is_err(), "it still listens");
}

#[tokio::test]
async fn an_instance_that_leaves_says_so_and_answers_until_nobody_asks_it_any_more() {
    let place = ShopFolder::empty()
        .variable("STOA_SERVER__LISTEN", "127.0.0.1:0")
        .variable("STOA_SERVER__STOP_DELAY_SECONDS", "300");
    let mut shop = place.start(["serve"]);
    let address = shop.line("listening on http://").await;
    assert_eq!(get(&address, "/health/ready").await, 200);
    shop.signal(Signal::TERM);
    while get(&address, "/health/ready").await != 503 {}
    assert_eq!(get(&address, "/health/live").await, 200);
    assert_eq!(get(&address, "/api/v1/products").await, 200);
    assert_eq!(shop.stop(Signal::TERM).await.0, Some(130), "whoever asks twice does not want to wait");
}

#[tokio::test]
async fn an_instance_that_leaves_ends_by_itself() {
    let place = ShopFolder::empty()
        .variable("STOA_SERVER__LISTEN", "127.0.0.1:0")
        .variable("STOA_SERVER__STOP_DELAY_SECONDS", "1");
    let mut shop = place.start(["serve"]);
    shop.line("listening on http://").await;
    assert_eq!(shop.stop(Signal::TERM).await.0, Some(0));
}

#[tokio::test]
async fn a_shop_starts_without_any_configuration_file() {
    let place = ShopFolder::empty().variable("STOA_SERVER__LISTEN", "127.0.0.1:0");
    let mut shop = place.start(["serve"]);
    let address = shop.line("listening on http://").await;
    assert_eq!(get(&address, "/health/live").await, 200);
    let (code, log) = shop.stop(Signal::INT).await;
    assert_eq!(code, Some(0));
    for told in ["there is no config.toml here", "`stoa init`", "`--config FILE`"] {
        assert!(log.contains(told), "{told} is missing in {log}");
    }
    assert!(place.path().join("data/stoa.db").is_file());
}

#[tokio::test]
async fn a_trusted_proxy_has_more_connections_than_one_address_may() {
    for (trusted, is_proxy) in [("[]", false), ("[\"127.0.0.1\"]", true)] {
        let place = ShopFolder::migrated(Backend::Sqlite)
            .await
            .variable("STOA_SERVER__LISTEN", "127.0.0.1:0")
            .variable("STOA_SERVER__MAX_CONNECTIONS_PER_ADDRESS", "1")
            .variable("STOA_SERVER__TRUSTED_PROXIES", trusted);
        let mut shop = place.start(["serve"]);
        let address = shop.line("listening on http://").await;
        // It has said nothing yet, so it is not idle and does not make room.
        let held = TcpStream::connect(&address).await.expect("the shop listens");
        if is_proxy {
            assert_eq!(get(&address, "/health/live").await, 200);
        } else {
            let mut refusal = String::new();
            let mut second = TcpStream::connect(&address).await.expect("the shop listens");
            second.read_to_string(&mut refusal).await.expect("it is told why");
            assert!(refusal.starts_with("HTTP/1.1 429 Too Many Requests\r\n"), "{refusal}");
        }
        drop(held);
        assert_eq!(shop.stop(Signal::TERM).await.0, Some(0));
    }
}

#[tokio::test]
async fn an_address_that_is_taken_is_told_and_no_database_is_made() {
    let taken = std::net::TcpListener::bind("127.0.0.1:0").expect("an address is free");
    let address = taken.local_addr().expect("it is bound").to_string();
    let place = ShopFolder::empty().variable("STOA_SERVER__LISTEN", &address);
    place.run(["serve"]).await.refused(1, &[&address, "already uses this address"]);
    assert!(!place.path().join("data/stoa.db").exists());
}

#[tokio::test]
async fn a_shop_that_may_not_migrate_waits_for_the_operator() {
    let place = ShopFolder::on(Backend::Sqlite).await.variable("STOA_DATABASE__AUTO_MIGRATE", "false");
    place.run(["serve"]).await.refused(1, &["pending", "stoa migrate"]);
    place.run(["migrate"]).await.succeeded();
    let mut shop = place.start(["serve"]);
    shop.line("listening on http://").await;
    assert_eq!(shop.stop(Signal::TERM).await.0, Some(0));
}

#[tokio::test]
async fn a_shop_serves_although_nobody_reads_where() {
    let free = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port is free");
    let address = free.local_addr().expect("it is bound").to_string();
    drop(free);
    let place = ShopFolder::on(Backend::Sqlite).await.variable("STOA_SERVER__LISTEN", &address);
    let mut shop = place.start_unread(["serve"]);
    while TcpStream::connect(&address).await.is_err() {
        assert_eq!(shop.try_wait().expect("it can be asked"), None, "it has ended");
        tokio::task::yield_now().await;
    }
    assert_eq!(get(&address, "/api/v1/products").await, 200);
    send(&shop, Signal::TERM);
    assert_eq!(shop.wait().await.expect("it can be waited for").code(), Some(0));
}

#[tokio::test]
async fn a_database_that_does_not_answer_is_told() {
    let place = ShopFolder::with(
        "[server]\nlisten = \"127.0.0.1:0\"\n[database]\nurl = \"postgres://shop:hunter2@127.0.0.1:1/stoa\"\n",
    );
    for command in ["serve", "worker", "migrate", "check"] {
        let outcome = place.run([command]).await.refused(1, &["127.0.0.1:1"]);
        assert!(!outcome.err.contains("hunter2"), "the password is shown");
    }
}

#[tokio::test]
async fn a_shop_serves_without_its_redis_and_says_so_once() {
    let place = ShopFolder::on(Backend::Sqlite).await.variable("STOA_LIMITS__STORE", "redis://:hunter2@127.0.0.1:1");
    let mut shop = place.start(["serve"]);
    let address = shop.line("listening on http://").await;
    for _ in 0..20 {
        assert_eq!(get(&address, "/api/v1/products").await, 200);
    }
    let (code, log) = shop.stop(Signal::TERM).await;
    assert_eq!(code, Some(0), "{log}");
    let told = log.lines().filter(|line| line.contains("127.0.0.1:1") && line.contains("WARN")).count();
    assert!(told == 1 && !log.contains("hunter2"), "{log}");
}
