//! What gateways are asked for in these tests.

use stoa_core::gateways::{AttemptRequest, RefundRequest};
use stoa_core::i18n::Language;
use stoa_core::money::{Currency, Money};
use stoa_core::testing::TestShop;
use uuid::Uuid;

/// An amount in euros, in cents.
pub(crate) fn euros(cents: i64) -> Money {
    Money::new(cents, Currency::EUR)
}

/// An amount in a currency's minor units.
pub(crate) fn money(amount: i64, code: &str) -> Money {
    Money::new(amount, Currency::from_code(code).expect("a currency"))
}

/// A reference that differs by its number.
pub(crate) fn reference(number: u128) -> Uuid {
    Uuid::from_u128(0x0192_0000_0000_7000_8000_0000_0000_0000 + number)
}

/// The attempt to pay 19.99 EUR for the order O-000007, which ends in a day.
pub(crate) fn attempt(shop: &TestShop, number: u128) -> AttemptRequest {
    AttemptRequest {
        reference: reference(number),
        order_number: String::from("O-000007"),
        amount: euros(1_999),
        return_url: String::from("https://front.test/thanks?order=7"),
        cancel_url: String::from("https://front.test/cart"),
        callback_url: String::from("https://shop.test/webhooks/payments/any"),
        customer_email: Some(String::from("ada@example.com")),
        language: Language::NL,
        started_at: shop.now(),
        expires_at: Some(shop.now() + chrono::TimeDelta::days(1)),
        save_method: false,
    }
}

/// A refund of a payment.
pub(crate) fn refund(number: u128, gateway_attempt_id: &str, payment_id: Option<&str>, amount: Money) -> RefundRequest {
    RefundRequest {
        reference: reference(0x1000 + number),
        order_number: String::from("O-000007"),
        gateway_attempt_id: gateway_attempt_id.to_owned(),
        payment_id: payment_id.map(str::to_owned),
        refund_id: None,
        amount,
        reason: String::from("one mug came broken"),
    }
}
