//! One test on both databases.

use std::future::Future;

use stoa_kernel::db::Backend;
use stoa_kernel::testing::leave_out;

use super::{environment, postgres};

/// Makes the tests `name::sqlite` and `name::postgres` of one `async fn name(backend: Backend)`.
///
/// ```
/// # use stoa_kernel::db::Backend;
/// # use stoa_shop::testing::{TestShop, both_databases};
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
                $crate::testing::run_test($crate::testing::Backend::Sqlite, super::$name);
            }

            #[test]
            fn postgres() {
                $crate::testing::run_test($crate::testing::Backend::Postgres, super::$name);
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
