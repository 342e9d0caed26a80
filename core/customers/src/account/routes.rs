//! `GET /me` and `PATCH /me`.

use serde_json::{Value, json};

use stoa_kernel::core_routes::CoreRoutes;
use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::http::answer::Data;
use stoa_kernel::http::error::{ApiError, ApiResult};
use stoa_kernel::http::extract::{Body, CurrentAccount, Customer};
use stoa_kernel::http::table::{Routes, routes};

use super::model::AccountResource;
use super::queries;
use super::rules::AccountRequest;

pub(super) fn account_routes() -> Routes<()> {
    routes()
        .get("account.show", "/me", show)
        .summary("Read the own account")
        .description("The id is that of the customer, which orders and addresses belong to.")
        .example(|| json!({"data": example_account("Ada Buyer")}))
        .ability("account.read")
        .patch("account.update", "/me", update)
        .summary("Change the own name")
        .description("Nothing but the name can be changed; other members are ignored.")
        .body_example(|| json!({"name": "Ada Lovelace"}))
        .example(|| json!({"data": example_account("Ada Lovelace")}))
        .ability("account.update")
}

/// An account, for examples.
pub(crate) fn example_account(name: &str) -> Value {
    json!({"id": 1001, "name": name, "email": "ada@example.com", "email_verified": true, "guest": false})
}

/// A guest, for examples.
pub(crate) fn example_guest(name: &str) -> Value {
    json!({"id": 1002, "name": name, "email": "ada@example.com", "email_verified": false, "guest": true})
}

async fn show(account: CurrentAccount) -> ApiResult<Data<AccountResource>> {
    Ok(Data(AccountResource::from(account)))
}

/// The account of a user, in a running transaction.
pub(crate) async fn account_of_user(tx: &mut Tx, user_id: i64) -> Result<Option<AccountResource>, DbError> {
    tx.run(queries::FIND_BY_USER).bind(user_id).optional().await
}

async fn update(customer: Customer, db: Db, Body(request): Body<AccountRequest>) -> ApiResult<Data<AccountResource>> {
    let account = db
        .write(async |tx| -> ApiResult<AccountResource> {
            let now = tx.now();
            tx.run(queries::RENAME).bind(customer.id).bind(request.name.as_str()).bind(now).execute().await?;
            let account = tx.run(queries::FIND).bind(customer.id).optional().await?;
            account.ok_or_else(ApiError::unauthenticated)
        })
        .await?;
    Ok(Data(account))
}
