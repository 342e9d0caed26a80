//! A guest buys with the client that openapi-generator has made for Rust.

use std::collections::HashMap;
use std::error::Error;

use openapi::apis::configuration::Configuration;
use openapi::apis::{auth_api, cart_api, checkout_api, orders_api};
use openapi::models::{AddToCart, AddressRequest, CheckoutRequest, GuestRequest, OrderStatus};

#[tokio::main]
async fn main() -> Result<(), Box<dyn Error>> {
    let base = std::env::args().nth(1).ok_or("where is the API?")?;
    let mut shop = Configuration { base_path: base, ..Configuration::default() };
    let guest = GuestRequest::new("rust@example.com".to_owned(), "Rust".to_owned());
    shop.bearer_access_token = Some(auth_api::auth_guest_tokens_store(&shop, guest, None).await?.token);

    let selections = HashMap::from([("color".to_owned(), "sage".into()), ("length".to_owned(), "long".into())]);
    let wanted = AddToCart { quantity: Some(Some(2)), selections: Some(Some(selections)), ..AddToCart::new(4) };
    let cart = cart_api::cart_store(&shop, wanted, None, None).await?.data;
    assert_eq!(cart.subtotal_amount, 10400);

    let needed = checkout_api::checkout_requirements(&shop, Some("NL"), None, None, None, None, None, None).await?;
    let method = needed.data.shipping_methods[0].id.clone();
    let priced = checkout_api::checkout_requirements(&shop, Some("NL"), Some(&method), None, None, None, None, None);
    let totals = priced.await?.data.totals;
    assert!(totals.complete);

    let text = ["Ada Buyer", "Keizersgracht 1", "Amsterdam", "1015 AA", "NL"].map(str::to_owned);
    let [name, line1, city, postal_code, country] = text;
    let request = CheckoutRequest {
        billing: Some(Some(Box::new(AddressRequest::new(name, line1, city, postal_code, country)))),
        shipping_method_id: Some(Some(method)),
        expected_total_amount: Some(Some(totals.total_amount)),
        ..CheckoutRequest::new()
    };
    let first = checkout_api::checkout_store(&shop, request.clone(), None, None, Some("rust"), None).await?.data;
    let again = checkout_api::checkout_store(&shop, request, None, None, Some("rust"), None).await?.data;
    assert_eq!(again.id, first.id);

    let order = orders_api::orders_show(&shop, first.id).await?.data;
    assert_eq!((order.total_amount, order.status), (totals.total_amount, OrderStatus::Pending));
    let displays = order.items[0].options.iter().map(|option| option.display.as_str()).collect::<Vec<_>>();
    assert_eq!(displays, ["Sage", "Long, 100 cm"]);
    println!("bought {}", order.number);
    Ok(())
}
