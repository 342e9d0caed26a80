//! `POST /cart`: products and quantities.

use serde_json::{Value, json};
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::shelf::{add, fill, guest, id_of, lines, product, quantities, read, refused_fields, rows, shop, try_add};

both_databases!(an_empty_cart_costs_nothing);
async fn an_empty_cart_costs_nothing(backend: Backend) {
    let shop = shop(backend).await;
    let mut cart = read(&guest(&shop).await).await;
    cart.as_object_mut().expect("an object").remove("token");
    let expected = json!({"item_count": 0, "requires_shipping": false, "subtotal_amount": 0,
                          "subtotal_formatted": "€0.00", "currency": "EUR", "lines": []});
    assert_eq!(cart, expected);
}

both_databases!(a_line_shows_the_product_and_its_price);
async fn a_line_shows_the_product_and_its_price(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    let cart = add(&shop, &visitor, "lamp", 2).await;
    assert_eq!(cart["subtotal_formatted"], "€40.00");
    assert_eq!(
        (&cart["item_count"], &cart["subtotal_amount"], &cart["requires_shipping"]),
        (&json!(2), &json!(4000), &json!(true))
    );
    let mut line = cart["lines"][0].clone();
    let key = line.as_object_mut().expect("an object").remove("line_key").expect("a key");
    let is_safe = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_');
    assert!(key.as_str().is_some_and(|key| key.bytes().all(is_safe)), "{key}");
    let expected = json!({
        "product_id": id_of(&shop, "lamp").await, "slug": "lamp", "label": "Lamp", "image": "https://img.example/lamp.jpg",
        "quantity": 2, "unit_amount": 2000, "line_total_amount": 4000, "currency": "EUR", "selections": {}, "options": [],
        "available": true, "availability": null, "available_quantity": null, "details": {},
    });
    assert_eq!(line, expected);
    assert_eq!(read(&visitor).await, cart);
}

both_databases!(images_of_the_media_folder_are_absolute);
async fn images_of_the_media_folder_are_absolute(backend: Backend) {
    let shop = shop(backend).await;
    let mug =
        json!({"type": "product", "slug": "mug", "name": "Mug", "price_amount": 1, "images": ["mugs/white mug.jpg"]});
    shop.stock(&[mug]).await;
    let cart = add(&shop, &guest(&shop).await, "mug", 1).await;
    assert_eq!(cart["lines"][0]["image"], "http://shop.test/media/mugs/white%20mug.jpg");
}

both_databases!(nothing_that_is_sent_by_parcel_requires_no_shipping);
async fn nothing_that_is_sent_by_parcel_requires_no_shipping(backend: Backend) {
    let shop = shop(backend).await;
    assert_eq!(add(&shop, &guest(&shop).await, "book", 1).await["requires_shipping"], false);
}

both_databases!(the_same_product_is_one_line_whose_quantity_grows);
async fn the_same_product_is_one_line_whose_quantity_grows(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    let first = add(&shop, &visitor, "book", 2).await;
    let second = add(&shop, &visitor, "book", 3).await;
    assert_eq!(lines(&second).len(), 1);
    assert_eq!(second["lines"][0]["line_key"], first["lines"][0]["line_key"]);
    assert_eq!(quantities(&second)["book"], 5);
    assert_eq!(second["subtotal_amount"], 7500);
}

both_databases!(lines_stay_in_the_order_in_which_they_came);
async fn lines_stay_in_the_order_in_which_they_came(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    for slug in ["pencil", "book", "lamp", "book"] {
        add(&shop, &visitor, slug, 1).await;
    }
    let cart = read(&visitor).await;
    let slugs = lines(&cart).iter().map(|line| line["slug"].clone()).collect::<Vec<_>>();
    assert_eq!(slugs, ["pencil", "book", "lamp"]);
}

both_databases!(without_a_quantity_one_is_added);
async fn without_a_quantity_one_is_added(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    for selections in [json!({}), json!({"selections": null}), json!({"selections": {}})] {
        let mut body = selections;
        body["product_id"] = id_of(&shop, "book").await.into();
        visitor.post("/cart", &body).await.expect_status(200);
    }
    assert_eq!(quantities(&read(&visitor).await)["book"], 3);
}

both_databases!(quantities_that_are_no_whole_number_from_1_to_99_are_refused);
async fn quantities_that_are_no_whole_number_from_1_to_99_are_refused(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    let id = id_of(&shop, "book").await;
    let wrong = [
        json!(0),
        json!(-1),
        json!(100),
        json!(i64::MAX),
        json!(i64::MIN),
        json!(u64::MAX),
        json!(1e30),
        json!(1.5),
        json!("2"),
        json!(""),
        json!(true),
        json!([]),
        json!([1]),
        json!({}),
    ];
    for quantity in wrong {
        let answer = visitor.post("/cart", &json!({"product_id": id, "quantity": quantity})).await;
        assert_eq!(refused_fields(answer), ["quantity"], "{quantity}");
    }
    assert_eq!(rows(&shop).await, (0, 0));
    let nothing = guest(&shop).await.post("/cart", &json!({"product_id": id, "quantity": null})).await;
    assert_eq!(nothing.expect_status(200).json()["data"]["lines"][0]["quantity"], 1, "null is left out");
    assert_eq!(add(&shop, &visitor, "book", 99).await["item_count"], 99);
}

both_databases!(a_sum_above_99_changes_nothing);
async fn a_sum_above_99_changes_nothing(backend: Backend) {
    let shop = shop(backend).await;
    for (first, second) in [(99, 1), (50, 50), (1, 99)] {
        let visitor = guest(&shop).await;
        let before = add(&shop, &visitor, "pencil", first).await;
        let answer = try_add(&shop, &visitor, "pencil", second).await;
        assert!(answer.text().contains("99"), "{}", answer.text());
        assert_eq!(refused_fields(answer), ["quantity"]);
        assert_eq!(read(&visitor).await, before);
    }
    let visitor = guest(&shop).await;
    add(&shop, &visitor, "pencil", 50).await;
    assert_eq!(add(&shop, &visitor, "pencil", 49).await["item_count"], 99);
}

both_databases!(what_is_no_product_that_can_be_bought_is_refused);
async fn what_is_no_product_that_can_be_bought_is_refused(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    let wrong = [
        json!(null),
        json!(""),
        json!("1"),
        json!(1.5),
        json!(-1),
        json!(0),
        json!(999_999_999),
        json!(i64::MAX),
        json!(u64::MAX),
        json!(1e30),
        json!(true),
        json!([1]),
        json!({}),
        json!(id_of(&shop, "hidden").await),
        json!(id_of(&shop, "plan").await),
    ];
    for id in wrong {
        let answer = visitor.post("/cart", &json!({"product_id": id})).await;
        assert_eq!(refused_fields(answer), ["product_id"], "{id}");
    }
    assert_eq!(refused_fields(visitor.post("/cart", &json!({})).await), ["product_id"]);
    let both = visitor.post("/cart", &json!({"quantity": 0, "selections": 5})).await;
    assert_eq!(refused_fields(both), ["product_id", "quantity", "selections"]);
}

both_databases!(a_client_cannot_name_a_price);
async fn a_client_cannot_name_a_price(backend: Backend) {
    let shop = shop(backend).await;
    let id = id_of(&shop, "lamp").await;
    for member in
        ["price", "price_amount", "unit_amount", "line_total_amount", "subtotal_amount", "discount", "currency"]
    {
        let mut body = json!({"product_id": id});
        body[member] = json!(-1);
        let cart: Value = shop.client().post("/cart", &body).await.expect_status(200).json();
        assert_eq!(cart["data"]["subtotal_amount"], 2000, "{member}");
    }
}

both_databases!(a_cart_has_100_lines_at_most);
async fn a_cart_has_100_lines_at_most(backend: Backend) {
    let shop = crate::shelf::builder(backend).open().await;
    fill(&shop).await;
    let many = (0..100).map(|number| product(&format!("p{number}"), "Thing", 1)).collect::<Vec<_>>();
    shop.stock(&many).await;
    let visitor = guest(&shop).await;
    for number in 0..100 {
        add(&shop, &visitor, &format!("p{number}"), 1).await;
    }
    let refused = try_add(&shop, &visitor, "book", 1).await.expect_error(422, "invalid_state");
    assert_eq!(refused.json()["reason"], "too_many_cart_lines");
    assert!(refused.text().contains("100"), "{}", refused.text());
    assert_eq!(lines(&read(&visitor).await).len(), 100);
    assert_eq!(add(&shop, &visitor, "p7", 1).await["item_count"], 101, "a line that is there still grows");
}
