//! Which cart a request means.

use stoa_kernel::db::{DbError, Query, Tx};
use stoa_kernel::http::extract::Customer;

use super::queries;
use super::token::{CartToken, PresentedCart};

/// A cart's row.
#[derive(Debug, Clone, Copy, PartialEq, Eq, sqlx::FromRow)]
pub struct CartRow {
    /// The cart's id.
    pub id: i64,
    /// Whose own cart it is; none for a guest's.
    pub customer_id: Option<i64>,
    /// How many orders were placed from it, and one.
    pub filling: i64,
}

/// The cart that a request about checkout means (contract 2.2): the one that `X-Cart-Token` names, if it is a guest's, else
/// the customer's own. Nothing is merged.
#[derive(Debug, Clone)]
pub struct CartChoice {
    guest: Option<CartToken>,
    customer_id: Option<i64>,
}

impl CartChoice {
    /// A guest's cart, by its token.
    pub(super) fn of_guest(token: CartToken) -> Self {
        Self { guest: Some(token), customer_id: None }
    }

    /// A customer's own cart.
    pub(super) fn of_customer(customer_id: i64) -> Self {
        Self { guest: None, customer_id: Some(customer_id) }
    }

    /// The choice of this customer, or of a guest.
    pub fn new(presented: PresentedCart, customer: Option<Customer>) -> Self {
        Self { guest: presented.0, customer_id: customer.map(|customer| customer.id) }
    }

    /// Who asks; none for a guest.
    pub(super) fn customer_id(&self) -> Option<i64> {
        self.customer_id
    }

    /// Binds who is meant: the handle of a guest's cart and the customer.
    pub(super) fn bind<'c>(&self, find: Query<'c>) -> Query<'c> {
        find.bind(self.guest.as_ref().map(CartToken::handle)).bind(self.customer_id)
    }
}

/// Takes the cart to place an order from it: everybody else waits who changes, merges or places it, and what is put into it
/// after the commit is another filling. None when it is gone. A rollback undoes it.
pub async fn take_cart(tx: &mut Tx, choice: &CartChoice) -> Result<Option<CartRow>, DbError> {
    let now = tx.now();
    choice.bind(tx.run(queries::TAKE)).bind(now).optional().await
}
