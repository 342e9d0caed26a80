//! `GET /checkout/requirements` and `POST /checkout`.

use std::net::IpAddr;

use axum::extract::State;
use axum::response::{IntoResponse, Response};
use serde_json::{Value, json, to_value};

use stoa_kernel::auth::LimitClass;
use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::http::answer::{Created, Data};
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{ClientAddress, ClientLanguage, Customer, Draft, Uses};
use stoa_kernel::http::shape::DescribesAnswer;
use stoa_kernel::http::table::{Operation, Routes, routes};

use super::destination::Addresses;
use super::payment::ChosenPayment;
use super::place::{Placed, Placement, ROUTE};
use super::requirements::{self, RequirementsAnswer};
use super::requirements_query::RequirementsQuery;
use super::rules::CheckoutRequest;
use super::totals::ConflictBody;
use super::uses::Checkout;
use super::wishes::Wishes;
use crate::cart::{CartChoice, PresentedCart};
use crate::idempotency::{self, HeaderKey, IdempotencyKey};
use crate::orders::{CheckedVatId, OrderResource, example_order, find_own_order, tell_instructions};
use crate::payments::pay_at_once;
use crate::vat_ids::VatIds;
use crate::withdrawals::{is_on, tell_rights};

pub(super) fn checkout_routes() -> Routes<VatIds> {
    routes()
        .get("checkout.requirements", "/checkout/requirements", show)
        .summary("Read what a checkout of the cart needs and costs")
        .description(
            "The cart is found as for `POST /checkout`; a guest may ask as well. While `totals.complete` is true, \
             `totals.total_amount` is what `POST /checkout` charges for the same choices. A code that cannot be used is no \
             error here: `totals.discount_problem` says why.",
        )
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
                "consents": [
                    {"id": "terms", "version": "2026-11", "label": "I accept the terms and conditions.",
                     "url": "https://www.example.com/terms", "required": true},
                ],
                "vat_id_status": null,
                "totals": example_totals(),
            }})
        })
        .fails_with(&[422])
        .cart()
        .post("checkout.store", "/checkout", place)
        .summary("Place an order")
        .description(
            "Places the cart that `X-Cart-Token` names, if it is a guest's, else the customer's own, and empties it. \
             409 has the reasons `total_changed`, with the new `totals` of `GET /checkout/requirements` beside it, and \
             `idempotency_key_reused`; 422 `invalid_state` has `cart_empty`, \
             `line_unavailable`, `total_too_large`, and those of modules. A request that is repeated with its \
             idempotency key is answered with 200 and the same order. An order that costs nothing needs no payment method.",
        )
        .body_example(|| {
            json!({
                "billing": {"name": "Ada Buyer", "line1": "Keizersgracht 1", "city": "Amsterdam",
                            "postal_code": "1015 AA", "country": "NL"},
                "shipping_method_id": "standard", "payment_method": "manual", "expected_total_amount": 4495,
                "consents": ["terms"],
                "idempotency_key": "7b0c2f9e-1d7c-4f0e-9a51-0f3a6f0f7c11",
            })
        })
        .example(|| json!({"data": example_order()}))
        .fails_with(&[422])
        .fails_as::<ConflictBody>(
            409,
            "The total is another, or the idempotency key was used for another request",
            example_conflict,
        )
        .ability("orders.create")
        .limited(LimitClass::Checkout)
}

/// What a cart costs, for the document.
fn example_totals() -> Value {
    json!({
        "complete": true, "subtotal_amount": 4000, "discount_amount": 0, "shipping_amount": 495, "tax_amount": 780,
        "total_amount": 4495, "total_formatted": "€44.95", "currency": "EUR",
        "taxes": [{"label": "21%", "rate_basis_points": 2100, "base_amount": 3715, "tax_amount": 780}],
        "reverse_charge": false, "added_lines": [], "discount_code": null, "discount_problem": null,
    })
}

/// An order that costs something else by now, for the document.
fn example_conflict() -> Value {
    json!({
        "message": "The total has changed in the meantime. Please check the new total and confirm your order again.",
        "code": "invalid_state", "reason": "total_changed", "totals": example_totals(),
    })
}

async fn show(
    State(vat_ids): State<VatIds>,
    customer: Option<Customer>,
    presented: PresentedCart,
    Uses(checkout): Uses<Checkout>,
    asked: RequirementsQuery,
    ClientAddress(client): ClientAddress,
    ClientLanguage(language): ClientLanguage,
) -> ApiResult<RequirementsAnswer> {
    let choice = CartChoice::new(presented, customer);
    let customer_id = customer.map(|customer| customer.id);
    let vat_id = check_vat_id(&vat_ids, asked.vat_id.as_deref(), client).await?;
    let data = requirements::gather(&checkout, customer_id, &choice, &asked, vat_id.as_ref(), language).await?;
    Ok(RequirementsAnswer { data })
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

impl DescribesAnswer for PlacedAnswer {
    fn answers(operation: &mut Operation) {
        Created::<Data<OrderResource>>::answers(operation);
        operation.also.push((200, "The order that the same idempotency key has placed before"));
    }
}

#[expect(clippy::too_many_arguments, reason = "each is something else that the request brings")]
async fn place(
    State(vat_ids): State<VatIds>,
    customer: Customer,
    presented: PresentedCart,
    Uses(checkout): Uses<Checkout>,
    ClientLanguage(language): ClientLanguage,
    header: HeaderKey,
    ClientAddress(client): ClientAddress,
    Draft { value: request, accepted, mut refusals }: Draft<CheckoutRequest>,
) -> ApiResult<PlacedAnswer> {
    let asked = to_value(&request).map_err(ApiError::internal)?;
    let key = refusals.note(IdempotencyKey::of(request.idempotency_key.clone(), header, &asked))?.flatten();
    if let Some(key) = key.as_ref().filter(|_| refusals.is_empty())
        && let Some(made) = idempotency::look_up(&checkout.payments.db, customer.id, ROUTE, key).await?
    {
        let order_id = made.order_id.ok_or_else(ApiError::not_found)?;
        return Ok(PlacedAnswer::Before(read_back(&checkout, customer, order_id).await?));
    }
    let gateways = &checkout.payments.gateways;
    let chosen = refusals.note(ChosenPayment::of(gateways, request.payment_method.as_deref()))?;
    let payment = chosen.unwrap_or_else(|| ChosenPayment::usual(gateways));
    let (db, config) = (&checkout.payments.db, &checkout.prices.config);
    let addresses = Addresses::of(db, config, customer.id, &request, &accepted, &mut refusals).await?;
    let vat_id = refusals.note(check_vat_id(&vat_ids, request.vat_id.as_deref(), client).await)?.flatten();
    let cart = CartChoice::new(presented, Some(customer));
    let wishes = Wishes {
        checkout: &checkout,
        customer_id: customer.id,
        countries: addresses.countries,
        vat_id: vat_id.as_ref(),
        payment,
        request: &request,
        language,
    };
    // Modules judge by how it is paid.
    if chosen.is_some() {
        refusals.note(wishes.preflight(&cart).await)?;
    }
    let Some(destination) = addresses.destination.filter(|_| refusals.is_empty()) else {
        wishes.look_further(&cart, &mut refusals).await?;
        return Err(refusals.into_error());
    };
    let placement = Placement { wishes: &wishes, customer, cart: &cart, destination: &destination, key: key.as_ref() };
    let placed = checkout.payments.db.write(async |tx| placement.place(tx).await).await?;
    match placed {
        Placed::Before(order_id) => Ok(PlacedAnswer::Before(read_back(&checkout, customer, order_id).await?)),
        Placed::New { mut order, attempt } => {
            if let Some(attempt) = &attempt {
                pay_at_once(&checkout.payments, attempt).await;
            }
            let is_as_written = order.total_amount > 0 && attempt.is_none();
            if is_as_written && !is_on(&checkout.prices.config) {
                tell_instructions(gateways, [&mut *order]);
            } else {
                order = read_back(&checkout, customer, order.id).await?;
            }
            Ok(PlacedAnswer::New(order))
        }
    }
}

/// Checks the number that a customer gives, if it is any, before the transaction: it may take seconds.
async fn check_vat_id(vat_ids: &VatIds, given: Option<&str>, client: IpAddr) -> ApiResult<Option<CheckedVatId>> {
    match given.map(str::trim).filter(|given| !given.is_empty()) {
        Some(given) => Ok(Some(vat_ids.check(given, client).await?)),
        None => Ok(None),
    }
}

async fn read_back(checkout: &Checkout, customer: Customer, order_id: i64) -> ApiResult<Box<OrderResource>> {
    let db = &checkout.payments.db;
    let order = find_own_order(db, &checkout.money, customer.id, order_id).await?;
    let mut order = order.ok_or_else(ApiError::not_found)?;
    tell_instructions(&checkout.payments.gateways, [&mut order]);
    tell_rights(db, &checkout.prices.config, [&mut order]).await?;
    Ok(Box::new(order))
}
