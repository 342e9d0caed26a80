//! `PATCH` and `DELETE /cart/{lineKey}`.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::shelf::{add, guest, path_of, quantities, read, refused_fields, shop};

both_databases!(a_quantity_is_set);
async fn a_quantity_is_set(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    let path = path_of(&add(&shop, &visitor, "book", 5).await["lines"][0]);
    for quantity in [2, 99, 1] {
        let answer = visitor.patch(&path, &json!({"quantity": quantity})).await.expect_status(200).json();
        assert_eq!(
            (&answer["data"]["item_count"], &answer["data"]["subtotal_amount"]),
            (&json!(quantity), &json!(quantity * 1500))
        );
    }
}

both_databases!(zero_and_delete_remove_a_line);
async fn zero_and_delete_remove_a_line(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    for slug in ["book", "lamp", "pencil"] {
        add(&shop, &visitor, slug, 1).await;
    }
    let cart = read(&visitor).await;
    visitor.patch(&path_of(&cart["lines"][0]), &json!({"quantity": 0})).await.expect_status(200);
    let left = visitor.delete(&path_of(&cart["lines"][2])).await.expect_status(200).json();
    assert_eq!(quantities(&left["data"]), [(String::from("lamp"), 1)].into());
    visitor.delete(&path_of(&cart["lines"][2])).await.expect_error(404, "not_found");
    let empty = visitor.delete(&path_of(&cart["lines"][1])).await.expect_status(200).json();
    assert_eq!((&empty["data"]["lines"], &empty["data"]["subtotal_amount"]), (&json!([]), &json!(0)));
}

both_databases!(quantities_that_are_no_whole_number_from_0_to_99_are_refused);
async fn quantities_that_are_no_whole_number_from_0_to_99_are_refused(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    let cart = add(&shop, &visitor, "book", 3).await;
    let path = path_of(&cart["lines"][0]);
    for wrong in [
        json!(-1),
        json!(100),
        json!(u64::MAX),
        json!(1e30),
        json!(1.5),
        json!("2"),
        json!(""),
        json!(null),
        json!(true),
        json!([]),
        json!({}),
    ] {
        assert_eq!(refused_fields(visitor.patch(&path, &json!({"quantity": wrong})).await), ["quantity"], "{wrong}");
    }
    assert_eq!(refused_fields(visitor.patch(&path, &json!({})).await), ["quantity"]);
    assert_eq!(read(&visitor).await, cart);
}

both_databases!(an_unknown_line_is_not_found);
async fn an_unknown_line_is_not_found(backend: Backend) {
    let shop = shop(backend).await;
    let (visitor, other) = (guest(&shop).await, guest(&shop).await);
    add(&shop, &visitor, "book", 1).await;
    let foreign = path_of(&add(&shop, &other, "lamp", 4).await["lines"][0]);
    let long = format!("/cart/{}", "a".repeat(3000));
    for path in
        ["/cart/none", "/cart/-1", "/cart/%25", "/cart/%00", "/cart/%E8%8C%B6", "/cart/'%20OR%201=1", &long, &foreign]
    {
        visitor.patch(path, &json!({"quantity": 1})).await.expect_error(404, "not_found");
        visitor.delete(path).await.expect_error(404, "not_found");
        shop.client().delete(path).await.expect_error(404, "not_found");
    }
    assert_eq!(read(&visitor).await["item_count"], 1);
    assert_eq!(read(&other).await["item_count"], 4);
}
