//! Methods that a path does not have.

use std::collections::{BTreeMap, BTreeSet};

use http::Method;
use stoa_core::db::Backend;
use stoa_core::http::table::Access;
use stoa_core::testing::both_databases;

use crate::table::{routes, shop};

const METHODS: [Method; 5] = [Method::GET, Method::POST, Method::PATCH, Method::DELETE, Method::PUT];

both_databases!(a_wrong_method_is_refused_and_the_right_ones_are_named);
async fn a_wrong_method_is_refused_and_the_right_ones_are_named(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let mut paths: BTreeMap<String, Vec<_>> = BTreeMap::new();
    for route in routes() {
        paths.entry(route.full_path.clone()).or_default().push(route);
    }
    for (path, routes) in paths {
        let concrete = match routes[0].access {
            // Any part does: the method is looked at first.
            Access::ShopPage => path.replace(['{', '}', '*'], ""),
            _ => routes[0].sample(&shop, &customer).await.path,
        };
        let mut right = routes.iter().map(|route| route.method.as_str()).collect::<BTreeSet<_>>();
        if right.contains("GET") {
            right.insert("HEAD");
        }
        for method in METHODS.iter().filter(|method| !right.contains(method.as_str())) {
            let client = shop.client();
            let request = client.site_request(method.clone(), &concrete, "");
            let answer = client.send(request).await.expect_error(405, "method_not_allowed");
            let named = answer.header("allow").unwrap_or_default().split(',').map(str::trim).collect::<BTreeSet<_>>();
            assert_eq!(named, right, "{method} {path}");
        }
    }
}
