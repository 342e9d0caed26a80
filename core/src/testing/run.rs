//! One test on both databases.

use std::future::Future;
use std::io::Write;
use std::sync::Once;

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
    // Several threads, so that what races in production races here.
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build();
    runtime.expect("a runtime starts").block_on(async {
        if backend == Backend::Postgres
            && let Err(reason) = postgres::server().await
        {
            assert!(!environment::requires_postgres(), "PostgreSQL is required, but {reason}");
            report_left_out(reason);
            return;
        }
        test(backend).await;
    });
}

fn report_left_out(reason: &str) {
    static ONCE: Once = Once::new();
    ONCE.call_once(|| {
        // Not `eprintln!`, which test runners hide when the test succeeds.
        let _ = writeln!(std::io::stderr(), "tests on PostgreSQL were left out: {reason}");
    });
}
