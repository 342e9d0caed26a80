//! Signing secrets: made, checked, sealed for their rows (S6.4).

use stoa_kernel::encryption::{Cipher, SealContext, Unreadable};
use stoa_kernel::random::Random;
use stoa_kernel::secret::Secret;

/// Characters of a generated secret after its prefix: 238 bits.
const GENERATED_LENGTH: usize = 40;

/// A new secret. The prefix tells people and scanners what it is; it belongs to the secret.
pub(super) fn generate(random: &Random) -> Secret {
    Secret::new(format!("whsec_{}", random.alphanumeric(GENERATED_LENGTH)))
}

/// Where an endpoint's secret is kept.
pub(super) fn seal_context(endpoint: i64) -> SealContext {
    SealContext { table: "webhook_endpoints", column: "secret", row: endpoint }
}

/// Where the secret before is kept.
pub(super) fn previous_seal_context(endpoint: i64) -> SealContext {
    SealContext { table: "webhook_endpoints", column: "previous_secret", row: endpoint }
}

/// Opens the secrets that sign: the present one first.
pub(super) fn open_secrets(
    cipher: &Cipher,
    endpoint: i64,
    sealed: &[u8],
    previous: Option<&[u8]>,
) -> Result<Vec<Secret>, Unreadable> {
    let text = |bytes: Vec<u8>| Secret::new(String::from_utf8_lossy(&bytes));
    let mut secrets = vec![text(cipher.open(seal_context(endpoint), sealed)?)];
    if let Some(previous) = previous {
        secrets.push(text(cipher.open(previous_seal_context(endpoint), previous)?));
    }
    Ok(secrets)
}
