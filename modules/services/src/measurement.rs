//! The module's part of `GET /metrics`.

use stoa_core::prelude::*;
use stoa_core::queue::count_lane;

use crate::capacity::PlanRow;
use crate::capacity::queries::LIST_PLANS;
use crate::config::Config;
use crate::model::Status;
use crate::queries;
use crate::worker::SERVICES;

/// Measures services and the room for them.
pub(crate) struct MeasureServices {
    pub(crate) config: Config,
}

impl Measure for MeasureServices {
    type Uses = Db;

    async fn measure(&self, db: &Db) -> Result<Vec<Sample>, DbError> {
        let counted = db.read(queries::COUNT_BY_STATUS).all::<(String, i64)>().await?;
        let mut samples = Vec::new();
        for status in Status::ALL {
            let count = counted.iter().find(|(word, _)| word == status.as_str()).map_or(0, |(_, count)| *count);
            let sample = Sample::gauge("stoa_services", "Provisioned services by status.", count);
            samples.push(sample.label("status", status.as_str()));
        }
        let attention = db.read(queries::COUNT_ATTENTION).scalar::<i64>().await?;
        samples.push(Sample::gauge("stoa_services_attention", "Services that the operator has to look at.", attention));
        let drift = db.read(queries::COUNT_DRIFT).scalar::<i64>().await?;
        samples.push(Sample::gauge(
            "stoa_services_drift",
            "Services that differ from what their provider says.",
            drift,
        ));
        let due = count_lane(db, SERVICES).await?.due;
        samples.push(Sample::gauge("stoa_services_due", "Services that a worker has yet to take up.", due));
        for row in db.read(LIST_PLANS).all::<PlanRow>().await? {
            let limit = row.limit(self.config.capacity(&row.plan));
            let of_plan =
                |sample: Sample| sample.label("provider", row.provider.as_str()).label("plan", row.plan.as_str());
            let used = Sample::gauge("stoa_services_used", "Room of a plan that is reserved or taken up.", row.used);
            samples.push(of_plan(used));
            if let Some(limit) = limit {
                samples.push(of_plan(Sample::gauge("stoa_services_capacity", "Room that a plan has.", limit)));
            }
        }
        Ok(samples)
    }
}
