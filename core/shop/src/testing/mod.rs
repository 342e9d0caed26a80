//! The test kit: a whole shop in a test, on SQLite and PostgreSQL, without a port and without sleeping.
//!
//! ```
//! # mod stoa_core { pub use stoa_kernel::db; pub use stoa_shop::testing; }
//! use stoa_core::db::Backend;
//! use stoa_core::testing::{TestShop, both_databases};
//!
//! both_databases!(products_are_public);
//! async fn products_are_public(backend: Backend) {
//!     let shop = TestShop::new(backend).await;
//!     let answer = shop.client().get("/products").await.expect_status(200);
//!     assert_eq!(answer.json()["data"], serde_json::json!([]));
//! }
//! # fn main() {}
//! ```
//!
//! Each answer that a client or a browser of the kit gets is held against the shop's own OpenAPI document: a status, a media
//! type, a header or a member that the document does not declare fails the test, and so does null where it is not allowed.
//!
//! Each test has a database of its own, which is removed when the test succeeds and kept, with a line that says where,
//! when it fails. The clock stands still until [`TestShop::advance`] moves it.
//!
//! PostgreSQL is the server at `STOA_TEST_POSTGRES_URL`, else the one at `127.0.0.1:5432` if it lets the user `postgres`
//! in, else a private one that is started from the installed binaries and ends by itself. Where none of that works, tests
//! on PostgreSQL say that they were left out; with `STOA_REQUIRE_POSTGRES=1` they fail.
//!
//! Tests on several machines start servers and poolers of their own. Where PostgreSQL's programs or PgBouncer are not installed,
//! they say that they were left out; with `STOA_REQUIRE_MACHINES=1` they fail.
//!
//! Redis is the server at `STOA_TEST_REDIS_URL`, else the one at `127.0.0.1:6379`. Without one, tests on Redis say that they
//! were left out; with `STOA_REQUIRE_REDIS=1` they fail.

mod browser;
mod bucket;
mod client;
mod command;
mod console;
mod database;
mod dump;
mod environment;
mod gateway;
mod machines;
mod operator;
mod postgres;
mod private_server;
mod published;
mod redis;
mod rules;
mod run;
mod shop;
pub mod smtp_fake;
mod stock;

pub use crate::both_databases;
pub use browser::TestBrowser;
pub use bucket::{BucketMood, TestBucket};
pub use client::{TestClient, TestResponse};
pub use command::CommandEnd;
pub use console::{STAFF_PASSWORD, csrf_of, staff, staff_browser, submit_from, try_staff_login};
pub use database::TestDatabase;
pub use gateway::TestGateway;
pub use machines::{PostgresMachines, run_machines_test};
pub use published::{Published, schema_problems};
pub use redis::{TestRedis, run_redis_test};
pub use rules::{BrokenRules, broken_rules};
pub use run::run_test;
pub use shop::{TestShop, TestShopBuilder};
#[doc(hidden)]
pub use stoa_kernel::db::Backend;
pub use stoa_kernel::testing::{leave_out, real_export};
pub use stock::records;
