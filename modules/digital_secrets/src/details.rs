//! What customers are told of a secret before they buy it: when they get it, and nothing of it.

use serde_json::from_value;
use stoa_core::prelude::*;

use crate::settings::{CAPABILITY, MODULE, SecretSettings};

/// How a secret is delivered.
#[derive(Debug, Serialize, JsonSchema)]
#[schemars(rename = "DigitalSecretDetails")]
pub(crate) struct SecretDetails {
    /// When units are delivered.
    delivery: Delivery,
}

/// When units are delivered.
#[derive(Debug, Clone, Copy, Serialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
#[schemars(rename = "DigitalSecretDelivery")]
enum Delivery {
    /// As soon as the order is paid.
    Instant,
    /// As soon as the order is paid, or once there is a value again if none is left.
    WhenAvailable,
}

/// Tells how products are delivered.
pub(crate) struct TellDelivery {
    /// Whether products that do not say otherwise are sold although their pool is empty.
    pub(crate) backorder: bool,
}

impl TellDelivery {
    fn of(&self, product: &ShownProduct<'_>) -> Option<SecretDetails> {
        let settings = match product.settings(MODULE).filter(|_| product.has(CAPABILITY)) {
            Some(settings) => from_value::<SecretSettings>(settings.clone()).ok()?,
            None if product.has(CAPABILITY) => SecretSettings::default(),
            None => return None,
        };
        let waits = settings.pattern.is_none() && settings.backorder.unwrap_or(self.backorder);
        Some(SecretDetails { delivery: if waits { Delivery::WhenAvailable } else { Delivery::Instant } })
    }
}

impl TellDetails for TellDelivery {
    type Uses = ();
    type Details = SecretDetails;

    async fn details(&self, products: &[ShownProduct<'_>], (): &()) -> Result<Vec<Option<SecretDetails>>, DbError> {
        Ok(products.iter().map(|product| self.of(product)).collect())
    }
}
