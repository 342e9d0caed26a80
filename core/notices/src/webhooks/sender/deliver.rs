//! One attempt to deliver.

use chrono::{DateTime, Utc};
use tracing::Instrument;

use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::encryption::Cipher;
use stoa_kernel::queue::{BackOff, EndedTask, RecordTask, TaskError};

use super::record::{Report, record};
use super::{DeliverWebhook, Sender, WebhookDelivery};
use crate::webhooks::attempt::{Attempt, Outcome, Request, Target, attempt};
use crate::webhooks::deliveries::DeliveryState;
use crate::webhooks::queries;
use crate::webhooks::secrets::open_secrets;

/// What is to be sent, and where to.
#[derive(sqlx::FromRow)]
struct Outgoing {
    delivery_id: String,
    event: String,
    body: String,
    #[sqlx(try_from = "String")]
    state: DeliveryState,
    /// Whether the endpoint is enabled; none where it is gone.
    is_active: Option<bool>,
    url: Option<String>,
    secret: Option<Vec<u8>>,
    previous_secret: Option<Vec<u8>>,
    previous_secret_until: Option<DateTime<Utc>>,
}

impl Outgoing {
    /// The URL with the secrets that sign at this time; none for an endpoint that is off. A secret that cannot be opened signs
    /// nothing.
    fn target(&self, endpoint: i64, cipher: &Cipher, now: DateTime<Utc>) -> Option<Result<Target, String>> {
        let (url, secret) =
            self.is_active.unwrap_or(false).then_some(self.url.clone().zip(self.secret.as_deref()))??;
        let previous =
            self.previous_secret.as_deref().filter(|_| self.previous_secret_until.is_some_and(|until| now < until));
        let secrets = open_secrets(cipher, endpoint, secret, previous);
        Some(secrets.map(|secrets| Target { url, secrets }).map_err(|error| error.to_string()))
    }
}

impl RecordTask<DeliverWebhook> for Sender {
    type Uses = WebhookDelivery;
    type Report = Report;

    /// The delays of S8.
    const RETRY: BackOff = BackOff::minutes(&[1, 5, 30, 120]);

    async fn handle(
        &self,
        task: &DeliverWebhook,
        attempt: i64,
        uses: &WebhookDelivery,
    ) -> (Result<(), TaskError>, Report) {
        match self.deliver(task, attempt, uses).await {
            Ok(report) => (report.outcome(), report),
            Err(error) => (Err(error), Report::NotAttempted),
        }
    }

    async fn record(&self, tx: &mut Tx, ended: &[EndedTask<'_, DeliverWebhook, Report>]) -> Result<(), DbError> {
        record(tx, ended, &self.0.counters).await
    }
}

impl Sender {
    async fn deliver(&self, task: &DeliverWebhook, number: i64, uses: &WebhookDelivery) -> Result<Report, TaskError> {
        let look = || uses.db.read(queries::OUTGOING).bind(task.delivery).optional::<Outgoing>();
        // Removed with an endpoint, or at an end before its last sender could say so.
        let Some(outgoing) = look().await?.filter(|outgoing| outgoing.state == DeliveryState::Pending) else {
            return Ok(Report::NotAttempted);
        };
        let Some(target) = outgoing.target(task.endpoint, &uses.cipher, uses.db.now()) else {
            return Ok(Report::Skipped(None));
        };
        let connector = self.connector(&uses.config.webhooks);
        let connector = connector.map_err(|error| TaskError::Unreachable(error.to_string()))?;
        let Outgoing { delivery_id, event, body, .. } = outgoing;
        let request = Request { event, delivery_id, body };
        let (delivery, endpoint) = (request.delivery_id.as_str(), task.endpoint);
        let span = tracing::info_span!("delivery", delivery, endpoint, attempt = number);
        let made = match target {
            Err(error) => Attempt::not_made(error),
            Ok(target) => {
                attempt(&connector.client, connector.reach, &uses.clock, &target, &request).instrument(span).await
            }
        };
        let is_off = matches!(made.outcome, Outcome::Retryable { .. })
            && look().await?.is_none_or(|outgoing| outgoing.is_active != Some(true));
        Ok(if is_off { Report::Skipped(Some(made)) } else { Report::Attempted(made) })
    }
}
