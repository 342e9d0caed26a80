//! One test on both databases.

use std::future::Future;
use std::io::Write;
use std::sync::{Mutex, PoisonError};

use super::{environment, postgres};
use crate::db::Backend;

/// Makes the tests `name::sqlite` and `name::postgres` of one `async fn name(backend: Backend)`.
///
/// ```
/// # use stoa_core::db::Backend;
/// # use stoa_core::testing::{TestShop, both_databases};
/// both_databases!(an_unknown_product_is_not_found);
/// async fn an_unknown_product_is_not_found(backend: Backend) {
///     let shop = TestShop::new(backend).await;
///     shop.client().get("/products/unknown").await.expect_status(404);
/// }
/// # fn main() {}
/// ```
#[macro_export]
macro_rules! both_databases {
    ($name:ident) => {
        mod $name {
            #[test]
            fn sqlite() {
                $crate::testing::run_test($crate::db::Backend::Sqlite, super::$name);
            }

            #[test]
            fn postgres() {
                $crate::testing::run_test($crate::db::Backend::Postgres, super::$name);
            }
        }
    };
}

/// Runs one test to its end on a database; what [`both_databases!`] expands to.
pub fn run_test<F: Future<Output = ()>>(backend: Backend, test: impl FnOnce(Backend) -> F) {
    block_on(async {
        if backend == Backend::Postgres
            && let Err(reason) = postgres::server().await
        {
            assert!(!environment::requires_postgres(), "PostgreSQL is required, but {reason}");
            leave_out("tests on PostgreSQL", reason);
            return;
        }
        test(backend).await;
    });
}

/// Runs a test on several threads, so that what races in production races here.
pub(super) fn block_on(test: impl Future<Output = ()>) {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime starts").block_on(test);
}

/// Says why tests do not run, once for each kind of them: `tests` is the beginning of the sentence, such as `tests in a browser`.
///
/// A test that lacks something on this machine says so here and returns. What it prints by itself is hidden by test
/// runners, so that nobody would see that it was left out.
pub fn leave_out(tests: &str, reason: &str) {
    static SAID: Mutex<Vec<String>> = Mutex::new(Vec::new());
    let mut said = SAID.lock().unwrap_or_else(PoisonError::into_inner);
    if !said.iter().any(|said| said == tests) {
        said.push(tests.to_owned());
        // Not `eprintln!`, which test runners hide when the test succeeds.
        let _ = writeln!(std::io::stderr(), "{tests} were left out: {reason}");
    }
}
