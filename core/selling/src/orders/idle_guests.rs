//! Guests who bought nothing are forgotten.

use std::sync::OnceLock;
use std::time::Duration;

use chrono::TimeDelta;
use stoa_customers::guests::GuestLoggedOut;
use stoa_kernel::db::{Db, DbError, REFERENCES_TO, Reference, Sql, Tx};
use stoa_kernel::error_chain;
use stoa_kernel::events::{InTransaction, ListenerError};
use stoa_kernel::jobs::Job;
use tokio::sync::OnceCell;

use super::queries;

/// How long a guest is kept who has bought nothing; longer than any session or token of one is used.
const KEPT: TimeDelta = TimeDelta::days(60);

/// Guests that one transaction deletes.
const BATCH: usize = 500;

/// `guests.forget`. Whoever keeps anything of a guest keeps the guest: core and modules alike, by a row that refers to it.
#[derive(Default)]
pub(super) struct ForgetGuests {
    find: OnceCell<Sql>,
}

impl Job for ForgetGuests {
    type Uses = Db;

    const NAME: &'static str = "guests.forget";
    const EVERY: Duration = Duration::from_hours(1);
    const DOES: &'static str = "forgets guests who bought nothing and of whom nothing is kept";

    async fn run(&self, db: &Db) -> Result<(), String> {
        self.forget(db).await.map_err(|error| error_chain(&error))
    }
}

impl ForgetGuests {
    async fn forget(&self, db: &Db) -> Result<(), DbError> {
        let find = *self.find.get_or_try_init(|| find_idle_guests(db)).await?;
        let (before, limit) = (db.now() - KEPT, i64::try_from(BATCH).unwrap_or(i64::MAX));
        loop {
            let found = db.read(find).bind(before).bind(limit).all::<(i64, Option<i64>)>().await?;
            if !found.is_empty() {
                delete(db, &found).await?;
                tracing::info!(guests = found.len(), "guests who bought nothing were forgotten");
            }
            if found.len() < BATCH {
                return Ok(());
            }
        }
    }
}

async fn find_idle_guests(db: &Db) -> Result<Sql, DbError> {
    let references = async |table: &str| db.read(REFERENCES_TO).bind(table).all::<Reference>().await;
    let (of_customers, of_users) = (references("customers").await?, references("users").await?);
    Ok(keeping(queries::FROM_BEFORE, of_customers, of_users))
}

fn keeping(which: &str, mut of_customers: Vec<Reference>, mut of_users: Vec<Reference>) -> Sql {
    // These go with the guest.
    of_customers.retain(|reference| reference.table.trim_matches('"') != "addresses");
    of_users.retain(|reference| reference.table.trim_matches('"') != "customers");
    queries::find_idle_guests(which, &of_customers, &of_users)
}

/// Forgets a guest who logs out and has bought nothing at once: an order that was refused leaves nobody behind.
#[derive(Default)]
pub(super) struct ForgetWhoLeaves {
    find: OnceLock<Sql>,
}

impl InTransaction<GuestLoggedOut> for ForgetWhoLeaves {
    async fn in_transaction(&self, event: &GuestLoggedOut, tx: &mut Tx) -> Result<(), ListenerError> {
        let find = if let Some(find) = self.find.get() {
            *find
        } else {
            let of_customers = tx.run(REFERENCES_TO).bind("customers").all::<Reference>().await?;
            let of_users = tx.run(REFERENCES_TO).bind("users").all::<Reference>().await?;
            *self.find.get_or_init(|| keeping(queries::THE_GUEST, of_customers, of_users))
        };
        let found = tx.run(find).bind(event.guest_id).bind(1_i64).all::<(i64, Option<i64>)>().await?;
        Ok(delete_in(tx, &found).await?)
    }
}

/// Whoever comes to refer to one of them meanwhile keeps all of these until the job runs next.
async fn delete(db: &Db, guests: &[(i64, Option<i64>)]) -> Result<(), DbError> {
    db.write(async |tx| delete_in(tx, guests).await).await
}

async fn delete_in(tx: &mut Tx, guests: &[(i64, Option<i64>)]) -> Result<(), DbError> {
    let users = guests.iter().map(|(user_id, _)| *user_id);
    let customers = || guests.iter().filter_map(|(_, customer_id)| *customer_id);
    tx.run(queries::DELETE_ADDRESSES_OF_GUESTS).bind_ids(customers()).execute().await?;
    tx.run(queries::DELETE_GUESTS).bind_ids(customers()).execute().await?;
    tx.run(queries::DELETE_USERS_OF_GUESTS).bind_ids(users).execute().await?;
    Ok(())
}
