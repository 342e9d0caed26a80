//! Guests who bought nothing are forgotten.

use std::time::Duration;

use chrono::TimeDelta;
use stoa_kernel::db::{Db, DbError, REFERENCES_TO, Reference, Sql};
use stoa_kernel::error_chain;
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
    let (mut of_customers, mut of_users) = (references("customers").await?, references("users").await?);
    // These go with the guest.
    of_customers.retain(|reference| reference.table.trim_matches('"') != "addresses");
    of_users.retain(|reference| reference.table.trim_matches('"') != "customers");
    Ok(queries::find_idle_guests(&of_customers, &of_users))
}

/// Whoever comes to refer to one of them meanwhile keeps all of these until the job runs next.
async fn delete(db: &Db, guests: &[(i64, Option<i64>)]) -> Result<(), DbError> {
    let users = guests.iter().map(|(user_id, _)| *user_id);
    let customers = || guests.iter().filter_map(|(_, customer_id)| *customer_id);
    db.write(async |tx| -> Result<(), DbError> {
        tx.run(queries::DELETE_ADDRESSES_OF_GUESTS).bind_ids(customers()).execute().await?;
        tx.run(queries::DELETE_GUESTS).bind_ids(customers()).execute().await?;
        tx.run(queries::DELETE_USERS_OF_GUESTS).bind_ids(users.clone()).execute().await?;
        Ok(())
    })
    .await
}
