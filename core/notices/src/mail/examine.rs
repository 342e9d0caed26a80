//! Whether the mail server would take messages, for `stoa doctor`.

use std::time::Duration;

use stoa_kernel::config::MailConfig;

use super::server::{Failure, MailServer};

/// What came of talking to the mail server.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ExaminedServer {
    /// Host and port, or what stands in the way of asking there.
    pub place: String,
    /// Whether it answered, and took the shop's password; why not, in the server's words or the system's.
    pub answer: Result<(), String>,
}

/// Connects to the configured mail server as for a message, with encryption and password, and sends nothing. None without a
/// server. It takes no longer than `patience`.
pub async fn examine_mail_server(config: &MailConfig, base_url: &str, patience: Duration) -> Option<ExaminedServer> {
    let server = match MailServer::of(&config.smtp, base_url, patience) {
        Ok(server) => server?,
        Err(error) => {
            return Some(ExaminedServer { place: config.smtp.host.clone()?, answer: Err(error.to_string()) });
        }
    };
    let answer = server.greet().await.map_err(|failure| match failure {
        Failure::Refused { text, .. } | Failure::Postponed { text, .. } | Failure::Unreachable(text) => text,
    });
    Some(ExaminedServer { place: server.address(), answer })
}
