//! PayPal: customers agree to an order on PayPal's page, and the shop takes the money.
//!
//! Only we take it, so an order that was not captured brings none, and needs no cancelling at PayPal, which has no way to.

mod amount;
mod answers;
mod api;
mod callback;
mod saved;
mod transactions;

use http::Method;
use serde_json::value::{RawValue, to_raw_value};
use serde_json::{Value, json};

use stoa_kernel::clock::Clock;
use stoa_kernel::config::{MIN_KEY, PaypalConfig};
use stoa_kernel::gateways::{
    AttemptReport, AttemptRequest, AttemptStatus, Callback, CallbackError, ExaminedProvider, Gateway, GatewayError,
    Notification, RefundReport, RefundRequest, StartedAttempt,
};
use stoa_kernel::i18n::{Language, Message};
use stoa_kernel::money::Money;
use stoa_kernel::outbound::HttpClient;
use stoa_kernel::secret::Secret;
use stoa_kernel::text;

use super::exchange::{Failure, is_reached, not_understood, path_segment};
use super::usable_key;
use amount::Amount;
use answers::{Order, OrderStatus, Refund, refund_name};
use api::{Api, Call};

/// Most characters of the shop's name on PayPal's page.
const MAX_BRAND: usize = 127;

/// Payments through PayPal.
#[derive(Debug)]
pub(super) struct Paypal {
    api: Api,
    webhook_id: Option<Secret>,
    shop_name: String,
    clock: Clock,
}

impl Paypal {
    /// As it is configured.
    pub(super) fn new(config: &PaypalConfig, shop_name: &str, http: HttpClient, clock: Clock) -> Self {
        let client_id = usable_key(config.client_id.as_ref(), 1);
        let client_secret = usable_key(config.client_secret.as_ref(), MIN_KEY);
        Self {
            api: Api::new(config.api_base.as_str(), client_id, client_secret, http, clock.clone()),
            webhook_id: usable_key(config.webhook_id.as_ref(), 1),
            shop_name: shop_name.to_owned(),
            clock,
        }
    }

    async fn order(&self, id: &str) -> Result<Order, Failure> {
        self.api.get(&format!("/v2/checkout/orders/{}", path_segment(id)?)).await
    }

    /// Makes an order, once for each request id.
    async fn new_order(&self, request_id: &str, order: &Value) -> Result<Order, Failure> {
        let call = Call {
            method: Method::POST,
            path: "/v2/checkout/orders",
            request_id: Some(request_id),
            body: Some(body(order)?),
        };
        self.api.call(&call).await
    }

    /// Takes the money of an order that the customer has agreed to.
    async fn capture(&self, order: &Order) -> Result<AttemptReport, GatewayError> {
        let path = format!("/v2/checkout/orders/{}/capture", path_segment(&order.id)?);
        // A customer whose card was declined may agree anew; that is another request then.
        let moment = order.update_time.as_deref().unwrap_or_default();
        let request_id = format!("capture-{}-{moment}", order.id);
        let call =
            Call { method: Method::POST, path: &path, request_id: Some(&request_id), body: Some(body(&json!({}))?) };
        match self.api.call::<Order>(&call).await {
            Ok(captured) => captured.report().ok_or_else(not_understood),
            Err(failure) if failure.is("ORDER_ALREADY_CAPTURED") => {
                self.order(&order.id).await?.report().ok_or_else(not_understood)
            }
            Err(Failure::Refused { code, words, .. }) if is_up_to_the_customer(&code) => {
                let pending = AttemptReport::of(AttemptStatus::Pending);
                Ok(AttemptReport { detail: Some(words), ..pending })
            }
            Err(failure) => Err(failure.into()),
        }
    }
}

impl Gateway for Paypal {
    const ID: &'static str = "paypal";

    fn label(&self) -> Message {
        text!("gateway-paypal")
    }

    fn icon(&self) -> Option<&'static str> {
        Some("paypal")
    }

    fn accepts(&self, amount: Money) -> bool {
        amount::accepts(amount)
    }

    async fn start(&self, request: &AttemptRequest) -> Result<StartedAttempt, GatewayError> {
        let amount = Amount::of(request.amount).ok_or_else(|| unspeakable(request.amount))?;
        let brand_name = self.shop_name.chars().take(MAX_BRAND).collect::<String>();
        let order = json!({
            "intent": "CAPTURE",
            "purchase_units": [{
                "custom_id": request.reference,
                "description": request.order_number,
                "amount": amount,
            }],
            "payment_source": {"paypal": {"experience_context": {
                "brand_name": brand_name,
                "locale": locale(request.language),
                "user_action": "PAY_NOW",
                // The shop has asked for the address already.
                "shipping_preference": "NO_SHIPPING",
                "return_url": request.return_url,
                "cancel_url": request.cancel_url,
            }}},
        });
        let order = if request.save_method {
            self.order_and_save(request, &order).await?
        } else {
            self.new_order(&request.reference.to_string(), &order).await?
        };
        Ok(StartedAttempt {
            redirect_url: order.approve_url(),
            expires_at: None,
            report: order.report().ok_or_else(not_understood)?,
            gateway_attempt_id: Some(order.id),
        })
    }

    async fn look_up(&self, gateway_attempt_id: &str) -> Result<AttemptReport, GatewayError> {
        match self.order(gateway_attempt_id).await {
            Ok(order) if order.status == OrderStatus::Approved => self.capture(&order).await,
            Ok(order) => order.report().ok_or_else(not_understood),
            // PayPal forgets orders that nobody has agreed to after some hours.
            Err(failure) if failure.is("INVALID_RESOURCE_ID") => Ok(AttemptReport::of(AttemptStatus::Expired)),
            Err(failure) => Err(failure.into()),
        }
    }

    async fn cancel(&self, gateway_attempt_id: &str) -> Result<AttemptReport, GatewayError> {
        let report = match self.order(gateway_attempt_id).await {
            Ok(order) => order.report().ok_or_else(not_understood)?,
            Err(failure) if failure.is("INVALID_RESOURCE_ID") => AttemptReport::of(AttemptStatus::Expired),
            Err(failure) => return Err(failure.into()),
        };
        Ok(match report.status {
            AttemptStatus::Pending | AttemptStatus::Expired => {
                AttemptReport { status: AttemptStatus::Cancelled, ..report }
            }
            AttemptStatus::Processing | AttemptStatus::Succeeded | AttemptStatus::Failed | AttemptStatus::Cancelled => {
                report
            }
        })
    }

    async fn refund(&self, request: &RefundRequest) -> Result<RefundReport, GatewayError> {
        if let Some(id) = &request.refund_id {
            let path = format!("/v2/payments/refunds/{}", path_segment(id)?);
            return self.api.get::<Refund>(&path).await?.report().ok_or_else(not_understood);
        }
        let amount = Amount::of(request.amount).ok_or_else(|| unspeakable(request.amount))?;
        // PayPal knows a repeated request for some weeks only; the order shows what was made before that.
        let order = self.order(&request.gateway_attempt_id).await?;
        if let Some(made) = order.refund(request.reference) {
            return made.report().ok_or_else(not_understood);
        }
        let nothing_paid = || GatewayError::Refused(String::from("nothing was paid with this order"));
        let captured = order.capture().map(|capture| capture.id.as_str());
        let capture = request.payment_id.as_deref().or(captured).ok_or_else(nothing_paid)?;
        let refund = json!({
            "amount": amount,
            "custom_id": refund_name(request.reference),
            "note_to_payer": request.order_number,
        });
        let path = format!("/v2/payments/captures/{}/refund", path_segment(capture)?);
        let request_id = request.reference.to_string();
        let call =
            Call { method: Method::POST, path: &path, request_id: Some(&request_id), body: Some(body(&refund)?) };
        self.api.call::<Refund>(&call).await?.report().ok_or_else(not_understood)
    }

    fn saves_methods(&self) -> bool {
        true
    }

    async fn saved_method(&self, gateway_attempt_id: &str) -> Result<Option<String>, GatewayError> {
        self.method_of(gateway_attempt_id).await
    }

    async fn charge_saved(&self, request: &AttemptRequest, method: &str) -> Result<StartedAttempt, GatewayError> {
        self.charge(request, method).await
    }

    async fn examine(&self) -> Option<ExaminedProvider> {
        let answer = is_reached(self.api.log_in().await);
        Some(ExaminedProvider { place: self.api.base().to_owned(), key: "payments.paypal.client_secret", answer })
    }

    fn has_callbacks(&self) -> bool {
        true
    }

    async fn verify(&self, callback: &Callback<'_>) -> Result<Notification, CallbackError> {
        let nothing = || CallbackError::Unverified(String::from("there is no webhook to verify with"));
        let webhook_id = self.webhook_id.as_ref().ok_or_else(nothing)?;
        callback::verify(callback.headers, callback.body, webhook_id.expose(), &self.api).await?;
        callback::read(callback.body)
    }
}

/// Whether the customer can still pay the same order, with another card for example.
fn is_up_to_the_customer(issue: &str) -> bool {
    matches!(issue, "ORDER_NOT_APPROVED" | "INSTRUMENT_DECLINED" | "PAYER_ACTION_REQUIRED")
}

/// The language of PayPal's pages.
fn locale(language: Language) -> &'static str {
    match language {
        Language::DE => "de-DE",
        Language::NL => "nl-NL",
        _ => "en-GB",
    }
}

fn body(value: &Value) -> Result<Box<RawValue>, Failure> {
    to_raw_value(value).map_err(|_| Failure::Unknown(String::from("the request cannot be written")))
}

fn unspeakable(amount: Money) -> GatewayError {
    GatewayError::Refused(format!("{amount} is no amount that PayPal takes"))
}
