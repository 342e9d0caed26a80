//! Changing carts.
//!
//! Each change begins with an update of the cart's row, which makes every other change of the same cart wait until it is
//! committed. Whoever locks two carts locks the guest's first.

use serde_json::Map;
use sqlx::types::Json;

use stoa_catalog::OptionRecord;
use stoa_kernel::db::{Db, DbError, Tx};
use stoa_kernel::encryption::Cipher;
use stoa_kernel::http::extract::Customer;
use stoa_kernel::random::Random;

use super::accept::accept;
use super::choice::CartChoice;
use super::error::CartError;
use super::lines::{PricedCart, priced_lines, read_priced_lines};
use super::queries;
use super::rules::AddToCart;
use super::token::{CartToken, PresentedCart};
use crate::cart::Prices;

/// Most units of a line (S8).
pub const MAX_QUANTITY: i64 = 99;

/// Most lines of a cart, so that no client fills the database.
pub const MAX_LINES: u32 = 100;

/// Whose cart a request to `/cart` is about.
#[derive(Debug, Clone)]
pub(super) enum Holder {
    /// A guest's, by its token.
    Guest(CartToken),
    /// A customer's own.
    Customer(i64),
}

impl Holder {
    /// Whoever makes the request. What a guest has collected moves into the cart of the customer who brings its token.
    pub(super) async fn of(
        db: &Db,
        random: &Random,
        cipher: &Cipher,
        customer: Option<Customer>,
        presented: PresentedCart,
    ) -> Result<Self, CartError> {
        let Some(customer) = customer else {
            return Ok(Self::Guest(presented.0.unwrap_or_else(|| CartToken::for_guest(random, cipher))));
        };
        if let Some(guest) = presented.0 {
            move_guest_cart(db, cipher, &guest, customer.id).await?;
        }
        Ok(Self::Customer(customer.id))
    }

    /// The customer; none for a guest.
    fn customer_id(&self) -> Option<i64> {
        match self {
            Self::Guest(_) => None,
            Self::Customer(customer_id) => Some(*customer_id),
        }
    }

    /// The token of the cart.
    pub(super) fn token(&self, cipher: &Cipher) -> CartToken {
        match self {
            Self::Guest(token) => token.clone(),
            Self::Customer(customer_id) => CartToken::of_customer(cipher, *customer_id),
        }
    }

    /// Locks the cart for a change, made if need be.
    async fn open(&self, tx: &mut Tx, cipher: &Cipher) -> Result<i64, CartError> {
        match self {
            Self::Guest(token) => {
                let now = tx.now();
                Ok(tx.run(queries::OPEN_GUEST).bind(token.handle()).bind(now).scalar().await?)
            }
            Self::Customer(customer_id) => open_own_cart(tx, cipher, *customer_id).await,
        }
    }

    /// Locks the cart for a change, if there is one.
    async fn touch(&self, tx: &mut Tx) -> Result<Option<i64>, DbError> {
        let now = tx.now();
        let touch = match self {
            Self::Guest(token) => tx.run(queries::TOUCH_GUEST).bind(token.handle()),
            Self::Customer(customer_id) => tx.run(queries::TOUCH_OWN).bind(*customer_id),
        };
        touch.bind(now).optional_scalar().await
    }
}

/// What is in the cart. Writes nothing.
pub(super) async fn read_cart(db: &Db, prices: &Prices, holder: &Holder) -> Result<PricedCart, DbError> {
    let choice = match holder {
        Holder::Guest(token) => CartChoice::of_guest(token.clone()),
        Holder::Customer(customer_id) => CartChoice::of_customer(*customer_id),
    };
    read_priced_lines(&choice, db, prices).await
}

#[derive(sqlx::FromRow)]
struct ProductRow {
    visible: bool,
    capabilities: Json<Vec<String>>,
    options: Json<Vec<OptionRecord>>,
}

/// Adds units of a product. All that happens at the same time counts.
pub(super) async fn add_to_cart(
    db: &Db,
    cipher: &Cipher,
    prices: &Prices,
    holder: &Holder,
    request: &AddToCart,
) -> Result<PricedCart, CartError> {
    let product_id = request.product_id;
    let product = db.read(queries::FIND_PRODUCT).bind(product_id).optional::<ProductRow>().await?;
    let is_provided = |key: &String| prices.capabilities.contains(&key.as_str());
    let product = product
        .filter(|product| product.visible && product.capabilities.iter().all(is_provided))
        .ok_or(CartError::Unavailable)?;
    let given = request.selections.as_ref();
    let selections = accept(&product.options, given.unwrap_or(&Map::new())).map_err(CartError::Selections)?;
    let line_key = selections.line_key(product_id);
    db.write(async |tx| -> Result<PricedCart, CartError> {
        let cart_id = holder.open(tx, cipher).await?;
        let now = tx.now();
        let add = tx.run(queries::ADD_LINE).bind(cart_id).bind(line_key.as_str()).bind(product_id);
        let add =
            add.bind(request.quantity.unwrap_or(1)).bind(Json(&selections)).bind(cart_id).bind(now).bind(MAX_QUANTITY);
        // The product may have been deleted since it was looked at.
        let added = add.execute().await.map_err(|error| match error {
            gone if gone.is_foreign_key_violation() => CartError::Unavailable,
            error => error.into(),
        });
        if added? == 0 {
            return Err(CartError::TooManyUnits);
        }
        let cart = priced_lines(tx, cart_id, holder.customer_id(), prices).await?;
        if cart.lines.len() > MAX_LINES as usize {
            return Err(CartError::TooManyLines);
        }
        if cart.overflow.is_some() { Err(CartError::AmountOverflow) } else { Ok(cart) }
    })
    .await
}

/// Sets how many units a line has; 0 removes it.
pub(super) async fn set_quantity(
    db: &Db,
    prices: &Prices,
    holder: &Holder,
    line_key: &str,
    quantity: i64,
) -> Result<PricedCart, CartError> {
    db.write(async |tx| -> Result<PricedCart, CartError> {
        let cart_id = holder.touch(tx).await?.ok_or(CartError::NoLine)?;
        let find = tx.run(queries::FIND_QUANTITY).bind(cart_id).bind(line_key);
        let before = find.optional_scalar::<i64>().await?.ok_or(CartError::NoLine)?;
        if quantity == 0 {
            tx.run(queries::DELETE_LINE).bind(cart_id).bind(line_key).execute().await?;
        } else {
            tx.run(queries::SET_QUANTITY).bind(cart_id).bind(line_key).bind(quantity).execute().await?;
        }
        let cart = priced_lines(tx, cart_id, holder.customer_id(), prices).await?;
        // Prices may have grown since; whoever takes something out must not be kept from it.
        if cart.overflow.is_some() && quantity > before { Err(CartError::AmountOverflow) } else { Ok(cart) }
    })
    .await
}

/// Moves what a guest has collected into a customer's own cart, all of it or nothing, and uses the guest's cart up.
///
/// Quantities add up and stop at [`MAX_QUANTITY`]; lines beyond [`MAX_LINES`] are left behind.
async fn move_guest_cart(db: &Db, cipher: &Cipher, guest: &CartToken, customer_id: i64) -> Result<(), CartError> {
    if db.read(queries::FIND_FILLED_GUEST).bind(guest.handle()).optional_scalar::<i64>().await?.is_none() {
        return Ok(());
    }
    match move_lines(db, cipher, guest, customer_id).await {
        // A product was deleted meanwhile, and is gone from the guest's cart now.
        Err(CartError::Db(gone)) if gone.is_foreign_key_violation() => move_lines(db, cipher, guest, customer_id).await,
        moved => moved,
    }
}

async fn move_lines(db: &Db, cipher: &Cipher, guest: &CartToken, customer_id: i64) -> Result<(), CartError> {
    let write = db.write(async |tx| -> Result<(), CartError> {
        let now = tx.now();
        let touch = tx.run(queries::TOUCH_GUEST).bind(guest.handle()).bind(now);
        // Another request was first.
        let Some(guest_id) = touch.optional_scalar::<i64>().await? else { return Ok(()) };
        let own_id = open_own_cart(tx, cipher, customer_id).await?;
        Ok(merge_carts(tx, guest_id, own_id).await?)
    });
    write.await
}

/// Moves the lines of one cart into another, which are both locked, and uses the first one up.
async fn merge_carts(tx: &mut Tx, from_id: i64, into_id: i64) -> Result<(), DbError> {
    let now = tx.now();
    tx.run(queries::COPY_LINES).bind(from_id).bind(into_id).bind(now).bind(MAX_QUANTITY).execute().await?;
    tx.run(queries::DELETE_EXCESS).bind(into_id).bind(i64::from(MAX_LINES)).execute().await?;
    tx.run(queries::DELETE_CART).bind(from_id).execute().await.map(drop)
}

/// Moves the own cart of a customer, who was a guest, into that of the customer whom the guest turns out to be.
pub(super) async fn take_cart_along(tx: &mut Tx, guest_id: i64, customer_id: i64) -> Result<(), DbError> {
    let now = tx.now();
    let Some(from_id) = tx.run(queries::TOUCH_OWN).bind(guest_id).bind(now).optional_scalar::<i64>().await? else {
        return Ok(());
    };
    lock_customer(tx, customer_id).await?;
    match tx.run(queries::TOUCH_OWN).bind(customer_id).bind(now).optional_scalar::<i64>().await? {
        Some(own_id) => merge_carts(tx, from_id, own_id).await,
        None => tx.run(queries::CLAIM).bind(guest_id).bind(customer_id).execute().await.map(drop),
    }
}

/// Locks a customer's own cart for a change, made if need be.
async fn open_own_cart(tx: &mut Tx, cipher: &Cipher, customer_id: i64) -> Result<i64, CartError> {
    let now = tx.now();
    if let Some(found) = tx.run(queries::TOUCH_OWN).bind(customer_id).bind(now).optional_scalar().await? {
        return Ok(found);
    }
    lock_customer(tx, customer_id).await?;
    let customer = tx.run(queries::IS_CUSTOMER).bind(customer_id).optional_scalar::<i64>().await?;
    let customer_id = customer.ok_or(CartError::NoCustomer)?;
    let token = CartToken::of_customer(cipher, customer_id);
    Ok(tx.run(queries::OPEN_OWN).bind(token.handle()).bind(customer_id).bind(now).scalar().await?)
}

async fn lock_customer(tx: &mut Tx, customer_id: i64) -> Result<(), DbError> {
    tx.run(queries::LOCK_CUSTOMER).bind(customer_id).execute().await.map(drop)
}

/// Deletes a customer's own cart; for erasure.
pub(super) async fn erase_own_cart(tx: &mut Tx, customer_id: i64) -> Result<(), DbError> {
    lock_customer(tx, customer_id).await?;
    tx.run(queries::DELETE_OWN).bind(customer_id).execute().await.map(drop)
}

/// Empties a cart that was taken and placed. Its token stays usable, for another filling.
pub async fn empty_placed_cart(tx: &mut Tx, cart_id: i64) -> Result<(), DbError> {
    tx.run(queries::DELETE_LINES).bind(cart_id).execute().await.map(drop)
}

/// What the shop keeps in a customer's own cart; for an export.
pub(crate) async fn kept_lines<T: stoa_kernel::db::Record>(db: &Db, customer_id: i64) -> Result<Vec<T>, DbError> {
    db.read(queries::KEPT_LINES).bind(customer_id).all().await
}
