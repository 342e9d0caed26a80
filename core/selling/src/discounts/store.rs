//! Discounts as the operator makes, shows and changes them.

use serde_json::{Value, json};
use stoa_kernel::audit::Subject;
use stoa_kernel::db::{Db, DbError, Tx};

use super::code::folded;
use super::model::{Discount, DiscountTerms, DiscountTimesError, NewDiscount};
use super::queries;
use crate::pricing::DiscountRule;

/// Why a discount was not created.
#[derive(Debug, thiserror::Error)]
pub enum CreateDiscountError {
    /// Another one has this code, perhaps in other letters.
    #[error("there is a discount with this code already")]
    Taken,
    /// There is no such customer. Give the error on, so that the transaction is rolled back.
    #[error("there is no such customer")]
    UnknownCustomer,
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Whether a discount can be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Switch {
    /// It can, within its limits.
    On,
    /// It cannot.
    Off,
}

/// What became of a discount that was to be removed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removal {
    /// It is gone.
    Removed,
    /// It stays, because orders refer to it.
    Used,
    /// There is none with this code.
    Unknown,
}

/// The discount of a code. Case and blanks around the code do not matter.
pub async fn look_up_discount(db: &Db, code: &str) -> Result<Option<Discount>, DbError> {
    db.read(queries::FIND).bind(folded(code)).optional().await
}

/// All discounts, by code.
pub async fn list_discounts(db: &Db) -> Result<Vec<Discount>, DbError> {
    db.read(queries::LIST).all().await
}

/// Creates a discount, which is switched on, in the caller's transaction.
pub async fn create_discount(tx: &mut Tx, new: &NewDiscount) -> Result<Discount, CreateDiscountError> {
    let (percent, amount) = columns(new.rule);
    let now = tx.now();
    let insert = tx.run(queries::INSERT).bind(new.code.as_str()).bind(new.code.folded());
    let insert = insert.bind(percent).bind(amount).bind(new.minimum_amount);
    let insert = insert.bind(new.max_uses).bind(new.max_uses_per_customer);
    let insert = insert.bind(new.valid_from).bind(new.valid_until).bind(now).bind(new.customer_id);
    let created = insert.optional().await.map_err(|error| match error {
        unknown if unknown.is_foreign_key_violation() => CreateDiscountError::UnknownCustomer,
        error => error.into(),
    });
    let created: Discount = created?.ok_or(CreateDiscountError::Taken)?;
    let after = json!({"percent": percent, "amount": amount, "active": true});
    tx.audit_operator("discounts.create", Subject::new("discount", &created.code), Value::Null, after).await?;
    Ok(created)
}

/// A rule as the table keeps it: a share in basis points, or an amount.
fn columns(rule: DiscountRule) -> (Option<i64>, Option<i64>) {
    match rule {
        DiscountRule::Percent(percent) => (Some(i64::from(percent.get())), None),
        DiscountRule::Amount(amount) => (None, Some(amount)),
    }
}

/// Why a discount was not changed.
#[derive(Debug, thiserror::Error)]
pub enum ChangeDiscountError {
    /// There is no such discount.
    #[error("there is no such discount")]
    Unknown,
    /// Somebody else has changed it since it was read; this is what it is now.
    #[error("somebody has changed the discount meanwhile")]
    Changed(Box<Discount>),
    /// Nobody could ever use it.
    #[error(transparent)]
    Times(#[from] DiscountTimesError),
    /// The database failed.
    #[error(transparent)]
    Db(#[from] DbError),
}

/// Changes a discount whose terms were these when they were read, unless somebody else has changed them since. Orders that have
/// used it keep what they got.
pub async fn change_discount(
    db: &Db,
    id: i64,
    read: &DiscountTerms,
    new: &DiscountTerms,
) -> Result<Discount, ChangeDiscountError> {
    new.check_times()?;
    db.write(async |tx| {
        let now = tx.run(queries::LOCK).bind(id).optional::<Discount>().await?.ok_or(ChangeDiscountError::Unknown)?;
        if now.terms() != *read {
            return Err(ChangeDiscountError::Changed(Box::new(now)));
        }
        let ((percent, amount), time) = (columns(new.rule), tx.now());
        let change = tx.run(queries::CHANGE).bind(id).bind(percent).bind(amount).bind(new.minimum_amount);
        let change = change.bind(new.max_uses).bind(new.max_uses_per_customer).bind(new.valid_from);
        let changed = change.bind(new.valid_until).bind(time).one::<Discount>().await?;
        let subject = Subject::new("discount", &changed.code);
        tx.audit_operator("discounts.set", subject, told(read), told(new)).await?;
        Ok(changed)
    })
    .await
}

impl DiscountTerms {
    /// The terms as a text, by which a page tells whether they are still those that it has shown.
    pub fn written(&self) -> String {
        told(self).to_string()
    }
}

/// As the audit log says it.
fn told(terms: &DiscountTerms) -> Value {
    let (percent, amount) = columns(terms.rule);
    json!({
        "percent": percent,
        "amount": amount,
        "minimum_amount": terms.minimum_amount,
        "max_uses": terms.max_uses,
        "max_uses_per_customer": terms.max_uses_per_customer,
        "valid_from": terms.valid_from,
        "valid_until": terms.valid_until,
    })
}

/// The discount of a code. Nobody changes it meanwhile, and no order is about to use it.
async fn lock_discount(tx: &mut Tx, code: &str) -> Result<Option<Discount>, DbError> {
    let Some(found) = tx.run(queries::FIND).bind(folded(code)).optional::<Discount>().await? else { return Ok(None) };
    tx.run(queries::LOCK).bind(found.id).optional().await
}

/// Switches a discount on or off; none when there is no such discount. Orders that use it keep it.
pub async fn switch_discount(db: &Db, code: &str, switch: Switch) -> Result<Option<Discount>, DbError> {
    let active = match switch {
        Switch::On => true,
        Switch::Off => false,
    };
    db.write(async |tx| {
        let Some(before) = lock_discount(tx, code).await? else { return Ok(None) };
        let now = tx.now();
        let set = tx.run(queries::SET_ACTIVE).bind(before.id).bind(active).bind(now).one::<Discount>().await?;
        let act = if active { "discounts.enable" } else { "discounts.disable" };
        let (before, after) = (json!({"active": before.active}), json!({"active": active}));
        tx.audit_operator(act, Subject::new("discount", &set.code), before, after).await?;
        Ok(Some(set))
    })
    .await
}

/// Removes a discount that no order has ever used.
pub async fn remove_discount(db: &Db, code: &str) -> Result<Removal, DbError> {
    db.write(async |tx| {
        let Some(discount) = lock_discount(tx, code).await? else { return Ok(Removal::Unknown) };
        if tx.run(queries::COUNT_REDEMPTIONS).bind(discount.id).scalar::<i64>().await? > 0 {
            return Ok(Removal::Used);
        }
        tx.run(queries::DELETE).bind(discount.id).execute().await?;
        let subject = Subject::new("discount", &discount.code);
        tx.audit_operator("discounts.remove", subject, told(&discount.terms()), Value::Null).await?;
        Ok(Removal::Removed)
    })
    .await
}
