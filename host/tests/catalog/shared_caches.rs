//! What caches that many share may keep of the catalog, and how they are told what has changed.

use std::sync::{Arc, Mutex, PoisonError};

use axum::Router;
use axum::extract::{Request, State};
use axum::response::{IntoResponse, Response};
use chrono::TimeDelta;
use http::{HeaderMap, StatusCode};
use http_body_util::BodyExt;
use serde_json::{Value, json};
use stoa_core::catalog::write::{remove_category, remove_product};
use stoa_core::catalog::{Availability, set_availability};
use stoa_core::db::Backend;
use stoa_core::jobs::{list_jobs, run_job};
use stoa_core::testing::{TestShop, both_databases};

use crate::logs;
use crate::shelf::{category, product};

const CACHE: &str = "[catalog]\ncache = { shared_seconds = 3600, stale_seconds = 60 }\n";

/// A cache outside that takes down what it is told.
#[derive(Clone, Default)]
struct Cdn {
    told: Arc<Mutex<Vec<(String, HeaderMap, String)>>>,
    status: Arc<Mutex<StatusCode>>,
}

impl Cdn {
    async fn open() -> (Self, String) {
        let cdn = Self::default();
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("there is a port");
        let address = listener.local_addr().expect("it has an address");
        let app = Router::new().fallback(take).with_state(cdn.clone());
        tokio::spawn(async move { axum::serve(listener, app).await });
        (cdn, format!("http://{address}"))
    }

    fn answer_with(&self, status: StatusCode) {
        *self.status.lock().unwrap_or_else(PoisonError::into_inner) = status;
    }

    fn taken(&self) -> Vec<(String, HeaderMap, String)> {
        std::mem::take(&mut *self.told.lock().unwrap_or_else(PoisonError::into_inner))
    }

    /// The keys that a generic cache was told since it was last asked.
    fn keys(&self) -> Vec<String> {
        let keys = self.taken().into_iter().flat_map(|(_, _, body)| {
            let body = serde_json::from_str::<Value>(&body).expect("JSON");
            let keys = body["keys"].as_array().expect("keys").clone();
            keys.into_iter().map(|key| key.as_str().expect("text").to_owned())
        });
        keys.collect()
    }
}

async fn take(State(cdn): State<Cdn>, request: Request) -> Response {
    let (parts, body) = request.into_parts();
    let body = body.collect().await.expect("a body").to_bytes();
    let line = format!("{} {}", parts.method, parts.uri);
    let body = String::from_utf8_lossy(&body).into_owned();
    cdn.told.lock().unwrap_or_else(PoisonError::into_inner).push((line, parts.headers, body));
    (*cdn.status.lock().unwrap_or_else(PoisonError::into_inner)).into_response()
}

async fn shop(backend: Backend, config: &str) -> TestShop {
    let shop = TestShop::builder(backend).config(config).open().await;
    shop.stock(&[
        category("light", &json!({})),
        category("lamps", &json!({"parent": "light"})),
        category("books", &json!({})),
        product("lamp", &json!({"category": "lamps"})),
        product("book", &json!({"category": "books"})),
    ])
    .await;
    shop
}

/// Lets a change reach all instances, and works off what is due.
async fn settle(shop: &TestShop) {
    shop.run_jobs().await;
    shop.advance(TimeDelta::seconds(3));
    shop.run_jobs().await;
}

async fn id(shop: &TestShop, path: &str) -> i64 {
    let found = shop.client().get(path).await.expect_status(200).json();
    let data = &found["data"];
    data["id"].as_i64().or(data["category"]["id"].as_i64()).expect("an id")
}

both_databases!(caches_may_keep_what_is_the_same_for_everybody_and_nothing_else);
async fn caches_may_keep_what_is_the_same_for_everybody_and_nothing_else(backend: Backend) {
    let shop = shop(backend, CACHE).await;
    let client = shop.client();
    let (lamp, book) = (id(&shop, "/products/lamp").await, id(&shop, "/products/book").await);
    let (lamps, light) = (id(&shop, "/categories/lamps").await, id(&shop, "/categories/light").await);
    for (path, keys) in [
        ("/products/lamp", format!("catalog product-{lamp}")),
        ("/products", format!("catalog list product-{lamp} product-{book}")),
        ("/products?category=lamps", format!("catalog category-{lamps} product-{lamp}")),
        ("/browse?category=light", format!("catalog category-{light} product-{lamp}")),
        ("/browse?q=lamp", format!("catalog list product-{lamp}")),
        ("/categories/lamps", format!("catalog category-{lamps} product-{lamp}")),
        ("/categories", String::from("catalog")),
        ("/search?q=lamp", format!("catalog list product-{lamp}")),
    ] {
        let answer = client.get(path).await.expect_status(200);
        let sorted = |name, between| {
            let mut keys = answer.header(name).unwrap_or_default().split(between).collect::<Vec<_>>();
            keys.sort_unstable();
            keys.join(" ")
        };
        let mut keys = keys.split(' ').collect::<Vec<_>>();
        keys.sort_unstable();
        assert_eq!(sorted("surrogate-key", ' '), keys.join(" "), "{path}");
        assert_eq!(sorted("cache-tag", ','), keys.join(" "), "{path}");
        let control = "public, max-age=0, s-maxage=3600, stale-while-revalidate=60";
        assert_eq!(answer.header("cache-control"), Some(control), "{path}");
        assert_eq!(answer.header("x-ratelimit-remaining"), None, "{path}");
        let tag = answer.header("etag").expect("a tag");
        let again = client.with_header("if-none-match", tag).get(path).await.expect_status(304);
        assert_eq!(again.header("cache-control"), Some(control), "{path}");
        for (name, value) in [("cookie", "session=x"), ("x-cart-token", "x")] {
            let own = client.with_header(name, value).get(path).await;
            assert_eq!(own.header("cache-control"), Some("public, max-age=0, must-revalidate"), "{path}");
            assert_eq!(own.header("surrogate-key"), None, "{path}");
        }
    }
    let gone = client.get("/products/nothing").await.expect_status(404);
    assert_eq!(gone.header("cache-control"), Some("private, no-store"));
    let live = client.get("/browse?available=1").await.expect_status(200);
    assert_eq!(live.header("cache-control"), Some("public, max-age=0, must-revalidate"));
}

both_databases!(a_change_has_a_cache_forget_what_shows_it_a_moment_after_its_commit);
async fn a_change_has_a_cache_forget_what_shows_it_a_moment_after_its_commit(backend: Backend) {
    let (cdn, address) = Cdn::open().await;
    let config = format!("{CACHE}[[catalog.purge]]\nurl = '{address}/purge/1'\nheaders = {{ X-Token = 'geheim' }}");
    let shop = shop(backend, &config).await;
    settle(&shop).await;
    assert_eq!(cdn.keys(), ["catalog"]);
    let (lamp, lamps) = (id(&shop, "/products/lamp").await, id(&shop, "/categories/lamps").await);
    let (light, books) = (id(&shop, "/categories/light").await, id(&shop, "/categories/books").await);
    let of_lists = |categories: &[i64]| {
        let mut keys = categories.iter().map(|id| format!("category-{id}")).collect::<Vec<_>>();
        keys.extend([String::from("list"), format!("product-{lamp}"), String::from("products")]);
        keys.sort();
        keys
    };
    // Two changes at once, told once; not before every instance has taken them over.
    shop.stock(&[product("lamp", &json!({"category": "lamps", "price_amount": 1100}))]).await;
    shop.stock(&[product("lamp", &json!({"category": "lamps", "price_amount": 1200}))]).await;
    shop.run_jobs().await;
    assert_eq!(cdn.keys(), [""; 0]);
    settle(&shop).await;
    assert_eq!(cdn.keys(), of_lists(&[light, lamps]));
    shop.stock(&[product("lamp", &json!({"category": "books", "price_amount": 1200}))]).await;
    settle(&shop).await;
    assert_eq!(cdn.keys(), of_lists(&[light, lamps, books]));
    let sold_out = [(lamp, Some(Availability::OutOfStock))];
    let db = &shop.parts.db;
    db.write(async |tx| set_availability(tx, "somebody", &sold_out).await).await.expect("it is told");
    settle(&shop).await;
    assert_eq!(cdn.keys(), [format!("product-{lamp}"), String::from("products")]);
    remove_product(db, "lamp").await.expect("nobody has ordered it");
    settle(&shop).await;
    assert_eq!(cdn.keys(), of_lists(&[books]));
    remove_category(db, "lamps").await.expect("it is empty");
    settle(&shop).await;
    let told = cdn.taken();
    let [(line, headers, body)] = told.as_slice() else { panic!("{told:?}") };
    assert_eq!((line.as_str(), body.as_str()), ("POST /purge/1", r#"{"keys":["catalog"]}"#));
    assert_eq!(headers["x-token"], "geheim");
    // What changes nothing is not told.
    shop.stock(&[product("book", &json!({"category": "books"}))]).await;
    settle(&shop).await;
    assert_eq!(cdn.keys(), [""; 0]);
}

both_databases!(a_purge_that_fails_comes_again_and_is_told_without_its_secrets);
async fn a_purge_that_fails_comes_again_and_is_told_without_its_secrets(backend: Backend) {
    logs::keep();
    let (cdn, address) = Cdn::open().await;
    let config =
        format!("{CACHE}[[catalog.purge]]\nurl = '{address}/purge/1'\nheaders = {{ X-Token = 'ein-geheimnis' }}");
    let shop = shop(backend, &config).await;
    settle(&shop).await;
    cdn.taken();
    cdn.answer_with(StatusCode::UNAUTHORIZED);
    shop.stock(&[product("book", &json!({"category": "books", "price_amount": 1}))]).await;
    settle(&shop).await;
    assert!(!cdn.keys().is_empty());
    let jobs = &shop.registry.jobs;
    shop.advance(TimeDelta::seconds(90));
    let failed = run_job(&shop.parts, jobs, "catalog.purge", shop.clock.clone()).await.expect("it can be run");
    let failed = format!("{failed:?}");
    assert!(failed.contains(&format!("{address}/purge/1 answers with 401")), "{failed}");
    let listed = list_jobs(&shop.parts.db, jobs).await.expect("they are listed");
    let error = listed.iter().find(|job| job.name == "catalog.purge").and_then(|job| job.last_error.clone());
    assert!(error.is_some_and(|error| error.contains("keys wait") && error.contains("401")));
    cdn.answer_with(StatusCode::OK);
    shop.advance(TimeDelta::minutes(2));
    shop.run_jobs().await;
    assert!(cdn.keys().contains(&String::from("list")));
    run_job(&shop.parts, jobs, "catalog.purge", shop.clock.clone()).await.expect("it can be run");
    let listed = list_jobs(&shop.parts.db, jobs).await.expect("they are listed");
    assert!(listed.iter().all(|job| job.name != "catalog.purge" || job.last_error.is_none()));
    assert!(!logs::with(&address).is_empty(), "it was logged");
    assert_eq!(logs::with("ein-geheimnis"), [""; 0]);
}

both_databases!(each_kind_of_cache_is_told_in_its_own_way);
async fn each_kind_of_cache_is_told_in_its_own_way(backend: Backend) {
    let (cdn, address) = Cdn::open().await;
    let purge = |kind: &str, path: &str| format!("[[catalog.purge]]\nkind = '{kind}'\nurl = '{address}/{path}'\n");
    let config = [
        CACHE.to_owned(),
        purge("fastly", "service/1/purge"),
        purge("cloudflare", "client/v4/zones/1/purge_cache"),
        purge("varnish", ""),
    ];
    let shop = shop(backend, &config.concat()).await;
    settle(&shop).await;
    let mut told = cdn.taken().into_iter().map(|(line, headers, body)| {
        let keys = headers.get("xkey").map(|keys| keys.to_str().expect("text").to_owned());
        (line, keys, body)
    });
    let mut told = told.by_ref().collect::<Vec<_>>();
    told.sort();
    let expected = [
        ("POST /client/v4/zones/1/purge_cache", None, r#"{"tags":["catalog"]}"#),
        ("POST /service/1/purge", None, r#"{"surrogate_keys":["catalog"]}"#),
        ("PURGE /", Some("catalog"), ""),
    ];
    let expected = expected.map(|(line, keys, body)| (line.to_owned(), keys.map(str::to_owned), body.to_owned()));
    assert_eq!(told, expected);
}
