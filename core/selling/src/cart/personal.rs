//! The own cart of a customer who is anonymized or exported, or of a guest who goes on as somebody else.

use chrono::{DateTime, Utc};
use serde::Serialize;
use sqlx::types::Json;

use stoa_customers::customers::{CustomerAnonymizing, CustomerExporting};
use stoa_customers::guests::GuestLeftBehind;
use stoa_kernel::db::{Db, Tx};
use stoa_kernel::events::{InTransaction, ListenerError, Preflight};

use super::selections::Selections;
use super::store::{erase_own_cart, kept_lines, take_cart_along};

/// Erases the cart of whoever is anonymized.
pub(super) struct EraseCart;

impl InTransaction<CustomerAnonymizing> for EraseCart {
    async fn in_transaction(&self, event: &CustomerAnonymizing, tx: &mut Tx) -> Result<(), ListenerError> {
        Ok(erase_own_cart(tx, event.customer_id).await?)
    }
}

/// Has a guest who logs in or registers keep the cart.
pub(super) struct TakeCartAlong;

impl InTransaction<GuestLeftBehind> for TakeCartAlong {
    async fn in_transaction(&self, event: &GuestLeftBehind, tx: &mut Tx) -> Result<(), ListenerError> {
        Ok(take_cart_along(tx, event.guest_id, event.customer_id).await?)
    }
}

/// Adds the part `cart` to an export: its lines, without prices, which the shop does not keep.
pub(super) struct ExportCart;

impl Preflight<CustomerExporting> for ExportCart {
    async fn preflight(&self, event: &mut CustomerExporting, db: &Db) -> Result<(), ListenerError> {
        let lines = kept_lines::<KeptLine>(db, event.customer_id).await?;
        event.add("cart", &lines)
    }
}

/// A line as it is kept.
#[derive(Serialize, sqlx::FromRow)]
struct KeptLine {
    product_id: i64,
    slug: String,
    label: String,
    quantity: i64,
    selections: Json<Selections>,
    created_at: DateTime<Utc>,
}
