//! What the browser has said to the authenticator: on which page it was asked, and what.

use base64::Engine;
use base64::engine::general_purpose::URL_SAFE_NO_PAD;
use serde::{Deserialize, Deserializer, de};

use super::{PasskeyShop, Refusal};

/// Bytes as browsers write them in JSON.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Base64Url(pub(super) Vec<u8>);

impl<'de> Deserialize<'de> for Base64Url {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        URL_SAFE_NO_PAD.decode(text).map(Self).map_err(de::Error::custom)
    }
}

/// What was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Ceremony {
    Create,
    Get,
}

impl Ceremony {
    fn name(self) -> &'static str {
        match self {
            Self::Create => "webauthn.create",
            Self::Get => "webauthn.get",
        }
    }
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct ClientData {
    r#type: String,
    challenge: Base64Url,
    origin: String,
    #[serde(default)]
    cross_origin: bool,
    #[serde(default)]
    top_origin: Option<String>,
}

/// The challenge that was answered, if it was on a page of the shop.
pub(super) fn challenge_of(json: &[u8], ceremony: Ceremony, shop: &PasskeyShop) -> Result<Vec<u8>, Refusal> {
    // As the standard decodes UTF-8: without the mark before it, and with a sign in place of what is none.
    let text = String::from_utf8_lossy(json);
    let text = text.strip_prefix('\u{feff}').unwrap_or(&text);
    let said = serde_json::from_str::<ClientData>(text).map_err(|_| Refusal::Malformed)?;
    if said.r#type != ceremony.name() {
        return Err(Refusal::Malformed);
    }
    if said.origin != shop.origin() || said.cross_origin || said.top_origin.is_some() {
        return Err(Refusal::Site);
    }
    Ok(said.challenge.0)
}
