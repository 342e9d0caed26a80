//! `POST /orders/{order}/pay`.

use std::sync::Arc;

use chrono::{DateTime, Utc};
use schemars::JsonSchema;
use serde::Serialize;
use serde_json::{Value, json, to_value};

use stoa_kernel::auth::LimitClass;
use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::gateways::{AttemptStatus, GatewayTable};
use stoa_kernel::http::answer::Data;
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Body, Customer, Id, Name, Uses};
use stoa_kernel::http::table::{Routes, routes};
use stoa_kernel::money::MoneyFormatter;
use stoa_kernel::order_link::{OrderKey, OrderLinks};

use super::pay::pay;
use super::records::{Attempt, find_payment};
use super::rules::PayRequest;
use super::status::PaymentStatus;
use crate::idempotency::{HeaderKey, IdempotencyKey};
use crate::orders::{OrderNumber, find_linked_order};
use crate::payments::Payments;

/// An attempt to pay.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "PaymentAttempt")]
struct AttemptResource {
    /// The attempt's id.
    attempt_id: i64,
    /// The gateway.
    gateway: String,
    /// How far it has come.
    status: AttemptStatus,
    /// Where the customer pays; null when there is no page to go to.
    redirect_url: Option<String>,
    /// What the customer is to do when there is no page to go to.
    instructions: Option<String>,
    /// What is to be paid, in minor units.
    amount: i64,
    /// ISO 4217 code.
    currency: String,
    /// The status of the order's payment.
    payment_status: Option<PaymentStatus>,
    /// When the attempt ends by itself.
    expires_at: Option<DateTime<Utc>>,
}

pub(super) fn payment_routes() -> Routes<()> {
    routes()
        .post("orders.pay", "/orders/{order}/pay", start)
        .summary("Pay an own order")
        .path_parameter("The id of an own order, not its number.", "42")
        .description(
            "Begins an attempt to pay and tells where the customer pays. Asking again goes on with an attempt that is \
             still open if gateway and URLs are the same; otherwise that one is ended first, so that never two can be \
             paid. Both URLs lead to the shop itself or to one of the websites that it allows. 409 has the reasons `already_paid`, `order_cancelled`, `payment_processing` and \
             `idempotency_key_reused`.",
        )
        .body_example(|| {
            json!({"gateway": "stripe", "return_url": "https://shop.example/thanks",
                   "cancel_url": "https://shop.example/cart"})
        })
        .example(|| json!({"data": example()}))
        .fails_with(&[409, 422])
        .ability("orders.pay")
        .limited(LimitClass::Checkout)
        .post("guest-orders.pay", "/guest-orders/{number}/pay", start_by_key)
        .summary("Pay an order by the key of its link")
        .path_parameter("The number of an order.", "O-000042")
        .description(
            "As `POST /orders/{order}/pay`, without a login. A key that does not open the order is answered like an order that does \
             not exist.",
        )
        .body_example(|| {
            json!({"gateway": "stripe", "return_url": "https://shop.example/thanks",
                   "cancel_url": "https://shop.example/cart"})
        })
        .example(|| json!({"data": example()}))
        .fails_with(&[404, 409, 422])
        .public(LimitClass::Checkout)
}

/// An attempt as the document shows it.
fn example() -> Value {
    json!({"attempt_id": 9, "gateway": "stripe", "status": "pending",
           "redirect_url": "https://checkout.stripe.com/c/pay/cs_123", "instructions": null,
           "amount": 4495, "currency": "EUR", "payment_status": "pending", "expires_at": "2026-03-01T10:30:00Z"})
}

async fn start(
    customer: Customer,
    Uses((money, payments)): Uses<(Arc<MoneyFormatter>, Payments)>,
    Id(order_id): Id,
    header: HeaderKey,
    Body(request): Body<PayRequest>,
) -> ApiResult<Data<AttemptResource>> {
    begin(&payments, &money, customer.id, order_id, header, request).await
}

async fn start_by_key(
    Name(number): Name,
    key: OrderKey,
    Uses((money, payments, links)): Uses<(Arc<MoneyFormatter>, Payments, OrderLinks)>,
    header: HeaderKey,
    Body(request): Body<PayRequest>,
) -> ApiResult<Data<AttemptResource>> {
    let found = find_linked_order(&payments.db, &money, &links, &number, key).await?;
    let found = found.ok_or_else(ApiError::not_found)?;
    begin(&payments, &money, found.customer_id, found.order.id, header, request).await
}

async fn begin(
    payments: &Payments,
    money: &MoneyFormatter,
    customer_id: i64,
    order_id: i64,
    header: HeaderKey,
    request: PayRequest,
) -> ApiResult<Data<AttemptResource>> {
    let asked = json!({"order": order_id, "body": to_value(&request).map_err(ApiError::internal)?});
    let key = IdempotencyKey::of(request.idempotency_key.clone(), header, &asked)?;
    let attempt = pay(payments, customer_id, order_id, &request, key.as_ref()).await?;
    let payment = find_payment(&payments.db, order_id).await?;
    Ok(Data(AttemptResource::of(attempt, payment.map(|payment| payment.status), &payments.gateways, money)))
}

impl AttemptResource {
    fn of(
        attempt: Attempt,
        payment_status: Option<PaymentStatus>,
        gateways: &GatewayTable,
        money: &MoneyFormatter,
    ) -> Self {
        let number = OrderNumber::of(attempt.order_id).to_string();
        let gateway = gateways.find(&attempt.gateway).filter(|_| attempt.status.is_open());
        let amount = money.format_in(attempt.amount, &attempt.currency);
        let instructions = gateway.and_then(|gateway| gateway.instructions(&number, &amount));
        Self {
            attempt_id: attempt.id,
            gateway: attempt.gateway,
            status: attempt.status,
            redirect_url: attempt.redirect_url,
            instructions,
            amount: attempt.amount,
            currency: attempt.currency,
            payment_status,
            expires_at: attempt.expires_at,
        }
    }
}
