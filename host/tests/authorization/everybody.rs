//! Routes that need no token.

use serde_json::Value;
use stoa_core::db::Backend;
use stoa_core::http::table::{Access, Base};
use stoa_core::testing::{TestClient, both_databases};

use crate::table::{routes, shop};

both_databases!(public_routes_look_at_no_credentials);
async fn public_routes_look_at_no_credentials(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let public = routes().into_iter().filter(|route| matches!(route.access, Access::Public(_))).collect::<Vec<_>>();
    assert!(public.len() >= 6, "the walk has lost its routes");
    for route in public {
        let sample = route.sample(&shop, &customer).await;
        shop.refresh_catalog().await;
        let anonymous = shop.client();
        for client in [&anonymous, &anonymous.bearer("nonsense"), &anonymous.with_header("cookie", "stoa_session=x")] {
            let answer = route.send(client, &sample).await;
            assert!(answer.status.is_success(), "{}: {}", route.name, answer.text());
        }
    }
}

both_databases!(routes_beside_the_api_serve_browsers_only);
async fn routes_beside_the_api_serve_browsers_only(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let beside = routes().into_iter().filter(|route| route.base == Base::Site);
    let own = beside
        .filter(|route| !matches!(route.access, Access::Page | Access::ShopPage | Access::Callback))
        .collect::<Vec<_>>();
    assert!(own.len() >= 4, "the walk has lost its routes");
    for route in own {
        let asks_for_session = match route.access {
            Access::FirstParty => false,
            Access::Session => true,
            _ => panic!("{}: it serves others than browsers", route.name),
        };
        let sample = route.sample(&shop, &customer).await;
        // A token is nothing to them: a page must have asked.
        let token = shop.client().token(&customer, &["*"]).await;
        let answer = route.send(&token, &sample).await;
        if asks_for_session {
            answer.expect_error(401, "unauthenticated");
        } else if route.writes() {
            answer.expect_error(403, "unauthorized");
        } else {
            assert!(answer.status.is_success(), "{}: {}", route.name, answer.text());
        }
        let mut browser = shop.browser();
        browser.prepare().await;
        if asks_for_session {
            let answer = browser.send(route.method.clone(), &sample.path, sample.body.as_ref()).await;
            answer.expect_error(401, "unauthenticated");
            browser.log_in(&customer).await;
        }
        if asks_for_session && route.writes() {
            let careless = &mut browser.without_csrf_header();
            let answer = careless.send(route.method.clone(), &sample.path, sample.body.as_ref()).await;
            answer.expect_error(403, "unauthorized");
        }
        let answer = browser.send(route.method.clone(), &sample.path, sample.body.as_ref()).await;
        assert!(answer.status.is_success(), "{}: {}", route.name, answer.text());
    }
}

both_databases!(pages_of_modules_take_forms_of_the_shop_alone);
async fn pages_of_modules_take_forms_of_the_shop_alone(backend: Backend) {
    let shop = shop(backend).await;
    let forms = routes().into_iter().filter(|route| route.access == Access::ShopPage && route.writes());
    let forms = forms.collect::<Vec<_>>();
    assert!(forms.len() >= 10, "the walk has lost its routes");
    let client = shop.client().with_header("content-type", "application/x-www-form-urlencoded");
    let foreign = client.with_header("sec-fetch-site", "cross-site");
    for route in forms {
        let path = route.full_path.replace(['{', '}', '*'], "");
        let answer = foreign.send(foreign.site_request(route.method.clone(), &path, "a=b")).await;
        answer.expect_error(403, "unauthorized");
    }
}

both_databases!(pages_are_open_to_every_browser_and_take_forms_of_the_shop_alone);
async fn pages_are_open_to_every_browser_and_take_forms_of_the_shop_alone(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let pages = routes().into_iter().filter(|route| route.access == Access::Page).collect::<Vec<_>>();
    assert!(pages.len() >= 5, "the walk has lost its routes");
    let form = shop.client().with_header("content-type", "application/x-www-form-urlencoded");
    for route in pages {
        for client in [&form, &form.bearer("nonsense"), &form.with_header("cookie", "stoa_session=x")] {
            let sample = route.sample(&shop, &customer).await;
            let fields = sample.body.as_ref().and_then(Value::as_object).into_iter().flatten();
            let fields = fields.map(|(name, value)| (name, value.as_str().expect("fields are texts")));
            let body = url::form_urlencoded::Serializer::new(String::new()).extend_pairs(fields).finish();
            let send = async |client: &TestClient| {
                client.send(client.site_request(route.method.clone(), &sample.path, body.clone())).await
            };
            if route.writes() {
                let foreign = client.with_header("sec-fetch-site", "cross-site");
                send(&foreign).await.expect_error(403, "unauthorized");
            }
            let answer = send(client).await;
            assert!(answer.status.is_success(), "{}: {}", route.name, answer.text());
        }
    }
}

both_databases!(callbacks_ask_for_their_signature_and_nothing_else);
async fn callbacks_ask_for_their_signature_and_nothing_else(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let callbacks = routes().into_iter().filter(|route| route.access == Access::Callback).collect::<Vec<_>>();
    assert!(!callbacks.is_empty(), "the walk has lost its routes");
    let token = shop.client().token(&customer, &["*"]).await;
    let session = shop.client().session(&customer).await;
    for route in callbacks {
        for client in [&shop.client(), &shop.client().bearer("nonsense"), &token, &session] {
            let sample = route.sample(&shop, &customer).await;
            route.send(client, &sample).await.expect_error(403, "unauthorized");
        }
    }
}

both_databases!(credentials_in_the_body_are_enough_where_they_are_asked_for);
async fn credentials_in_the_body_are_enough_where_they_are_asked_for(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let asking = routes().into_iter().filter(|route| route.access == Access::Credentials).collect::<Vec<_>>();
    assert!(!asking.is_empty(), "the walk has lost its routes");
    for route in asking {
        let sample = route.sample(&shop, &customer).await;
        let answer = route.send(&shop.client(), &sample).await;
        assert!(answer.status.is_success(), "{}: {}", route.name, answer.text());
    }
}

both_databases!(the_cart_is_open_to_everybody_but_refuses_wrong_credentials);
async fn the_cart_is_open_to_everybody_but_refuses_wrong_credentials(backend: Backend) {
    let shop = shop(backend).await;
    let customer = shop.customer().await;
    let open = routes().into_iter().filter(|route| route.access == Access::Cart).collect::<Vec<_>>();
    assert!(open.len() >= 4, "the walk has lost its routes");
    let session = shop.client().session(&customer).await;
    let no_ability = shop.client().token(&customer, &[]).await;
    for route in open {
        for client in [&no_ability, &session] {
            let sample = route.sample(&shop, &customer).await;
            let answer = route.send(client, &sample).await;
            assert!(answer.status.is_success(), "{}: {}", route.name, answer.text());
            for client in [&shop.client(), &session] {
                route.send(&client.bearer("nonsense"), &sample).await.expect_error(401, "unauthenticated");
            }
            // A guest is let in, and finds nothing that is somebody's.
            let answer = route.send(&shop.client(), &sample).await;
            let expected = if route.has_variables { 404 } else { 200 };
            assert_eq!(answer.status, expected, "{}: {}", route.name, answer.text());
        }
        if route.writes() {
            let sample = route.sample(&shop, &customer).await;
            let careless = session.with_header("x-xsrf-token", "wrong");
            route.send(&careless, &sample).await.expect_error(403, "unauthorized");
        }
    }
}
