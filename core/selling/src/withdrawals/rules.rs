//! The rule tables of declarations.

use serde::{Deserialize, Serialize};

use stoa_kernel::http::extract::Input;
use stoa_kernel::http::rules::{Field, Rules, field};

use super::declare::DeclaredLine;
use crate::idempotency::key_field;

/// The field.
pub(super) const ORDER_ID: &str = "order_id";

/// The field.
pub(super) const LINES: &str = "lines";

/// Most lines of a declaration.
const MAX_LINES: usize = 500;

/// Most characters of what a customer writes.
const MAX_STATEMENT: usize = 2000;

/// A line of a declaration.
#[derive(Debug, Clone, Copy, Serialize, Deserialize)]
pub(super) struct LineRequest {
    item_id: i64,
    quantity: i64,
}

impl LineRequest {
    fn rules() -> Rules {
        Rules::new([
            field("item_id").required().integer(1, i64::MAX).describe("An item of the order."),
            field("quantity").required().integer(1, i64::MAX).describe("Units of it."),
        ])
    }
}

impl From<LineRequest> for DeclaredLine {
    fn from(line: LineRequest) -> Self {
        Self { item_id: line.item_id, quantity: line.quantity }
    }
}

fn lines_field() -> Field {
    let line = field("").required().object(LineRequest::rules()).named("WithdrawalLineRequest");
    field(LINES)
        .nullable()
        .array(line, MAX_LINES)
        .describe("What is withdrawn; everything that can be unless it is given.")
}

fn statement_field() -> Field {
    field("statement")
        .nullable()
        .multiline()
        .max(MAX_STATEMENT)
        .describe("Anything the customer wants to say; no reason is needed.")
}

/// The body of `POST /withdrawals`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct WithdrawalRequest {
    pub(super) order_id: i64,
    #[serde(flatten)]
    pub(super) what: WhatRequest,
}

impl Input for WithdrawalRequest {
    const NAME: &'static str = "WithdrawalRequest";

    fn rules() -> Rules {
        let order = field(ORDER_ID).required().integer(1, i64::MAX).describe("The id of an own order.");
        Rules::new([order, lines_field(), statement_field(), key_field()])
    }
}

/// The body of `POST /guest-orders/{number}/withdrawals`.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct WhatRequest {
    pub(super) lines: Option<Vec<LineRequest>>,
    pub(super) statement: Option<String>,
    #[serde(skip_serializing)]
    pub(super) idempotency_key: Option<String>,
}

impl Input for WhatRequest {
    const NAME: &'static str = "GuestWithdrawalRequest";

    fn rules() -> Rules {
        Rules::new([lines_field(), statement_field(), key_field()])
    }
}

/// The body of `POST /withdrawal-requests`.
#[derive(Debug, Clone, Deserialize)]
pub(super) struct WithdrawalByMailRequest {
    pub(super) order_number: String,
    pub(super) email: String,
    pub(super) statement: Option<String>,
}

impl Input for WithdrawalByMailRequest {
    const NAME: &'static str = "WithdrawalByMailRequest";

    fn rules() -> Rules {
        Rules::new([
            field("order_number").required().max(40).describe("The number of an order, such as `O-000042`."),
            field("email").required().email().max(255).describe("The e-mail address that the order was placed with."),
            statement_field(),
        ])
    }
}
