//! What checkout finds in a cart, and leaves of it.

use http::HeaderMap;
use serde_json::json;
use stoa_core::cart::Prices;
use stoa_core::cart::{
    CartChoice, CartRow, PresentedCart, PricedCart, empty_placed_cart, priced_lines, read_priced_lines, take_cart,
};
use stoa_core::customers::CustomerRecord;
use stoa_core::db::Backend;
use stoa_core::from_shop::FromShop;
use stoa_core::http::extract::Customer;
use stoa_core::prelude::*;
use stoa_core::testing::{TestShop, both_databases};
use stoa_gift_wrap::GiftWrap;

use crate::shelf::{add, builder, fill, guest, read, rows, select, server, shop, token_of, with, with_cart};

/// What names the cart of a request with this token, of this customer.
fn choice(shop: &TestShop, token: Option<&str>, customer: Option<&CustomerRecord>) -> CartChoice {
    let mut headers = HeaderMap::new();
    if let Some(token) = token {
        headers.insert("x-cart-token", token.parse().expect("a header value"));
    }
    let customer = customer.map(|customer| Customer { id: customer.id, is_guest: false });
    CartChoice::new(PresentedCart::of(&shop.parts.cipher, &headers), customer)
}

/// What was taken, so that it is given back.
struct GivenBack(Result<Option<(CartRow, PricedCart)>, DbError>);

impl From<DbError> for GivenBack {
    fn from(error: DbError) -> Self {
        Self(Err(error))
    }
}

/// The cart that such a request is about. What is shown of it is what can be taken.
async fn chosen(shop: &TestShop, token: Option<&str>, customer: Option<&CustomerRecord>) -> Option<CartRow> {
    let choice = choice(shop, token, customer);
    let taken = async |tx: &mut Tx| -> Result<_, DbError> {
        let Some(row) = take_cart(tx, &choice).await? else { return Ok(None) };
        Ok(Some((row, priced_lines(tx, row.id, None, &Prices::from_shop(&shop.parts)).await?)))
    };
    let given_back = async |tx: &mut Tx| -> Result<(), GivenBack> { Err(GivenBack(taken(tx).await)) };
    let taken = shop.parts.db.write(given_back).await.expect_err("it is given back").0.expect("it is looked for");
    let (row, lines) = taken.unzip();
    let shown =
        read_priced_lines(&choice, &shop.parts.db, &Prices::from_shop(&shop.parts)).await.expect("the lines are read");
    assert_eq!(shown, lines.unwrap_or_default());
    row
}

both_databases!(checkout_means_the_guests_cart_that_is_named_else_the_own_one);
async fn checkout_means_the_guests_cart_that_is_named_else_the_own_one(backend: Backend) {
    let shop = shop(backend).await;
    let (ada, bob) = (shop.customer().await, shop.customer().await);
    assert_eq!(chosen(&shop, None, Some(&ada)).await, None);
    let own = shop.client().token(&ada, &[]).await;
    let own_token = add(&shop, &own, "book", 1).await["token"].as_str().expect("a token").to_owned();
    let guest_token = add(&shop, &shop.client(), "lamp", 1).await["token"].as_str().expect("a token").to_owned();
    let bobs = add(&shop, &shop.client().token(&bob, &[]).await, "pencil", 1).await["token"]
        .as_str()
        .expect("a token")
        .to_owned();
    let unused = token_of(guest(&shop).await.get("/cart").await);
    for token in [None, Some(own_token.as_str()), Some(&bobs), Some(&unused), Some("nonsense")] {
        let row = chosen(&shop, token, Some(&ada)).await.expect("the own cart");
        assert_eq!((row.customer_id, row.filling), (Some(ada.id), 1), "{token:?}");
    }
    for customer in [None, Some(&ada), Some(&bob)] {
        let row = chosen(&shop, Some(&guest_token), customer).await.expect("the guest's cart");
        assert_eq!(row.customer_id, None);
    }
    for token in [None, Some(own_token.as_str()), Some(&unused), Some("nonsense")] {
        assert_eq!(chosen(&shop, token, None).await, None, "{token:?}");
    }
    assert_eq!(rows(&shop).await, (3, 3), "nothing was merged");
}

both_databases!(lines_carry_all_that_an_order_keeps);
async fn lines_carry_all_that_an_order_keeps(backend: Backend) {
    let shop = builder(backend).module::<GiftWrap>().open().await;
    fill(&shop).await;
    let wrapped = with(
        server(),
        &json!({
            "sku": "SRV", "tax_class": "reduced", "capabilities": ["gift_wrappable"],
            "modules": {"gift_wrap": {"papers": ["stars"], "surcharge_amount": 5}},
        }),
    );
    shop.stock(&[wrapped]).await;
    let visitor = guest(&shop).await;
    select(&shop, &visitor, &json!({"os": "debian", "extras": ["panel", "ipv4"]})).await;
    add(&shop, &visitor, "lamp", 2).await;
    let token = token_of(visitor.get("/cart").await);
    let row = chosen(&shop, Some(&token), None).await.expect("a cart");
    let parts = &shop.parts;
    let cart = parts.db.write(async |tx| -> Result<_, DbError> {
        assert_eq!(take_cart(tx, &choice(&shop, Some(&token), None)).await?, Some(row));
        priced_lines(tx, row.id, None, &Prices::from_shop(parts)).await
    });
    let cart = cart.await.expect("the lines are read");
    assert_eq!(cart.subtotal_amount, 1400 + 4000);
    let [line, lamp] = cart.lines.as_slice() else { panic!("two lines: {cart:?}") };
    assert_eq!((line.sku.as_deref(), line.tax_class.as_deref()), (Some("SRV"), Some("reduced")));
    assert_eq!((line.unit_amount, line.line_total_amount, line.available), (1400, 1400, true));
    assert_eq!((line.choice_skus.as_slice(), line.has_active_options), ([String::from("EX-PANEL")].as_slice(), true));
    assert_eq!(json!(line.module_settings), json!({"gift_wrap": {"papers": ["stars"], "surcharge_amount": 5}}));
    assert_eq!((json!(lamp.module_settings), lamp.has_active_options), (json!({}), false));
    assert!(lamp.has_capability("shippable") && !line.has_capability("shippable"));
}

both_databases!(a_placed_cart_is_empty_and_can_be_filled_again);
async fn a_placed_cart_is_empty_and_can_be_filled_again(backend: Backend) {
    let shop = shop(backend).await;
    let visitor = guest(&shop).await;
    let token = add(&shop, &visitor, "book", 2).await["token"].as_str().expect("a token").to_owned();
    let row = chosen(&shop, Some(&token), None).await.expect("a cart");
    let placed = shop.parts.db.write(async |tx| -> Result<(), DbError> {
        take_cart(tx, &choice(&shop, Some(&token), None)).await?.expect("it is there");
        empty_placed_cart(tx, row.id).await
    });
    placed.await.expect("it is emptied");
    assert_eq!(read(&with_cart(&shop.client(), &token)).await["lines"], json!([]));
    let next = chosen(&shop, Some(&token), None).await.expect("the same cart");
    assert_eq!((next.id, next.filling), (row.id, row.filling + 1));
    assert_eq!(add(&shop, &visitor, "lamp", 1).await["token"], token);
}

both_databases!(a_cart_that_is_gone_cannot_be_taken);
async fn a_cart_that_is_gone_cannot_be_taken(backend: Backend) {
    let shop = shop(backend).await;
    let unused = token_of(guest(&shop).await.get("/cart").await);
    let choice = choice(&shop, Some(&unused), None);
    let taken = shop.parts.db.write(async |tx| take_cart(tx, &choice).await).await.expect("it is looked for");
    assert_eq!(taken, None);
}
