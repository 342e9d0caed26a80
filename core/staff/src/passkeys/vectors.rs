//! The test vectors of Web Authentication, level 3 (section 16), from `vectors.json`.

use ciborium::Value;
use serde::{Deserialize, Deserializer, de};

use super::attestation::attested;
use super::authenticator::AuthenticatorData;
use super::client_data::{Ceremony, challenge_of};
use super::key::{PasskeyKey, member};
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

/// The vector of this name.
fn vector(name: &str) -> Vector {
    vectors().into_iter().find(|vector| vector.name == name).expect("there is one of this name")
}

/// An attestation object with something else in place of one of its parts.
fn with(object: &[u8], name: &str, part: Value) -> Vec<u8> {
    let mut object = ciborium::from_reader::<Value, _>(object).expect("it is CBOR");
    let parts = object.as_map_mut().expect("it has parts");
    parts.retain(|(known, _)| *known != Value::from(name));
    parts.push((Value::from(name), part));
    let mut written = Vec::new();
    ciborium::into_writer(&object, &mut written).expect("it can be written");
    written
}

fn key_of(vector: &Vector) -> PasskeyKey {
    let made = &vector.registration;
    let said = attested(&made.attestation_object, &made.client_data).expect("it can be read");
    let credential = said.credential.expect("a passkey was made");
    assert_eq!(credential.id, vector.credential_id, "{}", vector.name);
    PasskeyKey::stored(&credential.public_key).expect("the key was asked for")
}

#[test]
fn keys_of_every_algorithm_that_is_asked_for_check_their_signatures_and_nothing_else() {
    for vector in vectors() {
        let (key, shown) = (key_of(&vector), &vector.authentication);
        let (said, client_data) = (shown.authenticator_data.as_slice(), shown.client_data.as_slice());
        assert!(key.has_signed((said, client_data), &shown.signature), "{}", vector.name);
        let mut other = said.to_vec();
        other[36] ^= 1;
        assert!(!key.has_signed((&other, client_data), &shown.signature), "{}", vector.name);
        assert!(!key.has_signed((said, &vector.registration.client_data), &shown.signature), "{}", vector.name);
        for foreign in vectors().iter().filter(|foreign| foreign.name != vector.name) {
            let by_foreign = key_of(foreign).has_signed((said, client_data), &shown.signature);
            assert!(!by_foreign, "{} by {}", vector.name, foreign.name);
        }
    }
}

#[test]
fn the_challenge_is_read_and_a_frame_of_another_site_is_refused() {
    for vector in vectors() {
        let (made, shown) = (&vector.registration, &vector.authentication);
        let read = challenge_of(&made.client_data, Ceremony::Create, &shop());
        let asked = challenge_of(&shown.client_data, Ceremony::Get, &shop());
        if vector.name.ends_with("Origin") {
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
    let expected = ["packed.ES256", "none.ES256.crossOrigin", "none.ES256.topOrigin", "none.ES256.long-credential-id"];
    assert_eq!(verified, expected);
}

#[test]
fn what_is_cut_off_or_goes_on_is_refused() {
    for vector in vectors() {
        let (whole, client_data) = (&vector.registration.attestation_object, &vector.registration.client_data);
        for length in 0..whole.len() {
            assert!(attested(&whole[..length], client_data).is_err(), "{} with {length} bytes", vector.name);
        }
        let longer = [whole.as_slice(), &[0]].concat();
        assert_eq!(attested(&longer, client_data), Err(Refusal::Malformed), "{}", vector.name);
        let said = &vector.authentication.authenticator_data;
        for length in 0..said.len() {
            assert_eq!(AuthenticatorData::read(&said[..length]), Err(Refusal::Malformed), "{}", vector.name);
        }
        let longer = [said.as_slice(), &[0]].concat();
        assert_eq!(AuthenticatorData::read(&longer), Err(Refusal::Malformed), "{}", vector.name);
    }
}

#[test]
fn a_new_passkey_that_signs_for_itself_has_signed_what_was_said_with_its_own_key() {
    let vector = vector("packed-self.ES256");
    let (object, said) = (&vector.registration.attestation_object, &vector.registration.client_data);
    assert!(attested(object, said).is_ok());
    assert_eq!(attested(object, &vector.authentication.client_data), Err(Refusal::Signature));
    let signature = &vector.authentication.signature;
    let entry = |name: &str, value: Value| (Value::from(name), value);
    let foreign = entry("sig", Value::Bytes(signature.clone()));
    for statement in [
        Vec::new(),
        vec![entry("alg", Value::from(-7))],
        vec![foreign.clone()],
        vec![entry("alg", Value::from(-7)), foreign.clone()],
        vec![entry("alg", Value::from(-8)), foreign],
    ] {
        let other = with(object, "attStmt", Value::Map(statement));
        assert_eq!(attested(&other, said), Err(Refusal::Signature));
    }
}

#[test]
fn what_comes_without_a_statement_says_so_and_has_none() {
    let vector = vector("none.ES256");
    let (object, said) = (&vector.registration.attestation_object, &vector.registration.client_data);
    let something = Value::Map(vec![(Value::from("alg"), Value::from(-7))]);
    for (name, part) in [
        ("attStmt", something),
        ("attStmt", Value::Bool(false)),
        ("fmt", Value::from(0)),
        ("authData", Value::from("text")),
    ] {
        assert_eq!(attested(&with(object, name, part), said), Err(Refusal::Malformed), "{name}");
    }
}

#[test]
fn what_a_browser_says_is_read_without_the_mark_of_utf_8() {
    let made = vector("none.ES256").registration;
    let marked = ["\u{feff}".as_bytes(), made.client_data.as_slice()].concat();
    assert_eq!(challenge_of(&marked, Ceremony::Create, &shop()), Ok(made.challenge));
}

#[test]
fn a_page_inside_another_is_refused_even_where_both_are_of_one_site() {
    let made = vector("none.ES256").registration;
    let said = String::from_utf8(made.client_data).expect("it is UTF-8");
    for framed in ["\"crossOrigin\":true", "\"crossOrigin\":false,\"topOrigin\":\"https://example.org\""] {
        let said = said.replace("\"crossOrigin\":false", framed);
        assert_eq!(challenge_of(said.as_bytes(), Ceremony::Create, &shop()), Err(Refusal::Site), "{said}");
    }
}

#[test]
fn an_id_of_a_passkey_has_1023_bytes_at_most() {
    let long = vector("none.ES256.long-credential-id");
    assert_eq!(long.credential_id.len(), 1023);
    let (object, said) = (&long.registration.attestation_object, &long.registration.client_data);
    let said_by_it = attested(object, said).expect("it can be read");
    assert!(said_by_it.credential.is_some_and(|made| made.id == long.credential_id));
    let read = ciborium::from_reader::<Value, _>(object.as_slice()).expect("it is CBOR");
    let part = read.as_map().and_then(|parts| member(parts, &Value::from("authData")));
    let mut longer = part.and_then(Value::as_bytes).expect("it is there").clone();
    // The length stands after the site, the flags, the count and the model; another byte goes where the id begins.
    longer[53..55].copy_from_slice(&1024_u16.to_be_bytes());
    longer.insert(55, 0);
    assert_eq!(attested(&with(object, "authData", Value::Bytes(longer)), said), Err(Refusal::Malformed));
}
