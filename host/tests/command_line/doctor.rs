//! `stoa doctor`: what it finds, and that it names what mends it.

use std::fs::Permissions;
use std::os::unix::fs::PermissionsExt;

use chrono::{DateTime, Utc};
use serde_json::Value;
use sqlx::types::Json;
use stoa_core::db::{Backend, DbError, Sql};
use stoa_core::sql;
use stoa_core::testing::{both_databases, run_redis_test};
use stoa_fakes::Authority;
use stoa_fakes::mollie::{self, Mollie};
use stoa_fakes::paypal::{self, Paypal};
use stoa_fakes::stripe::{self, Stripe};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, copy_bidirectional};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsAcceptor;

use super::events::note_delivery;
use super::place::{ShopFolder, found};

/// What the doctor finds, each with what mends it unless all is well.
async fn examine(place: &ShopFolder) -> Vec<Value> {
    let findings = place.run(["doctor", "--json"]).await.data();
    for finding in &findings {
        let is_well = finding["state"] == "ok";
        assert_eq!(finding["fix"].is_null(), is_well, "{finding}");
        assert!(finding["message"].as_str().is_some_and(|message| !message.is_empty()), "{finding}");
    }
    findings
}

/// What it says about one check that is not well.
fn complaint(findings: &[Value], check: &str) -> String {
    let finding = findings.iter().find(|finding| finding["check"] == check && finding["state"] != "ok");
    let finding = finding.unwrap_or_else(|| panic!("nothing is wrong with {check}: {findings:?}"));
    format!("{} / {}", finding["message"].as_str().unwrap_or_default(), finding["fix"].as_str().unwrap_or_default())
}

both_databases!(a_new_shop_is_examined_in_all_respects);
async fn a_new_shop_is_examined_in_all_respects(backend: Backend) {
    let place = ShopFolder::migrated(backend).await;
    let findings = examine(&place).await;
    let checks = [
        "configuration",
        "files.configuration",
        "files.media",
        "key",
        "server.base_url",
        "server.trusted_proxies",
        "limits",
        "limits.store",
        "payments",
        "modules",
        "clock",
        "database.reachable",
        "database.writable",
        "database.integrity",
        "migrations",
        "catalog.categories",
        "catalog.capabilities",
        "catalog.images",
        "events",
        "orders.review",
        "payments.callbacks",
        "payments.attempts",
        "shipping.methods",
        "worker",
        "jobs",
    ];
    for check in checks {
        assert!(found(&findings, check, "ok"), "{check}: {findings:?}");
    }
    assert!(complaint(&findings, "mail").starts_with("this shop sends no mail"), "{findings:?}");
    assert!(complaint(&findings, "mail").ends_with("/ set `mail.smtp.host` and `mail.from`"), "{findings:?}");
    // How the machine is set up is not for a test to say.
    let mut others = vec!["limits.open_files", "database.settings"];
    if backend == Backend::Sqlite {
        assert!(found(&findings, "database.settings", "ok"), "{findings:?}");
        others.extend(["files.database", "disk.local", "disk.space"]);
    }
    for check in others {
        assert!(findings.iter().any(|finding| finding["check"] == check), "{check} is not looked at");
    }
}

both_databases!(goods_that_no_shipping_method_takes_to_a_country_that_is_sold_to_are_told);
async fn goods_that_no_shipping_method_takes_to_a_country_that_is_sold_to_are_told(backend: Backend) {
    let place = ShopFolder::migrated(backend).await;
    let method = "[[shipping.methods]]\nid = 'parcel'\nlabel = 'Parcel'\namount = 490\ncountries = ['NL', 'BE']\n";
    place.configure(&format!("[shop]\ncountries = ['NL', 'BE', 'DE']\n{method}"));
    assert!(found(&examine(&place).await, "shipping.methods", "ok"), "nothing is to be sent");
    place.run(["product", "create", "shirt", "--name", "Shirt", "--price", "25.00", "--shippable"]).await.succeeded();
    let told = complaint(&examine(&place).await, "shipping.methods");
    assert!(told.contains("1 product has to be sent") && told.contains("1 of the 3 countries"), "{told}");
    assert!(told.contains(": DE / add them to `countries`"), "{told}");
    let place = place.variable("STOA_SHIPPING__METHODS", "[]");
    let told = complaint(&examine(&place).await, "shipping.methods");
    assert!(told.contains("nobody can order / write a `[[shipping.methods]]`"), "{told}");
}

#[tokio::test]
async fn warnings_alone_are_a_success_and_failures_are_not() {
    let place = ShopFolder::migrated(Backend::Sqlite).await;
    place.configure("[limits]\ncatalog = { requests = 0, per_seconds = 60 }\n");
    let outcome = place.run(["doctor"]).await.succeeded();
    assert!(outcome.out.contains("limits.catalog"), "{}", outcome.out);
    assert!(outcome.out.lines().last().is_some_and(|line| line.contains("warning") && line.contains("0 failures")));
    note_delivery(&place.db().await, 42, "failed").await;
    let outcome = place.run(["doctor"]).await;
    assert_eq!(outcome.code, 1);
    assert!(outcome.out.contains("stoa events retry") && outcome.err.contains("1 failure"), "{outcome:?}");
}

#[tokio::test]
async fn a_shop_without_a_database_is_examined_as_far_as_it_goes() {
    for (place, fix) in
        [(ShopFolder::with(""), "/ stoa migrate"), (ShopFolder::empty(), "begin a shop with `stoa init`")]
    {
        let outcome = place.run(["doctor", "--json"]).await;
        assert_eq!(outcome.code, 1);
        assert!(complaint(&outcome.data(), "database.reachable").ends_with(fix));
        assert!(!place.path().join("data").exists(), "the doctor made something");
    }
}

#[tokio::test]
async fn files_that_others_can_change_or_read_are_told() {
    let place = ShopFolder::migrated(Backend::Sqlite).await;
    let chmod = |name: &str, mode| {
        std::fs::set_permissions(place.path().join(name), Permissions::from_mode(mode)).expect("it is ours");
    };
    chmod("config.toml", 0o666);
    chmod("data/stoa.key", 0o644);
    let findings = examine(&place).await;
    assert!(complaint(&findings, "files.configuration").contains("/ chmod o-rwx "));
    assert!(complaint(&findings, "key").contains("/ chmod 600 "));
}

#[tokio::test]
async fn a_public_shop_without_https_is_told() {
    let place =
        ShopFolder::migrated(Backend::Sqlite).await.variable("STOA_SERVER__BASE_URL", "http://shop.example.com");
    assert!(complaint(&examine(&place).await, "server.base_url").contains("https"));
    let place = place.variable("STOA_SERVER__BASE_URL", "https://shop.example.com");
    assert!(complaint(&examine(&place).await, "server.trusted_proxies").contains("server.trusted_proxies"));
}

#[tokio::test]
async fn a_follower_that_the_shop_does_not_know_of_or_that_is_away_is_told() {
    let place = ShopFolder::migrated(Backend::Sqlite).await;
    assert!(examine(&place).await.iter().all(|finding| finding["check"] != "database.followed"));
    let place = place.variable("STOA_DATABASE__FOLLOWED", "true");
    assert!(complaint(&examine(&place).await, "database.followed").contains("nobody has followed"));
    // Like the shop, it has the file open, so that nobody else clears the log at the end.
    let db = place.db().await;
    db.write(async |tx| tx.run(BE_FOLLOWED).execute().await).await.expect("the table is made");
    assert!(found(&examine(&place).await, "database.followed", "ok"));
    let log = std::fs::File::options().write(true).open(place.database_file().with_extension("db-wal"));
    log.expect("it is there").set_len(2 * 1024 * 1024 * 1024).expect("it takes no room");
    assert!(complaint(&examine(&place).await, "database.followed").contains("2048 MiB wait"));
    let place = place.variable("STOA_DATABASE__FOLLOWED", "false");
    assert!(complaint(&examine(&place).await, "database.followed").contains("set `database.followed = true`"));
    db.close().await;
}

#[tokio::test]
async fn variables_that_are_no_settings_and_keys_for_trying_out_are_told() {
    let place = ShopFolder::migrated(Backend::Sqlite)
        .await
        .variable("STOA_SERVER_LISTEN", "127.0.0.1:1")
        .variable("STOA_SERVER__BASE_URL", "https://shop.example.com")
        .variable("STOA_PAYMENTS__MOLLIE__ENABLED", "true")
        .variable("STOA_PAYMENTS__MOLLIE__API_KEY", "test_0123456789")
        .variable("STOA_PAYMENTS__MOLLIE__API_BASE", "http://127.0.0.1:1");
    let findings = examine(&place).await;
    let said = complaint(&findings, "environment");
    assert!(said.contains("STOA_SERVER_LISTEN is no setting") && said.contains("STOA_SERVER__LISTEN"), "{said}");
    let said = complaint(&findings, "payments.keys");
    assert!(said.contains("`payments.mollie.api_key` is a test key"), "{said}");
}

both_databases!(products_that_customers_miss_are_told);
async fn products_that_customers_miss_are_told(backend: Backend) {
    let place = ShopFolder::migrated(backend).await;
    place.write("shop.jsonl", concat!(
        r#"{"type": "category", "slug": "attic", "name": "Attic", "active": false}"#, "\n",
        r#"{"type": "category", "slug": "lamps", "name": "Lamps", "image": "lamps.svg"}"#, "\n",
        r#"{"type": "product", "slug": "old-lamp", "name": "Old lamp", "price_amount": 100, "category": "attic"}"#, "\n",
        r#"{"type": "product", "slug": "ebook", "name": "E-book", "price_amount": 100, "capabilities": ["digital"]}"#, "\n",
        r#"{"type": "product", "slug": "lamp", "name": "Lamp", "price_amount": 100, "images": ["a.svg", "https://cdn.example/b.svg"]}"#, "\n",
    ));
    place.run(["import", "shop.jsonl", "--format", "stoa"]).await.succeeded();
    let findings = examine(&place).await;
    assert!(complaint(&findings, "catalog.categories").ends_with("/ stoa category activate attic"));
    assert!(complaint(&findings, "catalog.capabilities").contains("`digital`"));
    let images = complaint(&findings, "catalog.images");
    assert!(
        images.contains("2 images are missing") && images.contains("a.svg of lamp") && !images.contains("b.svg"),
        "{images}"
    );
}

const BE_FOLLOWED: Sql = sql!("CREATE TABLE _litestream_seq (id INTEGER PRIMARY KEY, seq INTEGER)");
const NOTE_JOB: Sql = sql!(
    "INSERT INTO tasks (lane, kind, payload, state, attempts, due_at, last_error, written_at, created_at)
     VALUES ('jobs', 'events.dispatch', $3, 'pending', 0, $1, $2, $1, $1)"
);

both_databases!(work_that_nobody_does_is_told);
async fn work_that_nobody_does_is_told(backend: Backend) {
    let place = ShopFolder::migrated(backend).await;
    let db = place.db().await;
    let noted = db.write(async |tx| -> Result<u64, DbError> {
        let long_ago = tx.now() - chrono::TimeDelta::hours(1);
        tx.run(NOTE_JOB).bind(long_ago).bind("the disk is full").bind(Json(Value::Null)).execute().await
    });
    noted.await.expect("the row is valid");
    note_delivery(&db, 42, "failed").await;
    let findings = examine(&place).await;
    assert!(complaint(&findings, "jobs").contains("stoa worker"));
    assert!(
        findings
            .iter()
            .any(|finding| finding["message"].as_str().is_some_and(|text| text.contains("the disk is full")))
    );
    assert!(complaint(&findings, "events").contains("stoa events retry"));
}

both_databases!(a_shop_that_nothing_works_for_in_the_background_is_told);
async fn a_shop_that_nothing_works_for_in_the_background_is_told(backend: Backend) {
    let place = ShopFolder::migrated(backend).await;
    place.configure("[worker]\nenabled = false\n");
    assert!(found(&examine(&place).await, "worker", "ok"), "nothing waits yet");
    let db = place.db().await;
    let noted = db.write(async |tx| -> Result<u64, DbError> {
        let long_ago = "2025-05-01T12:34:00Z".parse::<DateTime<Utc>>().expect("a time");
        tx.run(NOTE_JOB).bind(long_ago).bind(None::<&str>).bind(Json(Value::Null)).execute().await
    });
    noted.await.expect("the row is valid");
    let said = complaint(&examine(&place).await, "worker");
    for words in ["nothing does background work here", "due since 2025-05-01 12:34 UTC", "/ start", "stoa worker"] {
        assert!(said.contains(words), "{said}");
    }
}

const TOMORROW: Sql = sql!("INSERT INTO users (email, created_at, updated_at) VALUES ('a@b.example', $1, $1)");

both_databases!(rows_of_tomorrow_betray_a_wrong_clock);
async fn rows_of_tomorrow_betray_a_wrong_clock(backend: Backend) {
    let place = ShopFolder::migrated(backend).await;
    let db = place.db().await;
    let noted = db.write(async |tx| -> Result<u64, DbError> {
        let tomorrow = tx.now() + chrono::TimeDelta::days(1);
        tx.run(TOMORROW).bind(tomorrow).execute().await
    });
    noted.await.expect("the row is valid");
    assert!(complaint(&examine(&place).await, "clock").contains("time synchronization"));
}

const PAGE_OF_PRICES: Sql = sql!(
    sqlite: "SELECT rootpage FROM sqlite_schema WHERE name = 'product_prices'",
    postgres: "SELECT CAST(0 AS BIGINT)",
);

#[tokio::test]
async fn a_damaged_database_file_is_told() {
    let place = ShopFolder::migrated(Backend::Sqlite).await;
    let db = place.db().await;
    let page = db.read(PAGE_OF_PRICES).scalar::<i64>().await.expect("it is told");
    // Moves everything from the log into the file.
    db.close().await;
    let file = place.database_url().trim_start_matches("sqlite://").to_owned();
    let mut bytes = std::fs::read(&file).expect("there is a database");
    // Pages with the schema would keep it from being opened.
    let start = (usize::try_from(page).expect("few pages") - 1) * 4096;
    bytes[start..start + 4096].fill(0xAA);
    std::fs::write(&file, bytes).expect("the file is ours");
    let findings = examine(&place).await;
    assert!(complaint(&findings, "database.integrity").contains("stoa restore"));
}

#[tokio::test]
async fn a_redis_that_does_not_answer_is_told_without_its_password() {
    let place = ShopFolder::migrated(Backend::Sqlite).await;
    let place = place.variable("STOA_LIMITS__STORE", "redis://shop:hunter2@127.0.0.1:1");
    let findings = examine(&place).await;
    let said = complaint(&findings, "limits.store");
    assert!(said.contains("redis://shop:***@127.0.0.1:1") && said.contains("/ start Redis"), "{said}");
    let text = place.run(["doctor"]).await;
    assert!(!format!("{findings:?}{text:?}").contains("hunter2"), "{text:?}");
}

#[test]
fn a_redis_that_can_count_is_well() {
    run_redis_test(|redis| async move {
        let place = ShopFolder::migrated(Backend::Sqlite).await.variable("STOA_LIMITS__STORE", redis.url().expose());
        assert!(found(&examine(&place).await, "limits.store", "ok"));
    });
}

#[test]
fn a_redis_with_another_password_is_told() {
    run_redis_test(|redis| async move {
        let place = ShopFolder::migrated(Backend::Sqlite).await;
        let place = place.variable("STOA_LIMITS__STORE", redis.with_password("hunter2").url().expose());
        assert!(complaint(&examine(&place).await, "limits.store").contains("/ correct user and password"));
    });
}

#[test]
fn a_user_of_redis_without_rights_is_told() {
    run_redis_test(|redis| async move {
        let user = format!("stoa-test-{}", std::process::id());
        redis.command(&["ACL", "SETUSER", &user, "on", ">secret", "+ping"]).await;
        let url = format!("redis://{user}:secret@{}", redis.address());
        let place = ShopFolder::migrated(Backend::Sqlite).await.variable("STOA_LIMITS__STORE", &url);
        let said = complaint(&examine(&place).await, "limits.store");
        redis.command(&["ACL", "DELUSER", &user]).await;
        assert!(said.contains("/ give the user its rights"), "{said}");
    });
}

/// A way to Redis through TLS, with a certificate for `localhost`; returns its port.
async fn tls_in_front_of(redis: &str, acceptor: TlsAcceptor) -> u16 {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port is free");
    let (port, redis) = (listener.local_addr().expect("it is bound").port(), redis.to_owned());
    tokio::spawn(async move {
        while let Ok((stream, _)) = listener.accept().await {
            let (acceptor, redis) = (acceptor.clone(), redis.clone());
            tokio::spawn(async move {
                // Who does not believe the certificate goes away.
                let Ok(mut outside) = acceptor.accept(stream).await else { return };
                let mut inside = TcpStream::connect(redis).await.expect("Redis is there");
                let _ = copy_bidirectional(&mut outside, &mut inside).await;
            });
        }
    });
    port
}

#[test]
fn redis_is_reached_through_tls_if_its_certificate_is_believed() {
    run_redis_test(|redis| async move {
        let (authority, foreign) = (Authority::new(), Authority::new());
        let port = tls_in_front_of(&redis.address(), authority.acceptor("localhost", |_| {})).await;
        for (believed, is_well) in [(&authority, true), (&foreign, false)] {
            let place = ShopFolder::migrated(Backend::Sqlite).await;
            let place = place.variable("STOA_LIMITS__STORE", &format!("rediss://localhost:{port}"));
            let place = place.variable("SSL_CERT_FILE", &believed.file().display().to_string());
            assert_eq!(found(&examine(&place).await, "limits.store", "ok"), is_well);
        }
    });
}

#[tokio::test]
async fn providers_are_asked_whether_they_take_the_keys() {
    let stripe = Stripe::start(stripe::Settings::default()).await.expect("a port is free");
    let paypal = Paypal::start(paypal::Settings::default()).await.expect("a port is free");
    let mollie = Mollie::start(mollie::Settings::default()).await.expect("a port is free");
    let (stripe_key, secret) = (&stripe.settings().secret_key, &paypal.settings().client_secret);
    for (stripe_key, secret, is_well) in
        [(stripe_key.as_str(), secret.as_str(), true), ("sk_test_wrong", "wrong-secret", false)]
    {
        let place = ShopFolder::migrated(Backend::Sqlite)
            .await
            .variable("STOA_PAYMENTS__STRIPE__ENABLED", "true")
            .variable("STOA_PAYMENTS__STRIPE__SECRET_KEY", stripe_key)
            .variable("STOA_PAYMENTS__STRIPE__WEBHOOK_SECRET", "whsec_0123456789abcdef")
            .variable("STOA_PAYMENTS__STRIPE__API_BASE", stripe.base_url())
            .variable("STOA_PAYMENTS__MOLLIE__ENABLED", "true")
            .variable("STOA_PAYMENTS__MOLLIE__API_KEY", &mollie.settings().api_key)
            .variable("STOA_PAYMENTS__MOLLIE__API_BASE", mollie.base_url())
            .variable("STOA_PAYMENTS__PAYPAL__ENABLED", "true")
            .variable("STOA_PAYMENTS__PAYPAL__CLIENT_ID", &paypal.settings().client_id)
            .variable("STOA_PAYMENTS__PAYPAL__CLIENT_SECRET", secret)
            .variable("STOA_PAYMENTS__PAYPAL__WEBHOOK_ID", &paypal.settings().webhook_id)
            .variable("STOA_PAYMENTS__PAYPAL__API_BASE", paypal.base_url());
        let findings = examine(&place).await;
        let told = findings.iter().filter(|finding| finding["check"] == "payments.providers").collect::<Vec<_>>();
        assert_eq!(told.len(), 3, "{told:?}");
        let state = |provider: &str| {
            let about =
                told.iter().find(|finding| finding["message"].as_str().is_some_and(|text| text.starts_with(provider)));
            about.unwrap_or_else(|| panic!("nothing about {provider}: {told:?}"))["state"].clone()
        };
        let expected = if is_well { "ok" } else { "failure" };
        assert_eq!(
            (state("stripe"), state("paypal"), state("mollie")),
            (expected.into(), expected.into(), "ok".into())
        );
        if !is_well {
            let said = format!("{told:?}");
            assert!(said.contains("payments.stripe.secret_key") && said.contains("Invalid API Key"), "{said}");
            assert!(!said.contains("sk_test_wrong") && !said.contains("wrong-secret"), "a key is shown: {said}");
        }
    }
    assert!(stripe.requests().iter().all(|request| request.method == "GET"), "the doctor changes nothing");
}

#[tokio::test]
async fn a_provider_and_a_mail_server_that_do_not_answer_are_told_with_host_and_reason() {
    let place = ShopFolder::migrated(Backend::Sqlite)
        .await
        .variable("STOA_PAYMENTS__STRIPE__ENABLED", "true")
        .variable("STOA_PAYMENTS__STRIPE__SECRET_KEY", "sk_test_0123456789")
        .variable("STOA_PAYMENTS__STRIPE__WEBHOOK_SECRET", "whsec_0123456789abcdef")
        .variable("STOA_PAYMENTS__STRIPE__API_BASE", "http://127.0.0.1:1");
    place.configure(
        "[mail]\nfrom = \"Shop <shop@example.com>\"\n\n[mail.smtp]\nhost = \"127.0.0.1\"\nport = 1\nencryption = \"none\"\n",
    );
    let findings = examine(&place).await;
    let said = complaint(&findings, "payments.providers");
    assert!(said.contains("stripe cannot be asked at http://127.0.0.1:1") && said.contains("api_base"), "{said}");
    let said = complaint(&findings, "mail.server");
    assert!(said.contains("127.0.0.1:1 takes no mail") && said.contains("refused"), "{said}");
    assert!(!format!("{findings:?}").contains("os error"), "{findings:?}");
}

#[tokio::test]
async fn a_mail_server_that_answers_is_well() {
    let listener = TcpListener::bind(("127.0.0.1", 0)).await.expect("a port is free");
    let port = listener.local_addr().expect("it is bound").port();
    let talking = tokio::spawn(async move {
        let (stream, _) = listener.accept().await.expect("the doctor comes");
        let (reader, mut writer) = stream.into_split();
        let mut lines = BufReader::new(reader).lines();
        writer.write_all(b"220 here\r\n").await.expect("the doctor listens");
        let mut said = Vec::new();
        while let Ok(Some(line)) = lines.next_line().await {
            let answer: &[u8] = if line.starts_with("QUIT") { b"221 bye\r\n" } else { b"250 fine\r\n" };
            let _ = writer.write_all(answer).await;
            said.push(line);
        }
        said
    });
    let place = ShopFolder::migrated(Backend::Sqlite).await.variable("STOA_MAIL__SMTP__PORT", &port.to_string());
    place.configure(
        "[mail]\nfrom = \"Shop <shop@example.com>\"\n\n[mail.smtp]\nhost = \"127.0.0.1\"\nencryption = \"none\"\n",
    );
    let findings = examine(&place).await;
    assert!(found(&findings, "mail.server", "ok") && found(&findings, "mail", "ok"), "{findings:?}");
    let said = talking.await.expect("it ends");
    assert!(said[0].starts_with("EHLO") && !said.iter().any(|line| line.starts_with("MAIL")), "{said:?}");
}
