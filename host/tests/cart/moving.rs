//! What a guest has collected moves into the cart of the customer who brings its token.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::{TestClient, TestShop, both_databases};

use crate::shelf::{
    add, guest, id_of, lines, path_of, product, quantities, read, rows, select, shop, token_of, with_cart,
};

/// A customer's client without a cart's token.
async fn customer(shop: &TestShop) -> TestClient {
    shop.client().token(&shop.customer().await, &[]).await
}

/// A guest's token, with a cart that holds this much.
async fn filled(shop: &TestShop, slug: &str, quantity: i64) -> String {
    let cart = add(shop, &shop.client(), slug, quantity).await;
    cart["token"].as_str().expect("a token").to_owned()
}

both_databases!(lines_move_and_quantities_add_up);
async fn lines_move_and_quantities_add_up(backend: Backend) {
    let shop = shop(backend).await;
    let own = customer(&shop).await;
    add(&shop, &own, "book", 1).await;
    let before = add(&shop, &own, "lamp", 1).await;
    let visitor = guest(&shop).await;
    select(&shop, &visitor, &json!({"os": "debian", "hostname": "web"})).await;
    let token = add(&shop, &visitor, "lamp", 2).await["token"].as_str().expect("a token").to_owned();
    let both = with_cart(&own, &token);
    let cart = read(&both).await;
    assert_eq!(cart["token"], before["token"], "the answer is about the own cart");
    let slugs = lines(&cart).iter().map(|line| (line["slug"].clone(), line["quantity"].clone())).collect::<Vec<_>>();
    assert_eq!(slugs, [(json!("book"), json!(1)), (json!("lamp"), json!(3)), (json!("server"), json!(1))]);
    assert_eq!(cart["lines"][2]["selections"], json!({"os": "debian", "hostname": "web"}));
    assert_eq!((read(&own).await, read(&both).await), (cart.clone(), cart));
    assert_eq!(rows(&shop).await, (1, 3), "the guest's cart is used up");
    assert_eq!(read(&with_cart(&shop.client(), &token)).await["lines"], json!([]));
}

both_databases!(every_route_of_the_cart_moves_them);
async fn every_route_of_the_cart_moves_them(backend: Backend) {
    let shop = shop(backend).await;
    let book = path_of(&add(&shop, &shop.client(), "book", 1).await["lines"][0]);
    for (route, expected) in [("GET", 4), ("HEAD", 4), ("POST", 5), ("PATCH", 9), ("DELETE", 0)] {
        let own = customer(&shop).await;
        let client = with_cart(&own, &filled(&shop, "book", 4).await);
        let answer = match route {
            "GET" => client.get("/cart").await,
            "HEAD" => client.head("/cart").await,
            "POST" => client.post("/cart", &json!({"product_id": id_of(&shop, "book").await})).await,
            "PATCH" => client.patch(&book, &json!({"quantity": 9})).await,
            _ => client.delete(&book).await,
        };
        answer.expect_status(200);
        assert_eq!(read(&own).await["item_count"], expected, "{route}");
    }
}

both_databases!(they_move_also_when_the_request_itself_is_refused);
async fn they_move_also_when_the_request_itself_is_refused(backend: Backend) {
    let shop = shop(backend).await;
    let own = customer(&shop).await;
    let client = with_cart(&own, &filled(&shop, "book", 4).await);
    client.delete("/cart/none").await.expect_error(404, "not_found");
    assert_eq!(read(&own).await["item_count"], 4);
}

both_databases!(a_session_moves_them_too);
async fn a_session_moves_them_too(backend: Backend) {
    let shop = shop(backend).await;
    let session = shop.client().session(&shop.customer().await).await;
    let token = filled(&shop, "lamp", 1).await;
    assert_eq!(read(&with_cart(&session, &token)).await["item_count"], 1);
    assert_eq!(read(&session).await["item_count"], 1);
}

both_databases!(quantities_stop_at_99);
async fn quantities_stop_at_99(backend: Backend) {
    let shop = shop(backend).await;
    for (own, moved, expected) in [(60, 60, 99), (99, 1, 99), (1, 98, 99), (99, 99, 99), (50, 48, 98)] {
        let client = customer(&shop).await;
        add(&shop, &client, "pencil", own).await;
        let both = with_cart(&client, &filled(&shop, "pencil", moved).await);
        for client in [&both, &both, &client] {
            assert_eq!(quantities(&read(client).await)["pencil"], expected, "{own} and {moved}");
        }
    }
}

both_databases!(lines_stop_at_100);
async fn lines_stop_at_100(backend: Backend) {
    let shop = shop(backend).await;
    shop.stock(&(0..110).map(|number| product(&format!("p{number}"), "Thing", 1)).collect::<Vec<_>>()).await;
    let (own, visitor) = (customer(&shop).await, guest(&shop).await);
    for number in 0..98 {
        add(&shop, &own, &format!("p{number}"), 1).await;
    }
    let token = token_of(visitor.get("/cart").await);
    for number in [0, 98, 99, 100, 101, 5] {
        add(&shop, &visitor, &format!("p{number}"), 1).await;
    }
    let cart = read(&with_cart(&own, &token)).await;
    assert_eq!(lines(&cart).len(), 100);
    let found = quantities(&cart);
    assert_eq!((found["p0"], found["p5"], found["p98"], found["p99"]), (2, 2, 1, 1));
    assert!(!found.contains_key("p100") && !found.contains_key("p101"));
    assert_eq!(rows(&shop).await, (1, 100));
}

both_databases!(a_guest_goes_on_with_the_token_of_a_cart_that_was_used_up);
async fn a_guest_goes_on_with_the_token_of_a_cart_that_was_used_up(backend: Backend) {
    let shop = shop(backend).await;
    let own = customer(&shop).await;
    let token = filled(&shop, "book", 1).await;
    read(&with_cart(&own, &token)).await;
    let visitor = with_cart(&shop.client(), &token);
    assert_eq!(add(&shop, &visitor, "lamp", 2).await["item_count"], 2);
    assert_eq!(quantities(&read(&with_cart(&own, &token)).await), [("book".into(), 1), ("lamp".into(), 2)].into());
}

both_databases!(an_empty_cart_of_a_guest_makes_none_of_the_customer);
async fn an_empty_cart_of_a_guest_makes_none_of_the_customer(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    let cart = add(&shop, &visitor, "book", 1).await;
    visitor.delete(&path_of(&cart["lines"][0])).await.expect_status(200);
    assert_eq!(rows(&shop).await, (1, 0));
    let own = with_cart(&customer(&shop).await, cart["token"].as_str().expect("a token"));
    assert_eq!(read(&own).await["lines"], json!([]));
    assert_eq!(rows(&shop).await, (1, 0));
}
