//! Reading and writing saved addresses.
//!
//! Every transaction that writes addresses of a customer locks the customer's row first. So they run one after another,
//! in whatever order they came; the unique indexes on the default flags are only the net below.

use serde_json::{Map, Value};
use sqlx::types::Json;

use stoa_kernel::db::{Db, DbError, Query, Tx};

use super::defaults::make_way;
use super::model::{Address, AddressDraft, AddressResource};
use super::queries;

/// Most addresses that a customer can save, so that no client fills the database.
pub const MAX_ADDRESSES: u32 = 100;

/// Why an address was not saved.
#[derive(Debug, thiserror::Error)]
pub enum CreateAddressError {
    /// The customer has [`MAX_ADDRESSES`] already.
    #[error("the customer has {MAX_ADDRESSES} addresses already")]
    TooMany,
    /// There is no such customer, or none any more.
    #[error("there is no such customer")]
    NoCustomer,
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// The customer's saved addresses, the newest first (S2.4 rule 2).
pub async fn list_addresses(db: &Db, customer_id: i64) -> Result<Vec<Address>, DbError> {
    db.read(queries::LIST).bind(customer_id).all().await
}

/// One of the customer's saved addresses; another's is none (S4.4 rule 1).
pub async fn find_address(db: &Db, customer_id: i64, address_id: i64) -> Result<Option<Address>, DbError> {
    db.read(queries::FIND).bind(customer_id).bind(address_id).optional().await
}

#[derive(sqlx::FromRow)]
struct CustomerProperties {
    name: String,
    properties: Json<Map<String, Value>>,
}

/// What stands in for saved addresses while there are none (S2.4 rule 1).
pub(super) async fn rebuild_address(db: &Db, customer_id: i64) -> Result<Option<AddressResource>, DbError> {
    let found = db.read(queries::FIND_PROPERTIES).bind(customer_id).optional::<CustomerProperties>().await?;
    Ok(found.and_then(|customer| AddressResource::rebuilt(customer.name, &customer.properties)))
}

/// Saves a new address.
pub async fn create_address(db: &Db, customer_id: i64, draft: &AddressDraft) -> Result<Address, CreateAddressError> {
    db.write(async |tx| -> Result<Address, CreateAddressError> {
        lock_customer(tx, customer_id).await?;
        let saved = tx.run(queries::COUNT).bind(customer_id).optional_scalar::<i64>().await?;
        let saved = saved.ok_or(CreateAddressError::NoCustomer)?;
        if saved >= i64::from(MAX_ADDRESSES) {
            return Err(CreateAddressError::TooMany);
        }
        make_way(tx, customer_id, draft).await?;
        let now = tx.now();
        Ok(bind(tx.run(queries::INSERT), customer_id, draft).bind(now).one().await?)
    })
    .await
}

/// Puts a draft in the place of one of the customer's saved addresses; none when there is no such address.
pub async fn update_address(
    db: &Db,
    customer_id: i64,
    address_id: i64,
    draft: &AddressDraft,
) -> Result<Option<Address>, DbError> {
    db.write(async |tx| {
        lock_customer(tx, customer_id).await?;
        // Asked first: an address that is not there must not take the flags from others.
        let found = tx.run(queries::FIND).bind(customer_id).bind(address_id).optional::<Address>().await?;
        if found.is_none() {
            return Ok(None);
        }
        make_way(tx, customer_id, draft).await?;
        let now = tx.now();
        bind(tx.run(queries::UPDATE), customer_id, draft).bind(now).bind(address_id).optional().await
    })
    .await
}

/// Deletes one of the customer's saved addresses, and tells whether there was one.
pub async fn delete_address(db: &Db, customer_id: i64, address_id: i64) -> Result<bool, DbError> {
    db.write(async |tx| {
        lock_customer(tx, customer_id).await?;
        let deleted = tx.run(queries::DELETE).bind(customer_id).bind(address_id).execute().await?;
        Ok(deleted > 0)
    })
    .await
}

/// Deletes all that is known of a customer's addresses, saved ones and the customer's properties; for erasure.
pub async fn erase_addresses(tx: &mut Tx, customer_id: i64) -> Result<(), DbError> {
    lock_customer(tx, customer_id).await?;
    let now = tx.now();
    tx.run(queries::DELETE_ALL).bind(customer_id).execute().await?;
    tx.run(queries::EMPTY_PROPERTIES).bind(customer_id).bind(now).execute().await.map(drop)
}

async fn lock_customer(tx: &mut Tx, customer_id: i64) -> Result<(), DbError> {
    tx.run(queries::LOCK_CUSTOMER).bind(customer_id).optional_scalar::<i64>().await.map(drop)
}

/// Binds what creating and changing have in common: `$1` to `$13`.
fn bind<'c>(query: Query<'c>, customer_id: i64, draft: &AddressDraft) -> Query<'c> {
    let AddressDraft { label, postal, is_default_billing, is_default_shipping } = draft;
    query
        .bind(customer_id)
        .bind(label.as_deref())
        .bind(postal.name.as_str())
        .bind(postal.company.as_deref())
        .bind(postal.line1.as_str())
        .bind(postal.line2.as_deref())
        .bind(postal.city.as_str())
        .bind(postal.postal_code.as_str())
        .bind(postal.region.as_deref())
        .bind(postal.country.as_str())
        .bind(postal.phone.as_deref())
        .bind(*is_default_billing)
        .bind(*is_default_shipping)
}
