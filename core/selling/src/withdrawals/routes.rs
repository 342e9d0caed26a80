//! `/withdrawals`: the customer's own withdrawals, and those by the key of an order's link.

use std::sync::Arc;

use axum::response::{IntoResponse, Response};
use serde_json::{Value, json, to_value};

use stoa_kernel::auth::LimitClass;
use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::db::{Db, ListDb, Reader};
use stoa_kernel::http::answer::{Created, Data};
use stoa_kernel::http::error::{ApiError, ApiResult, FieldProblem, FieldProblems};
use stoa_kernel::http::extract::{Body, Customer, Id, Name, Uses};
use stoa_kernel::http::page::{PageRequest, Paged, example_page};
use stoa_kernel::http::shape::DescribesAnswer;
use stoa_kernel::http::table::{Operation, Routes, routes};
use stoa_kernel::i18n::{Message, Violation};
use stoa_kernel::money::MoneyFormatter;
use stoa_kernel::order_link::OrderKey;
use stoa_kernel::record_number::OrderNumber;
use stoa_kernel::text;

use super::declare::{Declaration, Declarations, DeclareError, DeclaredLine, declare};
use super::model::WithdrawalResource;
use super::number::WithdrawalNumber;
use super::read::{find_withdrawal, page_of_withdrawals};
use super::rules::{LINES, ORDER_ID, WhatRequest, WithdrawalRequest};
use crate::idempotency::{self, HeaderKey, IdempotencyKey, KeyResult};
use crate::orders::{OrderLinks, find_linked_order};

/// What idempotency keys are kept under.
const ROUTE: &str = "withdrawals.store";

/// The same for declarations by the key of a link.
const LINKED_ROUTE: &str = "guest-orders.withdraw";

pub(super) fn withdrawal_routes() -> Routes<()> {
    routes()
        .get("withdrawals.index", "/withdrawals", index)
        .summary("List own withdrawals")
        .description("The newest first, 20 on a page.")
        .example(|| example_page("/withdrawals", &example()))
        .ability("orders.read")
        .get("withdrawals.show", "/withdrawals/{withdrawal}", show)
        .summary("Read an own withdrawal")
        .path_parameter("The id of an own withdrawal, not its number.", "7")
        .example(|| json!({"data": example()}))
        .ability("orders.read")
        .post("withdrawals.store", "/withdrawals", create)
        .summary("Withdraw from an own order, or from a part of it")
        .description(
            "What can be withdrawn stands in `withdrawal` of the order. A declaration that comes late is taken as well, and says so. \
             The customer gets a receipt by mail at once. A request that is repeated with its idempotency key is answered with 200 \
             and the same withdrawal.",
        )
        .body_example(|| json!({"order_id": 42, "lines": [{"item_id": 77, "quantity": 1}], "statement": "It is too large."}))
        .example(|| json!({"data": example()}))
        .fails_with(&[409, 422])
        .ability("orders.create")
        .post("guest-orders.withdraw", "/guest-orders/{number}/withdrawals", create_by_key)
        .summary("Withdraw from an order by the key of its link")
        .path_parameter("The number of an order.", "O-000042")
        .description(
            "Without a login, for 90 days after the mail with the link. A key that does not open the order is answered like an \
             order that does not exist.",
        )
        .body_example(|| json!({"lines": [{"item_id": 77, "quantity": 1}]}))
        .example(|| json!({"data": example()}))
        .fails_with(&[404, 409, 422])
        .public(LimitClass::Checkout)
}

/// A withdrawal as the document shows it.
fn example() -> Value {
    json!({
        "id": 7, "number": "W-000007", "order_id": 42, "order_number": "O-000042", "status": "declared",
        "lines": [{"item_id": 77, "quantity": 1, "label": "Desk lamp"}], "excluded": [], "statement": "It is too large.",
        "declared_at": "2026-03-10T09:00:00Z", "deadline": "2026-03-16T23:59:59Z", "within_period": true,
        "refusal_reason": null,
    })
}

/// A new withdrawal with 201, or the one that the key has declared before with 200.
enum DeclaredAnswer {
    New(Box<WithdrawalResource>),
    Before(Box<WithdrawalResource>),
}

impl IntoResponse for DeclaredAnswer {
    fn into_response(self) -> Response {
        match self {
            Self::New(withdrawal) => Created(Data(*withdrawal)).into_response(),
            Self::Before(withdrawal) => Data(*withdrawal).into_response(),
        }
    }
}

impl DescribesAnswer for DeclaredAnswer {
    fn answers(operation: &mut Operation) {
        Created::<Data<WithdrawalResource>>::answers(operation);
        operation.also.push((200, "The withdrawal that the same idempotency key has declared before"));
    }
}

async fn index(customer: Customer, db: ListDb, page: PageRequest) -> ApiResult<Paged<WithdrawalResource>> {
    let (withdrawals, total) = page_of_withdrawals(&db, customer.id, page.limit(), page.offset()).await?;
    Ok(page.answer(withdrawals, total))
}

async fn show(customer: Customer, db: ListDb, Id(id): Id) -> ApiResult<Data<WithdrawalResource>> {
    let found = find_withdrawal(&mut Reader::from(&*db), WithdrawalNumber::of(id)).await?;
    let own = found.filter(|record| record.customer_id == customer.id).ok_or_else(ApiError::not_found)?;
    Ok(Data(own.withdrawal))
}

async fn create(
    customer: Customer,
    Uses((db, declarations)): Uses<(Db, Declarations)>,
    header: HeaderKey,
    Body(request): Body<WithdrawalRequest>,
) -> ApiResult<DeclaredAnswer> {
    let asked = to_value(&request).map_err(ApiError::internal)?;
    let key = IdempotencyKey::of(request.what.idempotency_key.clone(), header, &asked)?;
    let new = declaration(request.order_id, Some(customer.id), request.what);
    write(&db, &declarations, customer.id, ROUTE, key.as_ref(), &new, ORDER_ID).await
}

async fn create_by_key(
    Name(number): Name,
    key_of_link: OrderKey,
    Uses((db, money, links, declarations)): Uses<(Db, Arc<MoneyFormatter>, OrderLinks, Declarations)>,
    header: HeaderKey,
    Body(request): Body<WhatRequest>,
) -> ApiResult<DeclaredAnswer> {
    let found = find_linked_order(&db, &money, &links, &number, key_of_link).await?;
    let record = found.ok_or_else(ApiError::not_found)?;
    let order_number = OrderNumber::of(record.order.id).to_string();
    let asked = json!({"order": order_number, "what": to_value(&request).map_err(ApiError::internal)?});
    let key = IdempotencyKey::of(request.idempotency_key.clone(), header, &asked)?;
    let new = declaration(record.order.id, Some(record.customer_id), request);
    write(&db, &declarations, record.customer_id, LINKED_ROUTE, key.as_ref(), &new, LINES).await
}

fn declaration(order_id: i64, customer_id: Option<i64>, what: WhatRequest) -> Declaration {
    let lines = what.lines.map(|lines| lines.into_iter().map(DeclaredLine::from).collect());
    Declaration { order_id, customer_id, lines, statement: what.statement, declared_at: None }
}

/// Declares, once for each key.
async fn write(
    db: &Db,
    declarations: &Declarations,
    customer_id: i64,
    route: &'static str,
    key: Option<&IdempotencyKey>,
    new: &Declaration,
    order_field: &'static str,
) -> ApiResult<DeclaredAnswer> {
    db.write(async |tx| -> ApiResult<DeclaredAnswer> {
        if let Some(key) = key
            && let Some(made) = idempotency::claim(tx, customer_id, route, key).await?
        {
            let id = made.withdrawal_id.ok_or_else(ApiError::not_found)?;
            return Ok(DeclaredAnswer::Before(Box::new(read_back(&mut Reader::from(&mut *tx), id).await?)));
        }
        let id = declare(tx, declarations, new).await.map_err(|error| refused(error, order_field))?;
        if let Some(key) = key {
            let result = KeyResult { order_id: Some(new.order_id), attempt_id: None, withdrawal_id: Some(id) };
            idempotency::store_result(tx, customer_id, route, key, result).await?;
        }
        Ok(DeclaredAnswer::New(Box::new(read_back(&mut Reader::from(&mut *tx), id).await?)))
    })
    .await
}

async fn read_back(reader: &mut Reader<'_>, id: i64) -> ApiResult<WithdrawalResource> {
    let found = find_withdrawal(reader, WithdrawalNumber::of(id)).await?;
    Ok(found.ok_or_else(ApiError::not_found)?.withdrawal)
}

/// What is wrong with a declaration, field by field.
fn refused(error: DeclareError, order_field: &'static str) -> ApiError {
    let on = |field: String, message: Message| {
        ApiError::validation(FieldProblems::from([(field, vec![FieldProblem::Message(message)])]))
    };
    match error {
        DeclareError::NotFound => on(order_field.to_owned(), Violation::UnknownId.on(order_field)),
        DeclareError::NoLines => on(LINES.to_owned(), Violation::MinItems { min: 1 }.on(LINES)),
        DeclareError::UnknownItem { line, item_id } => {
            on(format!("{LINES}.{line}.item_id"), text!("withdrawal-unknown-item", item = item_id))
        }
        DeclareError::Repeated { line, item_id } => {
            on(format!("{LINES}.{line}.item_id"), text!("withdrawal-repeated-item", item = item_id))
        }
        DeclareError::TooMany { line, label, left } => {
            on(format!("{LINES}.{line}.quantity"), text!("withdrawal-too-many", label = label, left = left))
        }
        DeclareError::Already => on(order_field.to_owned(), text!("withdrawal-already")),
        DeclareError::NothingLeft => on(order_field.to_owned(), text!("withdrawal-nothing-left")),
        DeclareError::Db(error) => error.into(),
    }
}
