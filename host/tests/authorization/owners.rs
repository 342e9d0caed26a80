//! What belongs to one customer is not there for another.

use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::table::{protected_routes, shop};

both_databases!(what_belongs_to_another_customer_is_not_found);
async fn what_belongs_to_another_customer_is_not_found(backend: Backend) {
    let shop = shop(backend).await;
    let (owner, other) = (shop.customer().await, shop.customer().await);
    let owner_client = shop.client().token(&owner, &["*"]).await;
    let strangers = [shop.client().token(&other, &["*"]).await, shop.client().session(&other).await];
    let routes = protected_routes().into_iter().filter(|(route, _)| route.has_variables).collect::<Vec<_>>();
    assert!(routes.len() >= 3, "the walk has lost its routes");
    for (route, _) in routes {
        let sample = route.sample(&shop, &owner).await;
        for stranger in &strangers {
            route.send(stranger, &sample).await.expect_error(404, "not_found");
        }
        // It is still there for its owner.
        let answer = route.send(&owner_client, &sample).await;
        assert!(answer.status.is_success(), "{}: {}", route.name, answer.text());
    }
}
