//! Why Redis cannot be used, in words of our own.

use redis::{ErrorKind, RedisError, ServerErrorKind};

/// Why Redis cannot be used.
///
/// It repeats nothing that the server said: some servers answer a command that they do not know with its arguments,
/// among which may be a password.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum RedisTrouble {
    /// Nothing listens at the address.
    #[error("nothing listens at its address")]
    Refused,
    /// It takes too long.
    #[error("it does not answer in time")]
    Silent,
    /// It wants a password, or another one.
    #[error("it does not accept the user or the password")]
    Credentials,
    /// The user lacks rights.
    #[error("its user lacks the rights that counting needs")]
    Rights,
    /// It takes no changes.
    #[error("it is a replica that takes no changes")]
    ReadOnly,
    /// It keeps a part of the keys only.
    #[error("it is one node of a cluster")]
    Cluster,
    /// Something else listens there, or somebody else uses our keys.
    #[error("its answers are not those that were expected")]
    Gibberish,
    /// The connection fails or breaks; what the system said.
    #[error("the connection fails: {0}")]
    Connection(String),
    /// Any other refusal, with Redis's code for it.
    #[error("it refuses with the error {0}")]
    Refusal(String),
}

impl RedisTrouble {
    /// What an error of the client means.
    pub(super) fn of(error: &RedisError) -> Self {
        if error.is_connection_refusal() {
            return Self::Refused;
        }
        if error.is_timeout() {
            return Self::Silent;
        }
        if error.is_cluster_error() {
            return Self::Cluster;
        }
        match error.kind() {
            ErrorKind::AuthenticationFailed => Self::Credentials,
            ErrorKind::Server(ServerErrorKind::NoPerm) => Self::Rights,
            ErrorKind::Server(ServerErrorKind::ReadOnly) => Self::ReadOnly,
            ErrorKind::Parse | ErrorKind::UnexpectedReturnType => Self::Gibberish,
            ErrorKind::Io => Self::Connection(error.to_string()),
            _ => match error.code() {
                Some("NOAUTH" | "WRONGPASS") => Self::Credentials,
                Some("WRONGTYPE") => Self::Gibberish,
                Some(code) => Self::Refusal(code.to_owned()),
                None => Self::Connection(error.category().to_owned()),
            },
        }
    }
}
