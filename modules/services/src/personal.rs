//! What is kept about a person: what was selected and said, and what a customer signs in with.

use chrono::TimeDelta;
use stoa_core::customers::CustomerAnonymized;
use stoa_core::prelude::*;

use crate::model::{OverReason, ProvisionedService, ServiceResource};
use crate::provider::Providers;
use crate::queries;
use crate::store::{Actor, decide, erase, lock};

/// Ends the services of a customer who is not there any more: providers keep data of theirs, and nobody can use it.
pub(crate) struct EndServices {
    pub(crate) providers: Providers,
    pub(crate) grace: TimeDelta,
}

impl AfterCommit<CustomerAnonymized> for EndServices {
    type Uses = Db;

    async fn after_commit(&self, event: &CustomerAnonymized, db: &Db) -> Result<(), ListenerError> {
        let living = db.read(queries::LIVING_OF_CUSTOMER).bind(event.customer_id).scalars::<i64>().await?;
        for id in living {
            db.write(async |tx| -> Result<(), DbError> {
                let Some(mut service) = lock(tx, id).await? else { return Ok(()) };
                service.end(OverReason::Erased, self.grace, tx.now());
                decide(tx, service, &self.providers, Actor::Shop).await?;
                Ok(())
            })
            .await?;
        }
        Ok(())
    }
}

/// A service as its customer is told of it.
#[derive(Serialize)]
pub(crate) struct Exported {
    #[serde(flatten)]
    service: ServiceResource,
    /// What was selected.
    parameters: serde_json::Map<String, serde_json::Value>,
}

/// What services know of a customer.
pub(crate) struct Services;

impl PersonalData for Services {
    type Export = Vec<Exported>;

    async fn forget(&self, tx: &mut Tx, customer_id: i64) -> Result<(), DbError> {
        erase(tx, customer_id).await
    }

    async fn export(&self, db: &Db, customer_id: i64) -> Result<Vec<Exported>, DbError> {
        let services = db.read(queries::ALL_OF_CUSTOMER).bind(customer_id).all::<ProvisionedService>().await?;
        let exported = services
            .into_iter()
            .map(|service| Exported { service: ServiceResource::of(&service), parameters: service.parameters.0 });
        Ok(exported.collect())
    }
}
