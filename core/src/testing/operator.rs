//! What modules tell the operator of a test's shop.

use super::shop::TestShop;
use crate::doctor::{Finding, State};
use crate::metrics;

impl TestShop {
    /// What the modules' parts of `stoa doctor` find that is not as it should be.
    pub async fn findings(&self) -> Vec<Finding> {
        let mut found = Vec::new();
        for examination in &self.registry.examinations {
            found.extend(examination.run(&self.services).await.expect("the database can be read"));
        }
        found.retain(|finding| finding.state != State::Ok);
        found
    }

    /// The modules' part of `GET /metrics`.
    pub async fn measured(&self) -> String {
        let mut samples = Vec::new();
        for measurement in &*self.registry.measurements {
            samples.extend(measurement.run(&self.services).await.expect("the database can be read"));
        }
        metrics::render(&samples)
    }
}
