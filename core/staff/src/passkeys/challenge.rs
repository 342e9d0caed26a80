//! What an authenticator signs: random bytes with an end, signed by the shop, so that nothing is stored until they come back.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use chrono::{DateTime, TimeDelta, Utc};
use ring::hmac;

use stoa_kernel::auth::RandomSecret;
use stoa_kernel::db::{DbError, Tx};
use stoa_kernel::encryption::Cipher;
use stoa_kernel::random::Random;

use super::client_data::{Ceremony, challenge_of};
use super::registration::PresentedPasskey;
use super::{Refusal, queries};

/// How long somebody may take, as the standard advises.
pub(super) const WITHIN: TimeDelta = TimeDelta::minutes(5);

/// Random bytes.
const NONCE: usize = 16;

/// Bytes that say when it ends.
const END: usize = 8;

/// A challenge that is open: the shop's, of this browser, and in time.
struct OpenChallenge {
    nonce: Vec<u8>,
    ends_at: DateTime<Utc>,
}

fn signed(head: &[u8], holder: &RandomSecret) -> Vec<u8> {
    [head, holder.hash().as_slice()].concat()
}

fn key(cipher: &Cipher) -> hmac::Key {
    hmac::Key::new(hmac::HMAC_SHA256, &cipher.derive("passkey challenge"))
}

/// A new challenge for the browser that holds this secret, as browsers take it.
pub(super) fn new(cipher: &Cipher, random: &Random, now: DateTime<Utc>, holder: &RandomSecret) -> String {
    let nonce = random.bytes::<NONCE>();
    let ends_at = (now + WITHIN).timestamp();
    let head = [nonce.as_slice(), &ends_at.to_be_bytes()].concat();
    let tag = hmac::sign(&key(cipher), &signed(&head, holder));
    URL_SAFE_NO_PAD.encode([head.as_slice(), tag.as_ref()].concat())
}

impl OpenChallenge {
    fn read(cipher: &Cipher, now: DateTime<Utc>, holder: &RandomSecret, bytes: &[u8]) -> Result<Self, Refusal> {
        let (head, tag) = bytes.split_at_checked(NONCE + END).ok_or(Refusal::Challenge)?;
        hmac::verify(&key(cipher), &signed(head, holder), tag).map_err(|_| Refusal::Challenge)?;
        let (nonce, ends_at) = head.split_at(NONCE);
        let seconds = ends_at.try_into().map(i64::from_be_bytes).map_err(|_| Refusal::Challenge)?;
        let ends_at = DateTime::from_timestamp(seconds, 0).filter(|ends_at| *ends_at > now);
        Ok(Self { nonce: nonce.to_vec(), ends_at: ends_at.ok_or(Refusal::Challenge)? })
    }
}

/// Uses up the challenge that a browser has answered, whatever comes of the answer.
pub(super) async fn take(
    tx: &mut Tx,
    cipher: &Cipher,
    presented: PresentedPasskey<'_>,
    (client_data, ceremony): (&[u8], Ceremony),
) -> Result<Result<(), Refusal>, DbError> {
    let open = challenge_of(client_data, ceremony, presented.shop)
        .and_then(|challenge| OpenChallenge::read(cipher, tx.now(), presented.holder, &challenge));
    let open = match open {
        Ok(open) => open,
        Err(refusal) => return Ok(Err(refusal)),
    };
    let taken = tx.run(queries::TAKE_CHALLENGE).bind(open.nonce).bind(open.ends_at).execute().await?;
    Ok(if taken == 1 { Ok(()) } else { Err(Refusal::Challenge) })
}
