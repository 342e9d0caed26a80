//! The operator's mail server.

use std::path::{Path, PathBuf};
use std::time::Duration;

use lettre::Message;
use lettre::transport::smtp::authentication::{Credentials, DEFAULT_MECHANISMS};
use lettre::transport::smtp::client::{AsyncSmtpConnection, Certificate, TlsParameters};
use lettre::transport::smtp::extension::ClientId;
use lettre::transport::smtp::{Error, response::Severity};
use url::{Host, Url};

use stoa_kernel::config::{SmtpConfig, SmtpEncryption};
use stoa_kernel::error_chain;
use stoa_kernel::secret::Secret;

/// How long a server that has taken a message may take to say goodbye.
const FAREWELL: Duration = Duration::from_secs(2);

/// Characters that are kept of what a server says.
const MAX_REASON: usize = 1000;

/// What kept a message from being taken over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Failure {
    /// The server refuses this message, and would again.
    Refused { text: String, code: u16 },
    /// The server refuses for now, or does not take the shop's password.
    Postponed { text: String, code: u16 },
    /// There is no talking to the server, about this message or another one.
    Unreachable(String),
}

/// The server, and how the shop introduces itself there.
pub(super) struct MailServer {
    host: String,
    port: u16,
    encryption: SmtpEncryption,
    tls: Option<TlsParameters>,
    credentials: Option<Credentials>,
    own_name: ClientId,
    patience: Duration,
}

impl MailServer {
    /// The configured server; none when there is no host. Each message may take as long as `patience`.
    pub(super) fn of(config: &SmtpConfig, base_url: &str, patience: Duration) -> Result<Option<Self>, Unprepared> {
        let Some(host) = &config.host else { return Ok(None) };
        // An IPv6 address stands in brackets in the configuration, and without them elsewhere.
        let host = host.trim_start_matches('[').trim_end_matches(']').to_owned();
        let tls = match config.encryption {
            SmtpEncryption::StartTls | SmtpEncryption::Tls => Some(believing(&host, config.extra_ca_file.as_deref())?),
            SmtpEncryption::None => None,
        };
        let credentials = config.username.clone().zip(config.password.as_ref().map(Secret::expose));
        let credentials = credentials.map(|(name, password)| Credentials::new(name, password.to_owned()));
        let own_name = own_name(base_url);
        let (port, encryption) = (config.port, config.encryption);
        Ok(Some(Self { host, port, encryption, tls, credentials, own_name, patience }))
    }

    /// Hands a message over, in a connection of its own: one that was broken off in the middle of an answer must not
    /// be used again.
    /// Returns what the server has answered.
    pub(super) async fn send(&self, message: &Message) -> Result<String, Failure> {
        let spoken = tokio::time::timeout(self.patience, self.talk(message)).await;
        let (mut connection, answer) = spoken.map_err(|_| self.silent())?.map_err(|error| failure(&error))?;
        // The message is delivered; whatever becomes of the farewell, it must not be sent again.
        let _ = tokio::time::timeout(FAREWELL, connection.quit()).await;
        Ok(answer)
    }

    /// Introduces the shop to the server, with its password, and sends nothing.
    pub(super) async fn greet(&self) -> Result<(), Failure> {
        let opened = tokio::time::timeout(self.patience, self.open()).await;
        let mut connection = opened.map_err(|_| self.silent())?.map_err(|error| failure(&error))?;
        let _ = tokio::time::timeout(FAREWELL, connection.quit()).await;
        Ok(())
    }

    /// Host and port.
    pub(super) fn address(&self) -> String {
        format!("{}:{}", self.host, self.port)
    }

    fn silent(&self) -> Failure {
        Failure::Unreachable(format!("no answer within {} ms", self.patience.as_millis()))
    }

    async fn talk(&self, message: &Message) -> Result<(AsyncSmtpConnection, String), Error> {
        let mut connection = self.open().await?;
        let response = connection.send(message.envelope(), &message.formatted()).await?;
        let words = std::iter::once(response.code().to_string()).chain(response.message().map(str::to_owned));
        let answer = words.collect::<Vec<_>>().join(" ").replace(char::is_control, " ");
        Ok((connection, answer.chars().take(MAX_REASON).collect()))
    }

    async fn open(&self) -> Result<AsyncSmtpConnection, Error> {
        let from_the_start = self.tls.clone().filter(|_| self.encryption == SmtpEncryption::Tls);
        let place = (self.host.as_str(), self.port);
        let mut connection =
            AsyncSmtpConnection::connect_tokio1(place, Some(self.patience), &self.own_name, from_the_start, None)
                .await?;
        if let Some(tls) = self.tls.clone().filter(|_| self.encryption == SmtpEncryption::StartTls) {
            connection.starttls(tls, &self.own_name).await?;
        }
        if let Some(credentials) = &self.credentials {
            connection.auth(DEFAULT_MECHANISMS, credentials).await?;
        }
        Ok(connection)
    }
}

/// Believes what the system believes, and one more authority where there is one.
fn believing(host: &str, extra_ca_file: Option<&Path>) -> Result<TlsParameters, Unprepared> {
    let mut parameters = TlsParameters::builder(host.to_owned());
    if let Some(file) = extra_ca_file {
        let unusable =
            |error: &dyn std::error::Error| Unprepared::Authority { file: file.to_owned(), reason: error_chain(error) };
        let text = std::fs::read(file).map_err(|error| unusable(&error))?;
        let authority = Certificate::from_pem(&text).map_err(|error| unusable(&error))?;
        parameters = parameters.add_root_certificate(authority);
    }
    Ok(parameters.build()?)
}

/// Why no server can be spoken to.
#[derive(Debug, thiserror::Error)]
pub(super) enum Unprepared {
    /// The file cannot be read, or holds no certificate.
    #[error("mail.smtp.extra_ca_file {}: {reason}", file.display())]
    Authority { file: PathBuf, reason: String },
    /// The system's authorities cannot be read.
    #[error(transparent)]
    Tls(#[from] Error),
}

/// Name or address of the shop, as its customers know it.
fn own_name(base_url: &str) -> ClientId {
    let url = Url::parse(base_url).ok();
    match url.as_ref().and_then(Url::host) {
        Some(Host::Domain(name)) => ClientId::Domain(name.to_owned()),
        Some(Host::Ipv4(address)) => ClientId::Ipv4(address),
        Some(Host::Ipv6(address)) => ClientId::Ipv6(address),
        None => ClientId::default(),
    }
}

/// Replies about logging in and encryption (RFC 4954): the operator can mend those.
const ABOUT_THE_SHOP: [u16; 5] = [530, 534, 535, 538, 454];

fn failure(error: &Error) -> Failure {
    let mut text = error_chain(error).chars().take(MAX_REASON).collect::<String>();
    // The library's words for a server that does not offer it.
    if text.contains("STARTTLS is not supported") {
        text.push_str("; `mail.smtp.encryption = \"none\"` is for a local server that takes mails for tests");
    }
    let Some(code) = error.status() else { return Failure::Unreachable(text) };
    let number = u16::from(code);
    match code.severity {
        Severity::PermanentNegativeCompletion if !ABOUT_THE_SHOP.contains(&number) => {
            Failure::Refused { text, code: number }
        }
        Severity::PermanentNegativeCompletion
        | Severity::TransientNegativeCompletion
        | Severity::PositiveCompletion
        | Severity::PositiveIntermediate => Failure::Postponed { text, code: number },
    }
}
