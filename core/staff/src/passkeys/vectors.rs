//! The test vectors of Web Authentication, level 3 (section 16), from `vectors.json`.

use serde::{Deserialize, Deserializer, de};
use stoa_kernel::auth::sha256;

use super::authenticator::AuthenticatorData;
use super::client_data::{Ceremony, challenge_of};
use super::key::PasskeyKey;
use super::registration::authenticator_data;
use super::{PasskeyShop, Refusal};

fn bytes<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<u8>, D::Error> {
    hex::decode(String::deserialize(deserializer)?).map_err(de::Error::custom)
}

#[derive(Deserialize)]
struct Vector {
    name: String,
    #[serde(deserialize_with = "bytes")]
    credential_id: Vec<u8>,
    registration: Registration,
    authentication: Authentication,
}

#[derive(Deserialize)]
struct Registration {
    #[serde(deserialize_with = "bytes")]
    challenge: Vec<u8>,
    #[serde(deserialize_with = "bytes")]
    client_data: Vec<u8>,
    #[serde(deserialize_with = "bytes")]
    attestation_object: Vec<u8>,
}

#[derive(Deserialize)]
struct Authentication {
    #[serde(deserialize_with = "bytes")]
    challenge: Vec<u8>,
    #[serde(deserialize_with = "bytes")]
    client_data: Vec<u8>,
    #[serde(deserialize_with = "bytes")]
    authenticator_data: Vec<u8>,
    #[serde(deserialize_with = "bytes")]
    signature: Vec<u8>,
}

fn vectors() -> Vec<Vector> {
    serde_json::from_str(include_str!("vectors.json")).expect("the vectors are JSON")
}

fn shop() -> PasskeyShop {
    PasskeyShop::at("https://example.org").expect("it has a name")
}

fn signed(shown: &Authentication) -> Vec<u8> {
    [shown.authenticator_data.as_slice(), &sha256(&shown.client_data)].concat()
}

fn key_of(vector: &Vector) -> PasskeyKey {
    let said = authenticator_data(&vector.registration.attestation_object).expect("it can be read");
    let credential = said.credential.expect("a passkey was made");
    assert_eq!(credential.id, vector.credential_id, "{}", vector.name);
    PasskeyKey::stored(&credential.public_key).expect("the key was asked for")
}

#[test]
fn keys_of_every_algorithm_that_is_asked_for_check_their_signatures_and_nothing_else() {
    for vector in vectors() {
        let (key, shown) = (key_of(&vector), &vector.authentication);
        let message = signed(shown);
        assert!(key.has_signed(&message, &shown.signature), "{}", vector.name);
        let mut other = message.clone();
        other[40] ^= 1;
        assert!(!key.has_signed(&other, &shown.signature), "{}", vector.name);
        for foreign in vectors().iter().filter(|foreign| foreign.name != vector.name) {
            assert!(!key_of(foreign).has_signed(&message, &shown.signature), "{} by {}", vector.name, foreign.name);
        }
    }
}

#[test]
fn the_challenge_is_read_and_a_frame_of_another_site_is_refused() {
    for vector in vectors() {
        let (made, shown) = (&vector.registration, &vector.authentication);
        let read = challenge_of(&made.client_data, Ceremony::Create, &shop());
        let asked = challenge_of(&shown.client_data, Ceremony::Get, &shop());
        if vector.name.ends_with("crossOrigin") {
            assert_eq!((read, asked), (Err(Refusal::Site), Err(Refusal::Site)), "{}", vector.name);
            continue;
        }
        assert_eq!((read, asked), (Ok(made.challenge.clone()), Ok(shown.challenge.clone())), "{}", vector.name);
        let swapped = challenge_of(&made.client_data, Ceremony::Get, &shop());
        assert_eq!(swapped, Err(Refusal::Malformed), "{}", vector.name);
        let elsewhere = PasskeyShop::at("https://example.com").expect("it has a name");
        let foreign = challenge_of(&shown.client_data, Ceremony::Get, &elsewhere);
        assert_eq!(foreign, Err(Refusal::Site), "{}", vector.name);
    }
}

#[test]
fn only_what_somebody_has_unlocked_for_this_shop_is_taken() {
    let elsewhere = PasskeyShop::at("https://example.com").expect("it has a name");
    let mut verified = Vec::new();
    for vector in vectors() {
        let said = AuthenticatorData::read(&vector.authentication.authenticator_data).expect("it can be read");
        assert_eq!(said.check(&elsewhere), Err(Refusal::Site), "{}", vector.name);
        match said.check(&shop()) {
            Ok(()) => verified.push(vector.name),
            refused => assert_eq!(refused, Err(Refusal::NotVerified), "{}", vector.name),
        }
    }
    assert_eq!(verified, ["packed.ES256", "none.ES256.crossOrigin"]);
}

#[test]
fn what_is_cut_off_or_goes_on_is_refused() {
    for vector in vectors() {
        let whole = &vector.registration.attestation_object;
        for length in 0..whole.len() {
            assert!(authenticator_data(&whole[..length]).is_err(), "{} with {length} bytes", vector.name);
        }
        assert_eq!(authenticator_data(&[whole.as_slice(), &[0]].concat()), Err(Refusal::Malformed), "{}", vector.name);
        let said = &vector.authentication.authenticator_data;
        for length in 0..said.len() {
            assert_eq!(AuthenticatorData::read(&said[..length]), Err(Refusal::Malformed), "{}", vector.name);
        }
        let longer = [said.as_slice(), &[0]].concat();
        assert_eq!(AuthenticatorData::read(&longer), Err(Refusal::Malformed), "{}", vector.name);
    }
}
