//! Amounts that are too large to be counted.

use serde_json::json;
use stoa_core::db::Backend;
use stoa_core::testing::both_databases;

use crate::shelf::{add, guest, path_of, read, refused_fields, set_price, shop, try_add};

/// Twice as much is beyond 63 bits.
const HUGE: i64 = i64::MAX / 2 + 1;

both_databases!(a_line_that_cannot_be_counted_is_refused);
async fn a_line_that_cannot_be_counted_is_refused(backend: Backend) {
    let shop = shop(backend).await;
    set_price(&shop, "book", HUGE).await;
    let visitor = guest(&shop).await;
    assert_eq!(refused_fields(try_add(&shop, &visitor, "book", 2).await), ["quantity"]);
    let cart = add(&shop, &visitor, "book", 1).await;
    assert_eq!(cart["subtotal_amount"], HUGE);
    assert_eq!(refused_fields(try_add(&shop, &visitor, "book", 1).await), ["quantity"]);
    let path = path_of(&cart["lines"][0]);
    assert_eq!(refused_fields(visitor.patch(&path, &json!({"quantity": 99})).await), ["quantity"]);
    assert_eq!(read(&visitor).await, cart);
}

both_databases!(a_sum_of_lines_that_cannot_be_counted_is_refused);
async fn a_sum_of_lines_that_cannot_be_counted_is_refused(backend: Backend) {
    let shop = shop(backend).await;
    set_price(&shop, "book", HUGE).await;
    set_price(&shop, "lamp", HUGE).await;
    let visitor = guest(&shop).await;
    let cart = add(&shop, &visitor, "book", 1).await;
    assert_eq!(refused_fields(try_add(&shop, &visitor, "lamp", 1).await), ["quantity"]);
    assert_eq!(read(&visitor).await, cart);
}

both_databases!(what_grew_too_large_in_the_cart_is_shown_and_can_be_taken_out);
async fn what_grew_too_large_in_the_cart_is_shown_and_can_be_taken_out(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    add(&shop, &visitor, "book", 3).await;
    add(&shop, &visitor, "pencil", 1).await;
    set_price(&shop, "book", HUGE).await;
    let cart = read(&visitor).await;
    let (book, pencil) = (&cart["lines"][0], &cart["lines"][1]);
    assert_eq!(
        (&book["available"], &book["unit_amount"], &book["line_total_amount"]),
        (&json!(false), &json!(0), &json!(0))
    );
    assert_eq!((&pencil["available"], &cart["subtotal_amount"]), (&json!(true), &json!(99)));
    assert_eq!(refused_fields(visitor.patch(&path_of(book), &json!({"quantity": 4})).await), ["quantity"]);
    visitor.patch(&path_of(book), &json!({"quantity": 2})).await.expect_status(200);
    let alone = visitor.patch(&path_of(book), &json!({"quantity": 1})).await.expect_status(200).json();
    assert_eq!(alone["data"]["subtotal_amount"], HUGE + 99);
    visitor.delete(&path_of(book)).await.expect_status(200);
    assert_eq!(read(&visitor).await["subtotal_amount"], 99);
}
