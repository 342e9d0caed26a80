//! `/cart`: what a guest or a customer is about to buy.

use axum::response::{IntoResponse, Response};
use serde_json::{Value, json};

use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::http::answer::Data;
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Body, Customer, Name, Uses};
use stoa_kernel::http::shape::DescribesAnswer;
use stoa_kernel::http::table::{Operation, Routes, routes};

use super::lines::PricedCart;
use super::model::CartResource;
use super::rules::{AddToCart, SetQuantity};
use super::showing::{line_details, mark_lines};
use super::store::{self, Holder};
use super::token::{CartToken, DESCRIBED, HEADER, PresentedCart};
use super::uses::Carts;

/// What the path of a line names.
const LINE_KEY: &str = "The `line_key` of a line, as the cart has it.";

const EXAMPLE_LINE_KEY: &str = "q83vEjRWeJCrze8SNFZ4kKvN";

pub(super) fn cart_routes() -> Routes<()> {
    routes()
        .get("cart.show", "/cart", show)
        .summary("Read the cart")
        .description(
            "A guest's cart is the one that `X-Cart-Token` names; without a token that the shop knows it is a new, empty one. \
             A customer has one own cart, found without a token. When a customer's request brings a guest's token, to this \
             or any other route of the cart, the guest's lines move into the own cart: quantities add up and stop at 99, \
             lines at 100. Carts are kept for 30 days after their last change. Lines that are not available cost nothing \
             and cannot be ordered; `availability` says whether a line is in stock, where somebody counts.",
        )
        .example(|| json!({"data": example()}))
        .cart()
        .post("cart.store", "/cart", add)
        .summary("Add a product to the cart")
        .description(
            "The same product with the same selections is one line, whose quantity is raised. A sum above 99 is 422, and \
             changes nothing; a cart with 100 lines takes no further one: 422 `invalid_state` with the reason \
             `too_many_cart_lines`. Selections that the product's options do not allow are 422 with \
             `errors[\"selections.<key>\"]`. Prices come from the catalog alone.",
        )
        // One of the demo's products, so that what the API reference prefills can be sent.
        .body_example(|| json!({"product_id": 4, "quantity": 2, "selections": {"color": "sage"}}))
        .example(|| json!({"data": example()}))
        .cart()
        .patch("cart.update", "/cart/{lineKey}", update)
        .summary("Set the quantity of a line")
        .description("With 0 the line is removed.")
        .path_parameter(LINE_KEY, EXAMPLE_LINE_KEY)
        .body_example(|| json!({"quantity": 2}))
        .example(|| json!({"data": example()}))
        .cart()
        .delete("cart.destroy", "/cart/{lineKey}", destroy)
        .summary("Remove a line")
        .description("Answers the cart without it. A line that is not there is 404.")
        .path_parameter(LINE_KEY, EXAMPLE_LINE_KEY)
        .example(|| json!({"data": example()}))
        .cart()
}

fn example() -> Value {
    json!({
        "token": DESCRIBED.example, "item_count": 2, "requires_shipping": true, "subtotal_amount": 9600,
        "subtotal_formatted": "€96.00", "currency": "EUR",
        "lines": [{
            "line_key": EXAMPLE_LINE_KEY, "product_id": 4, "slug": "pottering-apron", "label": "Pottering Apron",
            "image": "https://shop.example.com/media/demo/pottering-apron.svg", "quantity": 2, "unit_amount": 4800,
            "line_total_amount": 9600, "currency": "EUR",
            "selections": {"color": "sage"},
            "options": [{"key": "color", "label": "Color", "display": "Sage"}],
            "available": true, "availability": "in_stock", "available_quantity": null, "details": {},
        }],
    })
}

/// A cart, with its token in the header too.
struct CartAnswer {
    token: CartToken,
    cart: CartResource,
}

impl CartAnswer {
    async fn new(holder: &Holder, cart: PricedCart, carts: &Carts) -> ApiResult<Self> {
        let token = holder.token(&carts.cipher);
        let cart = mark_lines(&carts.db, &carts.events, cart).await?;
        let details = line_details(&carts.details, &cart).await?;
        let cart = CartResource::new(&token, cart, details, carts.currency, &carts.money);
        Ok(Self { token, cart })
    }
}

impl IntoResponse for CartAnswer {
    fn into_response(self) -> Response {
        let mut response = Data(self.cart).into_response();
        response.headers_mut().insert(HEADER, self.token.header_value());
        response
    }
}

impl DescribesAnswer for CartAnswer {
    fn answers(operation: &mut Operation) {
        Data::<CartResource>::answers(operation);
        operation.answer_headers.push(DESCRIBED);
    }
}

async fn show(customer: Option<Customer>, presented: PresentedCart, Uses(carts): Uses<Carts>) -> ApiResult<CartAnswer> {
    let holder = Holder::of(&carts.db, &carts.random, &carts.cipher, customer, presented).await?;
    let cart = store::read_cart(&carts.db, &carts.prices, &holder).await?;
    CartAnswer::new(&holder, cart, &carts).await
}

async fn add(
    customer: Option<Customer>,
    presented: PresentedCart,
    Uses(carts): Uses<Carts>,
    Body(request): Body<AddToCart>,
) -> ApiResult<CartAnswer> {
    let holder = Holder::of(&carts.db, &carts.random, &carts.cipher, customer, presented).await?;
    let cart = store::add_to_cart(&carts.db, &carts.cipher, &carts.prices, &holder, &request).await?;
    CartAnswer::new(&holder, cart, &carts).await
}

async fn update(
    customer: Option<Customer>,
    presented: PresentedCart,
    Uses(carts): Uses<Carts>,
    Name(line_key): Name,
    Body(request): Body<SetQuantity>,
) -> ApiResult<CartAnswer> {
    set(customer, presented, &carts, &line_key, request.quantity).await
}

async fn destroy(
    customer: Option<Customer>,
    presented: PresentedCart,
    Uses(carts): Uses<Carts>,
    Name(line_key): Name,
) -> ApiResult<CartAnswer> {
    set(customer, presented, &carts, &line_key, 0).await
}

async fn set(
    customer: Option<Customer>,
    presented: PresentedCart,
    carts: &Carts,
    line_key: &str,
    quantity: i64,
) -> Result<CartAnswer, ApiError> {
    let holder = Holder::of(&carts.db, &carts.random, &carts.cipher, customer, presented).await?;
    let cart = store::set_quantity(&carts.db, &carts.prices, &holder, line_key, quantity).await?;
    CartAnswer::new(&holder, cart, carts).await
}
