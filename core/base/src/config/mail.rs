//! `[mail]`: messages to customers.

use std::path::PathBuf;

use serde::Deserialize;
use serde::de::Deserializer;

use super::authority;
use super::check::Check;
use super::value::{self, Malformed, within};
use crate::secret::Secret;

/// Settings of e-mail.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct MailConfig {
    /// Sender of all messages; there when there is a server.
    #[serde(default, deserialize_with = "sender")]
    pub from: Option<Sender>,
    /// Folder with templates of the shop's own.
    #[serde(default, deserialize_with = "value::path")]
    pub templates: Option<PathBuf>,
    /// Addresses that are written to about each order, support ticket and withdrawal.
    #[serde(default, deserialize_with = "addresses")]
    pub notify: Vec<String>,
    /// Days after which what was sent is forgotten; 0 forgets it at once.
    #[serde(deserialize_with = "within::<_, _, 0, 3_650>")]
    pub retention_days: i64,
    /// The server that sends them.
    pub smtp: SmtpConfig,
}

/// Who messages are from: `shop@example.com`, or `Example Shop <shop@example.com>`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Sender {
    name: Option<String>,
    address: lettre::Address,
}

impl Sender {
    /// The sender that this text names, on one line.
    pub fn parse(text: &str) -> Option<Self> {
        let (name, address) = match text.split_once('<') {
            Some((name, rest)) => (name.trim().trim_matches('"').trim(), rest.strip_suffix('>')?),
            None => ("", text),
        };
        let is_line = !text.contains(char::is_control);
        let address = address.parse().ok().filter(|_| is_line)?;
        Some(Self { name: (!name.is_empty()).then(|| name.to_owned()), address })
    }

    /// The name that readers see beside the address.
    pub fn name(&self) -> Option<&str> {
        self.name.as_deref()
    }

    /// The address itself.
    pub fn address(&self) -> &lettre::Address {
        &self.address
    }
}

/// The server that sends messages. Without a host, none are sent.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct SmtpConfig {
    /// Name or address of the server.
    #[serde(default, deserialize_with = "host")]
    pub host: Option<String>,
    /// Its port.
    #[serde(deserialize_with = "within::<_, _, 1, 65_535>")]
    pub port: u16,
    /// How the connection is protected.
    pub encryption: SmtpEncryption,
    /// File with one more certificate authority (PEM).
    #[serde(default, deserialize_with = "value::path")]
    pub extra_ca_file: Option<PathBuf>,
    /// Name to log in with.
    pub username: Option<String>,
    /// Password to log in with.
    pub password: Option<Secret>,
}

/// How the connection to the mail server is protected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum SmtpEncryption {
    /// Begins in the clear and must change to TLS before anything is sent.
    StartTls,
    /// TLS from the first byte on.
    Tls,
    /// None at all.
    None,
}

impl MailConfig {
    /// Notes what is wrong beyond the form of single settings.
    pub(super) fn check(&self, check: &mut Check<'_>) {
        if let Some(reason) = self.smtp.extra_ca_file.as_deref().and_then(authority::refusal) {
            check.table("smtp").refuse("extra_ca_file", &reason);
        }
        if !check.is_sound() {
            return;
        }
        if self.smtp.host.is_some() && self.from.is_none() {
            let reason = "a sender is needed when there is a mail server, such as \"Shop <shop@example.com>\"";
            check.refuse_because_of("smtp", "from", reason);
        }
        let mut check = check.table("smtp");
        match (&self.smtp.username, &self.smtp.password) {
            (Some(_), None) => {
                check.refuse_because_of(
                    "username",
                    "password",
                    "a user name needs a password; set it, or leave the user name out",
                );
            }
            (None, Some(_)) => {
                check.refuse_because_of(
                    "password",
                    "username",
                    "a password needs a user name; set it, or leave the password out",
                );
            }
            (Some(_), Some(_)) | (None, None) => {}
        }
    }
}

fn sender<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Sender>, D::Error> {
    value::text(deserializer, "an e-mail address, such as \"Shop <shop@example.com>\"", |text| {
        Sender::parse(text).map(Some).ok_or(Malformed::Unexpected)
    })
}

/// An address that the shop writes to.
#[derive(Deserialize)]
struct Notified(#[serde(deserialize_with = "address")] String);

fn addresses<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<String>, D::Error> {
    let mut addresses = Vec::<String>::new();
    for Notified(address) in Vec::<Notified>::deserialize(deserializer)? {
        if !addresses.iter().any(|known| known.eq_ignore_ascii_case(&address)) {
            addresses.push(address);
        }
    }
    Ok(addresses)
}

fn address<'de, D: Deserializer<'de>>(deserializer: D) -> Result<String, D::Error> {
    value::text(deserializer, "an e-mail address, such as \"owner@example.com\"", |text| {
        let is_address = text.parse::<lettre::Address>().is_ok();
        is_address.then(|| text.to_owned()).ok_or(Malformed::Unexpected)
    })
}

fn host<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    value::text(deserializer, "the name of a server, such as \"smtp.example.com\"", |text| {
        match url::Host::parse(text) {
            Ok(_) => Ok(Some(text.to_owned())),
            Err(_) => Err(Malformed::Unexpected),
        }
    })
}
