//! Pieces of the shop in this process: amounts as text, the OpenAPI document, answers from memory,
//! and searches that have to be made.

#[path = "fixture/mod.rs"]
mod fixture;

use std::fs::File;
use std::hint::black_box;
use std::io::BufReader;
use std::net::SocketAddr;
use std::path::Path;

use axum::body::Body;
use criterion::{Criterion, criterion_group, criterion_main};
use stoa_core::catalog::Record;
use stoa_core::catalog::import::{Format, Outcome, ReadSettings, RecordReader, TagUse};
use stoa_core::catalog::write::{CatalogWriter, Mode};
use stoa_core::db::Backend;
use stoa_core::http::PeerAddress;
use stoa_core::money::{Currency, MoneyFormatter};
use stoa_core::testing::TestShop;
use tokio::runtime::Runtime;
use tower::ServiceExt;

use crate::fixture::{Catalog, encoded, terms};
use http::{HeaderValue, Request, StatusCode, header};

/// Products of the shop whose answers are kept.
const FEW_PRODUCTS: u32 = 1_000;

/// Products of the shop that is searched.
const MANY_PRODUCTS: u32 = 100_000;

/// Products written in one transaction.
const BATCH: usize = 500;

const NO_LIMITS: &str = "[limits]\ncatalog = { requests = 0, per_seconds = 60 }\n";

criterion_group!(benches, money, document, kept_answers, searches);
criterion_main!(benches);

fn money(criterion: &mut Criterion) {
    for locale in ["en", "de", "ar-EG"] {
        let formatter = MoneyFormatter::new(locale, Currency::EUR).expect("a locale of CLDR");
        criterion.bench_function(&format!("format an amount, {locale}"), |bencher| {
            bencher.iter(|| formatter.format(black_box(123_456)));
        });
    }
}

fn document(criterion: &mut Criterion) {
    let program = || TestShop::builder(Backend::Sqlite).freeze().expect("a program without modules has no problems");
    criterion.bench_function("freeze a program", |bencher| bencher.iter(program));
    let program = program();
    criterion.bench_function("make the OpenAPI document", |bencher| {
        bencher.iter(|| program.document(black_box("https://shop.example.com")));
    });
}

/// Guard, router, handler and cache, without a socket.
fn kept_answers(criterion: &mut Criterion) {
    let runtime = runtime();
    let (shop, catalog) = runtime.block_on(shop(FEW_PRODUCTS, NO_LIMITS));
    let product = format!("/api/v1/products/{}", catalog.slugs[0]);
    for (name, target) in [("list", "/api/v1/products"), ("product", &product)] {
        let answer = runtime.block_on(send(&shop, get(target)));
        assert_eq!(answer.status(), StatusCode::OK, "{target}");
        criterion.bench_function(&format!("kept answer, {name}"), |bencher| {
            bencher.iter(|| runtime.block_on(send(&shop, get(target))));
        });
        let etag = &answer.headers()[header::ETAG];
        criterion.bench_function(&format!("kept answer, {name}, not changed"), |bencher| {
            bencher.iter(|| {
                let mut request = get(target);
                request.headers_mut().insert(header::IF_NONE_MATCH, etag.clone());
                runtime.block_on(send(&shop, request))
            });
        });
    }
    criterion.bench_function("no such product", |bencher| {
        bencher.iter(|| runtime.block_on(send(&shop, get("/api/v1/products/there-is-no-such-product"))));
    });
}

/// Searches of which no answer is kept: the index, the products found, and their JSON.
fn searches(criterion: &mut Criterion) {
    let runtime = runtime();
    let config = format!("{NO_LIMITS}\n[catalog]\ncache_megabytes = 0\n");
    let (shop, catalog) = runtime.block_on(shop(MANY_PRODUCTS, &config));
    let terms = terms(&catalog.texts, 0);
    for (name, lengths) in [("2 characters", 2..=2), ("3 characters", 3..=3), ("4 to 8 characters", 4..=8)] {
        for (route, target) in [("search", "/api/v1/search?q="), ("list", "/api/v1/products?q=")] {
            let terms = terms.iter().filter(|term| lengths.contains(&term.chars().count()));
            let mut targets =
                terms.map(|term| format!("{target}{}", encoded(term))).collect::<Vec<_>>().into_iter().cycle();
            criterion.bench_function(&format!("{route} by a term of {name}"), |bencher| {
                bencher.iter(|| {
                    let target = targets.next().expect("the texts hold terms of all lengths");
                    runtime.block_on(send(&shop, get(&target)))
                });
            });
        }
    }
}

fn runtime() -> Runtime {
    tokio::runtime::Builder::new_multi_thread().enable_all().build().expect("a runtime starts")
}

fn get(target: &str) -> Request<Body> {
    let request = Request::get(target).header(header::ACCEPT, HeaderValue::from_static("application/json"));
    let peer = PeerAddress::new(SocketAddr::from(([192, 0, 2, 1], 40_000)));
    request.extension(peer).body(Body::empty()).expect("targets are valid")
}

async fn send(shop: &TestShop, request: Request<Body>) -> http::Response<Body> {
    let Ok(response) = shop.front.clone().oneshot(request).await;
    response
}

/// A shop with a catalog of so many products.
async fn shop(products: u32, config: &str) -> (TestShop, Catalog) {
    let file = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("pieces-{products}.jsonl"));
    let catalog = Catalog::write(products, &file).expect("the catalog can be written");
    let shop = TestShop::builder(Backend::Sqlite).config(config).open().await;
    let settings = ReadSettings { currency: Currency::EUR, now: shop.now(), stock_module: None, tags: TagUse::LeftOut };
    let source = BufReader::new(File::open(&file).expect("the catalog was written"));
    let reader =
        RecordReader::open(source, Some(Format::Stoa), "catalog.jsonl", settings).expect("the format is known");
    let records = reader.map(|item| match item.expect("the file can be read").outcome {
        Outcome::Record(record) => record,
        other => panic!("the catalog is refused: {other:?}"),
    });
    let records = records.collect::<Vec<Record>>();
    let mut writer = CatalogWriter::new(&shop.parts.db, &shop.registry, Mode::Write);
    for batch in records.chunks(BATCH) {
        writer.write(batch).await.expect("the catalog can be stored");
    }
    shop.refresh_catalog().await;
    (shop, catalog)
}
