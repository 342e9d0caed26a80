//! An authenticator in software, and the browser in front of it: makes passkeys and shows them, as the standard has it.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use ciborium::Value as Cbor;
use ring::digest::{SHA256, digest};
use ring::rand::{SecureRandom, SystemRandom};
use ring::signature::{ECDSA_P256_SHA256_ASN1_SIGNING, EcdsaKeyPair, KeyPair};
use serde_json::{Value, json};

pub(crate) const VERIFIED: u8 = 1 << 2;
pub(crate) const MAY_BE_COPIED: u8 = 1 << 3;
const PRESENT: u8 = 1;
const HAS_CREDENTIAL: u8 = 1 << 6;

/// What a new passkey says of itself beside its key.
pub(crate) enum Statement {
    None,
    /// That it is its own, with its signature.
    Own,
    /// The same with a signature of something else.
    Forged,
}

/// One passkey, with what the authenticator does wrong if it is to.
pub(crate) struct Passkey {
    keys: EcdsaKeyPair,
    id: [u8; 32],
    handle: Option<String>,
    /// The page that the browser shows.
    pub(crate) origin: String,
    /// How often it has signed.
    pub(crate) count: u32,
    /// What it says of who uses it and of copies.
    pub(crate) flags: u8,
    pub(crate) statement: Statement,
}

fn text(bytes: &[u8]) -> String {
    URL_SAFE_NO_PAD.encode(bytes)
}

fn named(parts: Vec<(&str, Cbor)>) -> Cbor {
    Cbor::Map(parts.into_iter().map(|(name, value)| (Cbor::from(name), value)).collect())
}

fn said<'a>(options: &'a Value, pointer: &str) -> &'a str {
    options.pointer(pointer).and_then(Value::as_str).unwrap_or_else(|| panic!("{pointer} in {options}"))
}

impl Passkey {
    /// A passkey of a browser that shows a page of this origin.
    pub(crate) fn at(origin: &str) -> Self {
        let random = SystemRandom::new();
        let private = EcdsaKeyPair::generate_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, &random).expect("a key is made");
        let keys = EcdsaKeyPair::from_pkcs8(&ECDSA_P256_SHA256_ASN1_SIGNING, private.as_ref(), &random);
        let mut id = [0; 32];
        random.fill(&mut id).expect("there is randomness");
        let (keys, flags) = (keys.expect("the key is whole"), PRESENT | VERIFIED);
        Self { keys, id, handle: None, origin: origin.to_owned(), count: 0, flags, statement: Statement::None }
    }

    /// The same key in another's hands: it calls itself like the other one.
    pub(crate) fn disguised_as(mut self, other: &Self) -> Self {
        (self.id, self.handle) = (other.id, other.handle.clone());
        self
    }

    fn client_data(&self, ceremony: &str, challenge: &str) -> Vec<u8> {
        let data = json!({"type": ceremony, "challenge": challenge, "origin": self.origin, "crossOrigin": false});
        data.to_string().into_bytes()
    }

    fn authenticator_data(&self, site: &str, flags: u8) -> Vec<u8> {
        [digest(&SHA256, site.as_bytes()).as_ref(), &[flags], &self.count.to_be_bytes()].concat()
    }

    fn sign(&self, data: &[u8], client_data: &[u8]) -> Vec<u8> {
        let signed = [data, digest(&SHA256, client_data).as_ref()].concat();
        self.keys.sign(&SystemRandom::new(), &signed).expect("it signs").as_ref().to_vec()
    }

    /// Makes the passkey that these options ask for.
    pub(crate) fn create(&mut self, options: &Value) -> String {
        self.handle = Some(said(options, "/user/id").to_owned());
        let point = self.keys.public_key().as_ref();
        let (x, y) = (Cbor::Bytes(point[1..33].to_vec()), Cbor::Bytes(point[33..].to_vec()));
        let key = [(1, Cbor::from(2)), (3, Cbor::from(-7)), (-1, Cbor::from(1)), (-2, x), (-3, y)];
        let key = Cbor::Map(key.into_iter().map(|(label, value)| (Cbor::from(label), value)).collect());
        let mut data = self.authenticator_data(said(options, "/rp/id"), self.flags | HAS_CREDENTIAL);
        data.extend([[0; 16].as_slice(), &[0, 32], &self.id].concat());
        ciborium::into_writer(&key, &mut data).expect("it can be written");
        let client_data = self.client_data("webauthn.create", said(options, "/challenge"));
        let signed = |said: &[u8]| vec![("alg", Cbor::from(-7)), ("sig", Cbor::Bytes(self.sign(&data, said)))];
        let (format, statement) = match self.statement {
            Statement::None => ("none", Vec::new()),
            Statement::Own => ("packed", signed(&client_data)),
            Statement::Forged => ("packed", signed(b"something else")),
        };
        let object = vec![("fmt", Cbor::from(format)), ("attStmt", named(statement)), ("authData", Cbor::Bytes(data))];
        let mut attestation = Vec::new();
        ciborium::into_writer(&named(object), &mut attestation).expect("it can be written");
        let response = json!({"clientDataJSON": text(&client_data), "attestationObject": text(&attestation)});
        json!({"id": text(&self.id), "rawId": text(&self.id), "type": "public-key", "response": response}).to_string()
    }

    /// Shows it to whoever asks with these options.
    pub(crate) fn show(&mut self, options: &Value) -> String {
        self.count += u32::from(self.count > 0);
        let data = self.authenticator_data(said(options, "/rpId"), self.flags);
        let client_data = self.client_data("webauthn.get", said(options, "/challenge"));
        let response = json!({
            "clientDataJSON": text(&client_data),
            "authenticatorData": text(&data),
            "signature": text(&self.sign(&data, &client_data)),
            "userHandle": self.handle,
        });
        json!({"id": text(&self.id), "rawId": text(&self.id), "type": "public-key", "response": response}).to_string()
    }
}
