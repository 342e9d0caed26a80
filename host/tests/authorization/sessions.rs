//! Sessions against each route: no abilities, but the CSRF token for writes.

use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::table::{protected_routes, shop};

both_databases!(a_session_opens_every_protected_route);
async fn a_session_opens_every_protected_route(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let session = shop.client().session(&customer).await;
    for (route, _) in protected_routes() {
        let sample = route.sample(&shop, &customer).await;
        let answer = route.send(&session, &sample).await;
        assert!(answer.status.is_success(), "{}: {}", route.name, answer.text());
    }
}

both_databases!(no_write_of_a_session_goes_without_the_csrf_token);
async fn no_write_of_a_session_goes_without_the_csrf_token(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let session = shop.client().session(&customer).await.with_header("x-xsrf-token", "wrong");
    for (route, _) in protected_routes() {
        let sample = route.sample(&shop, &customer).await;
        let answer = route.send(&session, &sample).await;
        if route.writes() {
            answer.expect_error(403, "unauthorized");
        } else {
            assert!(answer.status.is_success(), "{}: {}", route.name, answer.text());
        }
    }
}

both_databases!(a_bearer_token_beside_a_session_is_all_that_counts);
async fn a_bearer_token_beside_a_session_is_all_that_counts(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let session = shop.client().session(&customer).await;
    for (route, _) in protected_routes() {
        let sample = route.sample(&shop, &customer).await;
        route.send(&session.bearer("nonsense"), &sample).await.expect_error(401, "unauthenticated");
        let nothing = session.token(&customer, &[]).await;
        route.send(&nothing, &sample).await.expect_error(403, "insufficient_scope");
    }
}
