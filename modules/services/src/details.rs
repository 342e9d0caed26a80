//! What customers are told of a service before they buy it.

use stoa_core::prelude::*;

use crate::model::SoldPlan;

/// What is set up for each unit.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "ServiceDetails")]
pub(crate) struct ServiceDetails {
    /// The plan's name.
    plan: String,
}

/// Tells the plans of products.
pub(crate) struct TellPlan;

impl TellDetails for TellPlan {
    type Uses = ();
    type Details = ServiceDetails;

    async fn details(&self, products: &[ShownProduct<'_>], (): &()) -> Result<Vec<Option<ServiceDetails>>, DbError> {
        let details = |product: &ShownProduct<'_>| Some(ServiceDetails { plan: SoldPlan::of_product(product)?.plan });
        Ok(products.iter().map(details).collect())
    }
}
