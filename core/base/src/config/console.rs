//! `[console]`: the place where operators work.

use std::collections::BTreeMap;
use std::net::IpAddr;

use ipnet::IpNet;
use serde::Deserialize;

use super::accounts::SessionsConfig;
use super::check::Check;
use super::network::unify;
use super::value::{Malformed, read_from_text};
use crate::roles::is_built_in;

/// Settings of the operator's console.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConsoleConfig {
    /// Whether there is a console.
    pub enabled: bool,
    /// Where it begins, below the shop's root.
    pub path: ConsolePath,
    /// The networks that it can be reached from; from anywhere without one.
    pub networks: Vec<ConsoleNetwork>,
    /// Whether everybody needs a second factor, and not only who has set one up.
    pub require_second_factor: bool,
    /// How long people stay logged in.
    pub sessions: SessionsConfig,
    /// Roles besides those that come along, by name.
    #[serde(default)]
    pub roles: BTreeMap<String, ConsoleRole>,
}

/// A role of the operator's own.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ConsoleRole {
    /// What it may do: abilities such as `orders.view`, all of a subject as `orders.*`, or one act of all subjects as `*.view`.
    pub abilities: Vec<String>,
}

/// The path of the console, such as `/console`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ConsolePath(pub String);

read_from_text!(ConsolePath, "a path with one slash at its beginning, such as \"/console\"", |text| {
    let name = text.strip_prefix('/').ok_or(Malformed::Unexpected)?;
    let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-';
    let fits = (1..=64).contains(&name.len()) && name.bytes().all(is_plain);
    if !fits {
        return Err(Malformed::Because(String::from(
            "it must be a slash and up to 64 lower-case letters, digits and hyphens, such as \"/console\"",
        )));
    }
    if text == "/api" {
        return Err(Malformed::Because(String::from("the API is there; choose another path, such as \"/console\"")));
    }
    Ok(Self(text.to_owned()))
});

/// A network or a single address that the console can be reached from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ConsoleNetwork(IpNet);

read_from_text!(ConsoleNetwork, "an IP address or a network, such as \"192.0.2.0/24\"", |text| {
    let network = text.parse::<IpNet>().or_else(|_| text.parse::<IpAddr>().map(IpNet::from));
    network.map(|network| Self(unify(network).trunc())).map_err(|_| Malformed::Unexpected)
});

impl ConsoleConfig {
    /// Whether the console can be reached from this address.
    pub fn is_open_to(&self, client: IpAddr) -> bool {
        self.networks.is_empty() || self.networks.iter().any(|network| network.0.contains(&client.to_canonical()))
    }

    /// Notes what is wrong beyond the form of single settings.
    pub(super) fn check(&self, check: &mut Check<'_>) {
        self.sessions.check(&mut check.table("sessions"));
        for name in self.roles.keys() {
            let is_plain = |byte: u8| byte.is_ascii_lowercase() || byte.is_ascii_digit() || matches!(byte, b'-' | b'_');
            if name.is_empty() || name.len() > 40 || !name.bytes().all(is_plain) {
                check.table("roles").refuse(
                    name,
                    "the name of a role has up to 40 lower-case letters, digits, `-` and `_`, such as `packing`",
                );
            } else if is_built_in(name) {
                check.table("roles").refuse(name, "there is a role of this name already; choose another one");
            }
        }
    }
}
