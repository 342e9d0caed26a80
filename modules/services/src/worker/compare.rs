//! Comparing what the shop believes with what providers say, and asking them how much room they have.

use chrono::TimeDelta;
use futures_util::{StreamExt, stream};
use serde_json::{Value, json};
use stoa_core::error_chain;
use stoa_core::prelude::*;

use super::WorkerUses;
use super::call::within;
use super::{Worker, queries};
use crate::capacity::PlanRow;
use crate::capacity::queries::{ENSURE_PLAN, LIST_PLANS, NOTE_CAPACITY, PRODUCT_SETTINGS};
use crate::model::{ProvisionedService, ServiceSettings, SoldPlan};
use crate::provider::{ProviderKind, Report};
use crate::queries::FIND;

/// Providers that are asked at once.
const AT_ONCE: usize = 8;

/// Services that one run compares.
const BATCH: i64 = 500;

impl Worker {
    /// Compares services that were not compared for long. Differences are noted for the operator; nothing is changed.
    pub(crate) async fn compare(&self, uses: &WorkerUses) -> Result<(), DbError> {
        let db = &uses.db;
        let before = db.now() - TimeDelta::hours(i64::from(self.config.drift_hours));
        let names = self.providers.remote().map(|(name, _)| json!({"name": name})).collect::<Vec<_>>();
        let list = db.read(queries::LIST_TO_COMPARE).bind(before).bind(Value::Array(names).to_string());
        let ids = list.bind(BATCH).scalars::<i64>().await?;
        let compared = stream::iter(ids).map(|id| self.compare_one(uses, id)).buffer_unordered(AT_ONCE);
        compared
            .for_each(async |compared| {
                if let Err(error) = compared {
                    tracing::error!(error = error_chain(&error), "a service could not be compared with its provider");
                }
            })
            .await;
        Ok(())
    }

    async fn compare_one(&self, uses: &WorkerUses, id: i64) -> Result<(), DbError> {
        let db = &uses.db;
        let Some(service) = db.read(FIND).bind(id).optional::<ProvisionedService>().await? else { return Ok(()) };
        let ProviderKind::Remote(provider) = self.providers.find(&service.provider) else { return Ok(()) };
        let request = service.request();
        let answer = within(self.config.call_limit(), provider.inspect(&request, &uses.provider)).await;
        let drift = match answer {
            Ok(Report { state, external_ref, .. }) if state == service.remote_state => {
                let other =
                    external_ref.filter(|told| service.external_ref.as_ref().is_some_and(|known| known != told));
                other.map(|told| format!("the provider calls it {told} now"))
            }
            Ok(report) => Some(format!("the provider says that it is {}", report.state)),
            Err(error) => {
                // A provider that is down tells nothing about its services.
                tracing::warn!(service.id = id, provider = service.provider, error = error.to_string(), "not compared");
                return Ok(());
            }
        };
        db.write(async |tx| -> Result<(), DbError> {
            let now = tx.now();
            let note = tx.run(queries::NOTE_COMPARISON).bind(id).bind(service.remote_state.as_str());
            note.bind(drift.as_deref()).bind(now).bind(service.calls).execute().await?;
            Ok(())
        })
        .await
    }

    /// Asks providers how much room they have for each plan that is sold.
    pub(crate) async fn ask_capacity(&self, uses: &WorkerUses) -> Result<(), DbError> {
        let plans = self.sold_plans(&uses.db).await?;
        let asked = stream::iter(plans).map(|sold| self.ask_capacity_of(uses, sold)).buffer_unordered(AT_ONCE);
        asked
            .for_each(async |asked| {
                if let Err(error) = asked {
                    tracing::error!(error = error_chain(&error), "the room of a provider could not be noted");
                }
            })
            .await;
        Ok(())
    }

    /// The plans of all products and of all services.
    async fn sold_plans(&self, db: &Db) -> Result<Vec<SoldPlan>, DbError> {
        let known = db.read(LIST_PLANS).all::<PlanRow>().await?;
        let mut plans =
            known.into_iter().map(|row| SoldPlan { provider: row.provider, plan: row.plan }).collect::<Vec<_>>();
        let settings = db.read(PRODUCT_SETTINGS).all::<(String, sqlx::types::Json<Value>)>().await?;
        plans.extend(settings.into_iter().filter_map(|(slug, settings)| {
            let settings = serde_json::from_value::<ServiceSettings>(settings.0).ok()?;
            Some(SoldPlan { provider: settings.provider?, plan: settings.plan.unwrap_or(slug) })
        }));
        plans.sort_unstable();
        plans.dedup();
        Ok(plans)
    }

    async fn ask_capacity_of(&self, uses: &WorkerUses, sold: SoldPlan) -> Result<(), DbError> {
        let ProviderKind::Remote(provider) = self.providers.find(&sold.provider) else { return Ok(()) };
        let capacity = match within(self.config.call_limit(), provider.capacity(&sold.plan, &uses.provider)).await {
            Ok(capacity) => capacity.map(|units| units.max(0)),
            Err(error) => {
                let (provider, plan) = (sold.provider.as_str(), sold.plan.as_str());
                tracing::warn!(
                    provider,
                    plan,
                    error = error.to_string(),
                    "a provider did not say how much room it has"
                );
                return Ok(());
            }
        };
        uses.db
            .write(async |tx| -> Result<(), DbError> {
                let now = tx.now();
                tx.run(ENSURE_PLAN).bind(sold.provider.as_str()).bind(sold.plan.as_str()).execute().await?;
                let note = tx.run(NOTE_CAPACITY).bind(sold.provider.as_str()).bind(sold.plan.as_str());
                note.bind(capacity).bind(now).execute().await?;
                Ok(())
            })
            .await
    }
}
