//! A message that shows whether an endpoint works, at the operator's wish.

use serde_json::{Value, json};

use stoa_kernel::clock::Clock;
use stoa_kernel::config::{Config, EndpointKind};
use stoa_kernel::db::{Db, DbError};
use stoa_kernel::encryption::Cipher;
use stoa_kernel::i18n::Texts;
use stoa_kernel::random::Random;

use super::attempt::{Attempt, Request, Target, attempt};
use super::chat;
use super::endpoints::{ChangeError, find_endpoint, secrets_of, subject};
use super::envelope::Envelopes;
use super::sender::Sender;

/// The type of test messages, which no endpoint need subscribe to.
const TEST: &str = "webhook.test";

/// Sends one signed message at once, also to an endpoint that is disabled. It is no event: it is not listed among the
/// deliveries, and never repeated.
pub async fn send_test(
    db: &Db,
    clock: &Clock,
    random: &Random,
    cipher: &Cipher,
    (config, texts): (&Config, &Texts),
    sender: &Sender,
    id: i64,
) -> Result<Attempt, ChangeError> {
    let endpoint = find_endpoint(db, id).await?.ok_or(ChangeError::Unknown(id))?;
    let secrets = secrets_of(db, cipher).await?;
    let secrets = secrets.into_iter().find(|(of, _)| *of == id).map(|(_, secrets)| secrets).unwrap_or_default();
    let (now, delivery_id) = (db.now(), random.uuid());
    let body = match endpoint.kind {
        EndpointKind::Http => {
            let data = json!({"endpoint_id": id, "shop": config.shop.name});
            Envelopes::about(TEST, &data, now).body(random.uuid())
        }
        EndpointKind::Chat => chat::test_body(&config.shop.name, texts, &endpoint.locale, now),
    };
    let connector = sender.connector(&config.webhooks)?;
    let target = Target { url: endpoint.url, secrets };
    // Before it is sent: whoever is told of something was told by somebody.
    db.write(async |tx| -> Result<(), DbError> {
        let after = json!({"delivery": delivery_id.to_string()});
        tx.audit_operator("webhooks.test", subject(id), Value::Null, after).await
    })
    .await?;
    let request = Request { event: TEST.to_owned(), delivery_id: delivery_id.to_string(), body };
    Ok(attempt(&connector.client, connector.reach, clock, &target, &request).await)
}
