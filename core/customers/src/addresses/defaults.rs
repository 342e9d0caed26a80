//! The addresses that are used unless a customer says otherwise (S3.3).

use stoa_kernel::db::{Db, DbError, Sql, Tx};

use super::model::{Address, AddressDraft};
use super::queries;

/// What an address can be the default for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum AddressUse {
    /// Bills.
    Billing,
    /// Parcels.
    Shipping,
}

impl AddressUse {
    const ALL: [Self; 2] = [Self::Billing, Self::Shipping];

    fn find(self) -> Sql {
        match self {
            Self::Billing => queries::FIND_DEFAULT_BILLING,
            Self::Shipping => queries::FIND_DEFAULT_SHIPPING,
        }
    }

    fn clear(self) -> Sql {
        match self {
            Self::Billing => queries::CLEAR_DEFAULT_BILLING,
            Self::Shipping => queries::CLEAR_DEFAULT_SHIPPING,
        }
    }

    /// Whether a draft sets the flag.
    fn is_asked_for(self, draft: &AddressDraft) -> bool {
        match self {
            Self::Billing => draft.is_default_billing == Some(true),
            Self::Shipping => draft.is_default_shipping == Some(true),
        }
    }
}

/// The saved address that a customer has chosen for this use.
pub async fn default_address(db: &Db, customer_id: i64, for_use: AddressUse) -> Result<Option<Address>, DbError> {
    db.read(for_use.find()).bind(customer_id).optional().await
}

/// Takes the flags that a draft sets from whichever of the customer's addresses have them. The customer is locked.
pub(super) async fn make_way(tx: &mut Tx, customer_id: i64, draft: &AddressDraft) -> Result<(), DbError> {
    let now = tx.now();
    for asked in AddressUse::ALL.into_iter().filter(|asked| asked.is_asked_for(draft)) {
        tx.run(asked.clear()).bind(customer_id).bind(now).execute().await?;
    }
    Ok(())
}
