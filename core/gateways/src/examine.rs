//! Whether payment providers answer, and take the keys.

use std::sync::Arc;
use std::time::Duration;

use stoa_kernel::db::DbError;
use stoa_kernel::doctor::{Examine, Finding, without_number};
use stoa_kernel::gateways::{ExaminedProvider, GatewayError, GatewayTable};

/// How long a server may take to answer. The command waits for the slowest of them.
const PATIENCE: Duration = Duration::from_secs(5);

/// Asks every enabled provider for something that changes nothing.
pub(super) struct ExamineProviders;

impl Examine for ExamineProviders {
    type Uses = Arc<GatewayTable>;

    async fn examine(&self, gateways: &Arc<GatewayTable>) -> Result<Vec<Finding>, DbError> {
        const CHECK: &str = "payments.providers";
        let examined = gateways.examine(PATIENCE).await;
        let told = examined.into_iter().map(|(id, ExaminedProvider { place, key, answer })| match answer {
            Ok(()) => Finding::ok(CHECK, format!("{id} answers at {place} and takes the key")),
            Err(GatewayError::Refused(reason)) => Finding::failure(
                CHECK,
                format!("{id} at {place} does not take the key: {reason}"),
                format!("copy `{key}` from the provider once more"),
            ),
            Err(GatewayError::Unknown(reason)) => Finding::failure(
                CHECK,
                format!("{id} cannot be asked at {place}: {}", without_number(reason)),
                format!("look whether this machine reaches {place}, and at `payments.{id}.api_base`"),
            ),
        });
        Ok(told.collect())
    }
}
