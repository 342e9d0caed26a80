//! What modules tell the operator of a test's shop.

use stoa_kernel::doctor::{Finding, State};
use stoa_kernel::jobs::list_jobs;
use stoa_kernel::metrics;

use super::shop::TestShop;

impl TestShop {
    /// Does once what is due now: delivers events and runs jobs, as the worker would. Which jobs failed stands among what a failing test
    /// prints.
    pub async fn run_jobs(&self) {
        self.runner().tick().await.expect("the worker reaches the database");
        let jobs = list_jobs(&self.parts.db, &self.registry.jobs).await.expect("jobs can be listed");
        for (name, error) in jobs.into_iter().filter_map(|job| Some((job.name, job.last_error?))) {
            println!("the job {name} failed: {error}");
        }
    }

    /// What the modules' parts of `stoa doctor` find that is not as it should be.
    pub async fn findings(&self) -> Vec<Finding> {
        let mut found = self.examined().await;
        found.retain(|finding| finding.state != State::Ok);
        found
    }

    /// All that the modules' parts of `stoa doctor` say.
    pub async fn examined(&self) -> Vec<Finding> {
        self.examined_by(|owner| owner != "core").await
    }

    /// What those parts of `stoa doctor` say that belong to no module.
    pub async fn examined_by_core(&self) -> Vec<Finding> {
        self.examined_by(|owner| owner == "core").await
    }

    async fn examined_by(&self, is_asked: impl Fn(&str) -> bool) -> Vec<Finding> {
        let mut found = Vec::new();
        for examination in self.registry.examinations.iter().filter(|examination| is_asked(examination.owner)) {
            found.extend(examination.run(&self.parts).await.expect("the database can be read"));
        }
        found
    }

    /// The modules' part of `GET /metrics`.
    pub async fn measured(&self) -> String {
        let mut samples = Vec::new();
        for measurement in &*self.registry.measurements {
            samples.extend(measurement.run(&self.parts).await.expect("the database can be read"));
        }
        metrics::render(&samples)
    }
}
