//! Who acts, and from where.

use std::fmt;
use std::net::IpAddr;
use std::sync::Arc;

/// Who does something to the shop.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub enum Actor {
    /// The shop by itself: jobs, listeners, providers' answers.
    #[default]
    System,
    /// Somebody at the command line, by the name of the account on the machine.
    CommandLine(Arc<str>),
    /// Somebody in the console, by e-mail address.
    Staff(Arc<str>),
    /// A customer, by id.
    Customer(i64),
}

impl fmt::Display for Actor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::System => f.write_str("system"),
            Self::CommandLine(user) => write!(f, "cli:{user}"),
            Self::Staff(email) => write!(f, "staff:{email}"),
            Self::Customer(id) => write!(f, "customer:{id}"),
        }
    }
}

/// Who acts through a handle of the database, and from which address.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Acting {
    /// Who it is.
    pub actor: Actor,
    /// Where the request came from; none at the command line and in jobs.
    pub address: Option<IpAddr>,
}

impl From<Actor> for Acting {
    fn from(actor: Actor) -> Self {
        Self { actor, address: None }
    }
}
