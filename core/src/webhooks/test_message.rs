//! A message that shows whether an endpoint works, at the operator's wish.

use serde_json::json;

use super::attempt::{Attempt, Request, Target, attempt};
use super::chat;
use super::endpoints::{ChangeError, find_endpoint, secrets_of};
use super::envelope::Envelopes;
use super::kind::EndpointKind;
use super::sender::Sender;
use crate::services::Services;

/// The type of test messages, which no endpoint need subscribe to.
const TEST: &str = "webhook.test";

/// Sends one signed message at once, also to an endpoint that is disabled. It is no event: it is not listed among the
/// deliveries, and never repeated.
pub async fn send_test(services: &Services, sender: &Sender, id: i64) -> Result<Attempt, ChangeError> {
    let endpoint = find_endpoint(&services.db, id).await?.ok_or(ChangeError::Unknown(id))?;
    let secrets = secrets_of(&services.db, &services.cipher).await?;
    let secrets = secrets.into_iter().find(|(of, _)| *of == id).map(|(_, secrets)| secrets).unwrap_or_default();
    let now = services.db.now();
    let body = match endpoint.kind {
        EndpointKind::Http => {
            let data = json!({"endpoint_id": id, "shop": services.config.shop.name});
            Envelopes::about(TEST, &data, now).body(services.random.uuid())
        }
        EndpointKind::Chat => chat::test_body(&services.config.shop.name, &endpoint.locale, now),
    };
    let connector = sender.connector(&services.config.webhooks)?;
    let target = Target { url: endpoint.url, secrets };
    let request = Request { event: TEST.to_owned(), delivery_id: services.random.uuid().to_string(), body };
    Ok(attempt(&connector.client, connector.reach, &services.clock, &target, &request).await)
}
