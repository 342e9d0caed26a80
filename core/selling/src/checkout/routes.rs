//! `GET /checkout/requirements` and `POST /checkout`.

use axum::response::{IntoResponse, Response};
use serde_json::{json, to_value};

use stoa_kernel::auth::LimitClass;
use stoa_kernel::config::CountryCode;
use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::db::Db;
use stoa_kernel::http::answer::{Created, Data};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Body, ClientLanguage, Customer, RawQuery, Uses};
use stoa_kernel::http::shape::{Answers, Takes};
use stoa_kernel::http::table::{Operation, QueryParameter, Routes, routes};
use stoa_kernel::i18n::Violation;
use stoa_kernel::money::MoneyFormatter;

use super::destination::Destination;
use super::lines::order_lines;
use super::payment::ChosenPayment;
use super::place::{Placed, Placement, ROUTE};
use super::requirements::{self, RequirementsResource};
use super::rules::CheckoutRequest;
use super::uses::Checkout;
use crate::cart::{CartChoice, PresentedCart, read_priced_lines};
use crate::idempotency::{self, HeaderKey, IdempotencyKey};
use crate::orders::{OrderPreflight, OrderResource, example_order, find_own_order};
use crate::payments::pay_at_once;

pub(super) fn checkout_routes() -> Routes<()> {
    routes()
        .get("checkout.requirements", "/checkout/requirements", show)
        .summary("Read what a checkout of the cart needs")
        .description("The cart is found as for `POST /checkout`; a guest may ask as well.")
        .example(|| {
            json!({"data": {
                "requirements": ["billing", "payment", "review", "shipping_address", "shipping_method"],
                "requires_shipping": true,
                "shipping_methods": [
                    {"id": "standard", "label": "Standard shipping", "amount": 495, "amount_formatted": "€4.95"},
                ],
                "payment_methods": [
                    {"id": "manual", "gateway_id": "manual", "label": "Bank transfer", "icon": null},
                ],
                "countries": ["BE", "DE", "NL"],
            }})
        })
        .fails_with(&[422])
        .cart()
        .post("checkout.store", "/checkout", place)
        .summary("Place an order")
        .description(
            "Places the cart that `X-Cart-Token` names, if it is a guest's, else the customer's own, and empties it. \
             409 has the reasons `total_changed` and `idempotency_key_reused`; 422 `invalid_state` has `cart_empty`, \
             `line_unavailable`, `total_too_large`, and those of modules. A request that is repeated with its \
             idempotency key is answered with 200 and the same order. An order that costs nothing needs no payment method.",
        )
        .body_example(|| {
            json!({
                "billing": {"name": "Ada Buyer", "line1": "Keizersgracht 1", "city": "Amsterdam",
                            "postal_code": "1015 AA", "country": "NL"},
                "shipping_method_id": "standard", "payment_method": "manual", "expected_total_amount": 4495,
                "idempotency_key": "7b0c2f9e-1d7c-4f0e-9a51-0f3a6f0f7c11",
            })
        })
        .example(|| json!({"data": example_order()}))
        .fails_with(&[409, 422])
        .ability("orders.create")
        .limited(LimitClass::Checkout)
}

/// The country that shipping methods are asked for.
struct Country(Option<CountryCode>);

impl<S: Send + Sync> axum::extract::FromRequestParts<S> for Country {
    type Rejection = ApiError;

    async fn from_request_parts(parts: &mut http::request::Parts, state: &S) -> Result<Self, ApiError> {
        const FIELD: &str = "country";
        let RawQuery(query) = RawQuery::from_request_parts(parts, state).await?;
        let query = query.unwrap_or_default();
        let given = url::form_urlencoded::parse(query.as_bytes()).find(|(name, _)| name == FIELD);
        match given.map(|(_, value)| value.trim().to_owned()).filter(|code| !code.is_empty()) {
            None => Ok(Self(None)),
            Some(code) => {
                let country = CountryCode::parse(&code);
                let refuse = || ApiError::invalid_field(FIELD, Violation::UnknownCountry.on(FIELD));
                country.map(|country| Self(Some(country))).ok_or_else(refuse)
            }
        }
    }
}

impl Takes for Country {
    fn takes(operation: &mut Operation) {
        operation.query.push(QueryParameter {
            name: "country",
            description: "A country code: only shipping methods that go there.",
            kind: "string",
            pattern: Some(CountryCode::PATTERN),
            example: "NL",
        });
    }
}

async fn show(
    customer: Option<Customer>,
    presented: PresentedCart,
    Uses(checkout): Uses<Checkout>,
    Country(country): Country,
    ClientLanguage(language): ClientLanguage,
) -> ApiResult<Data<RequirementsResource>> {
    let choice = CartChoice::new(presented, customer);
    let customer_id = customer.map(|customer| customer.id);
    Ok(Data(requirements::gather(&checkout, customer_id, &choice, country, language).await?))
}

/// A new order with 201, or the one that the key has placed before with 200.
enum PlacedAnswer {
    New(Box<OrderResource>),
    Before(Box<OrderResource>),
}

impl IntoResponse for PlacedAnswer {
    fn into_response(self) -> Response {
        match self {
            Self::New(order) => Created(Data(*order)).into_response(),
            Self::Before(order) => Data(*order).into_response(),
        }
    }
}

impl Answers for PlacedAnswer {
    fn answers(operation: &mut Operation) {
        Created::<Data<OrderResource>>::answers(operation);
        operation.also.push((200, "The order that the same idempotency key has placed before"));
    }
}

async fn place(
    customer: Customer,
    presented: PresentedCart,
    Uses(checkout): Uses<Checkout>,
    ClientLanguage(language): ClientLanguage,
    header: HeaderKey,
    Body(request): Body<CheckoutRequest>,
) -> ApiResult<PlacedAnswer> {
    let asked = to_value(&request).map_err(ApiError::internal)?;
    let key = IdempotencyKey::of(request.idempotency_key.clone(), header, &asked)?;
    if let Some(key) = &key
        && let Some(made) = idempotency::look_up(&checkout.payments.db, customer.id, ROUTE, key).await?
    {
        let order_id = made.order_id.ok_or_else(ApiError::not_found)?;
        return Ok(PlacedAnswer::Before(read_back(&checkout.payments.db, &checkout.money, customer, order_id).await?));
    }
    let payment = ChosenPayment::of(&checkout.payments.gateways, &request)?;
    let destination = Destination::of(&checkout.payments.db, &checkout.prices.config, customer.id, &request).await?;
    let cart = CartChoice::new(presented, Some(customer));
    preflight(&checkout, customer, &cart).await?;
    let placement = Placement {
        checkout: &checkout,
        customer,
        cart: &cart,
        destination: &destination,
        payment,
        request: &request,
        language,
        key: key.as_ref(),
    };
    let placed = checkout.payments.db.write(async |tx| placement.place(tx).await).await?;
    match placed {
        Placed::Before(order_id) => {
            Ok(PlacedAnswer::Before(read_back(&checkout.payments.db, &checkout.money, customer, order_id).await?))
        }
        Placed::New(order) => {
            let is_free = order.total_amount == 0;
            let is_as_written = !is_free && !pay_at_once(&checkout.payments, customer.id, order.id, payment.id).await;
            let order = if is_as_written {
                order
            } else {
                read_back(&checkout.payments.db, &checkout.money, customer, order.id).await?
            };
            Ok(PlacedAnswer::New(order))
        }
    }
}

async fn read_back(
    db: &Db,
    money: &MoneyFormatter,
    customer: Customer,
    order_id: i64,
) -> ApiResult<Box<OrderResource>> {
    let order = find_own_order(db, money, customer.id, order_id).await?;
    order.map(Box::new).ok_or_else(ApiError::not_found)
}

/// Asks the modules before the transaction; what they find empty or unavailable is refused inside it.
async fn preflight(checkout: &Checkout, customer: Customer, choice: &CartChoice) -> ApiResult<()> {
    if !checkout.events.is_awaited::<OrderPreflight>() {
        return Ok(());
    }
    let cart = read_priced_lines(choice, &checkout.payments.db, &checkout.prices).await?;
    if cart.lines.is_empty() || cart.lines.iter().any(|line| !line.available) {
        return Ok(());
    }
    let mut event = OrderPreflight {
        customer_id: customer.id,
        currency: checkout.currency,
        lines: order_lines(&cart.lines, &[]),
        checks: Vec::new(),
    };
    checkout.events.preflight(&mut event, &checkout.payments.db).await?;
    event.checks.into_iter().next().map_or(Ok(()), |refusal| Err(refusal.into()))
}
