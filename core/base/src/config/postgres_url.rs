//! The address of a PostgreSQL database, as libpq writes it.
//!
//! The driver knows one host and ignores what it does not understand. So the address is read here, and whoever connects gets
//! its parts, each under libpq's own name.

use std::fmt;
use std::net::IpAddr;
use std::time::Duration;

use percent_encoding::percent_decode_str;
use url::{Url, form_urlencoded};

use super::target_session::TargetSession;
use super::value::Malformed;
use crate::secret::Secret;
use crate::suggestion::{closest, did_you_mean};

/// What can be said after the `?`: how it may be written, and libpq's name.
const PARAMETERS: [(&str, &str); 19] = [
    ("host", "host"),
    ("hostaddr", "hostaddr"),
    ("port", "port"),
    ("dbname", "dbname"),
    ("user", "user"),
    ("password", "password"),
    ("sslmode", "sslmode"),
    ("ssl-mode", "sslmode"),
    ("sslrootcert", "sslrootcert"),
    ("ssl-root-cert", "sslrootcert"),
    ("ssl-ca", "sslrootcert"),
    ("sslcert", "sslcert"),
    ("ssl-cert", "sslcert"),
    ("sslkey", "sslkey"),
    ("ssl-key", "sslkey"),
    ("application_name", "application_name"),
    ("options", "options"),
    ("connect_timeout", "connect_timeout"),
    ("target_session_attrs", "target_session_attrs"),
];

/// What libpq can be told to do that is done anyway.
const DONE_ANYWAY: [(&str, &[&str]); 5] = [
    ("client_encoding", &["UTF8", "utf8", "UTF-8", "auto"]),
    ("gssencmode", &["disable", "prefer"]),
    ("channel_binding", &["disable", "prefer"]),
    ("load_balance_hosts", &["disable"]),
    ("sslcompression", &["0"]),
];

const SSL_MODES: [&str; 6] = ["disable", "allow", "prefer", "require", "verify-ca", "verify-full"];

/// Longest time in seconds that making a connection may take.
const LONGEST_CONNECT: u64 = 60;

const MALFORMED: &str = "this cannot be read as postgres://USER:PASSWORD@HOST:PORT/NAME; special characters of a password are written as %40";

/// One of the servers that an address names.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PostgresHost {
    /// Its name or address, or the folder of its socket; none leaves it to the driver.
    pub host: Option<String>,
    /// Its port; none leaves it to the driver.
    pub port: Option<u16>,
}

/// The address of a PostgreSQL database, with its password. Neither `Debug` nor `Display` shows that.
#[derive(Clone, PartialEq)]
pub struct PostgresUrl {
    url: Secret,
    shown: String,
    hosts: Vec<PostgresHost>,
    parameters: Vec<(&'static str, Secret)>,
    connect_timeout: Option<Duration>,
    target: Option<TargetSession>,
}

impl PostgresUrl {
    pub(super) fn read(text: &str) -> Result<Self, Malformed> {
        let malformed = || because(MALFORMED);
        let (scheme, rest) = text.split_once("://").ok_or_else(malformed)?;
        if rest.contains(|letter: char| letter == '#' || letter.is_whitespace() || letter.is_control()) {
            return Err(malformed());
        }
        let (address, query) = rest.split_once('?').unwrap_or((rest, ""));
        let (authority, database) = address.split_once('/').unwrap_or((address, ""));
        let (user_info, hosts) =
            authority.rsplit_once('@').map_or((None, authority), |(user_info, hosts)| (Some(user_info), hosts));
        let mut said = Said::default();
        let (user, password) = match user_info.map(|info| info.split_once(':').unwrap_or((info, ""))) {
            Some((user, password)) => (user, password),
            None => ("", ""),
        };
        for (name, value) in [("user", user), ("password", password), ("dbname", database)] {
            if !value.is_empty() {
                said.say(name, decoded(value)?)?;
            }
        }
        let mut parsed = hosts.split(',').map(read_host).collect::<Result<Vec<_>, _>>()?;
        for (key, value) in form_urlencoded::parse(query.as_bytes()) {
            said.read(&key, value.into_owned())?;
        }
        said.hosts(&mut parsed)?;
        let connect_timeout = said.take("connect_timeout").map(|value| read_timeout(&value)).transpose()?;
        let target = said.take("target_session_attrs").map(|value| TargetSession::read(&value)).transpose()?;
        let shown_user = match user_info {
            Some(_) if !password.is_empty() => format!("{user}:***@"),
            Some(_) => format!("{user}@"),
            None => String::new(),
        };
        let path = &address[authority.len()..];
        Ok(Self {
            url: Secret::new(text),
            // Parameters may hold a password too.
            shown: format!("{scheme}://{shown_user}{hosts}{path}"),
            hosts: parsed,
            parameters: said.0.into_iter().map(|(name, value)| (name, Secret::new(value))).collect(),
            connect_timeout,
            target,
        })
    }

    /// The whole address, as it was written.
    pub fn expose(&self) -> &str {
        self.url.expose()
    }

    /// Where the database is, in the order in which it is looked for; at least one.
    pub fn hosts(&self) -> &[PostgresHost] {
        &self.hosts
    }

    /// What else is to be told to each server, by libpq's names; among it may be a password.
    pub fn parameters(&self) -> impl Iterator<Item = (&'static str, &str)> {
        self.parameters.iter().map(|(name, value)| (*name, value.expose()))
    }

    /// How long making a connection may take.
    pub fn connect_timeout(&self) -> Option<Duration> {
        self.connect_timeout
    }

    /// What `target_session_attrs` asks for.
    pub fn target(&self) -> Option<TargetSession> {
        self.target
    }

    /// Whether a parameter is said.
    pub(super) fn says(&self, name: &str) -> bool {
        self.parameters.iter().any(|(said, _)| *said == name)
    }
}

impl fmt::Display for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.shown)
    }
}

impl fmt::Debug for PostgresUrl {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, f)
    }
}

/// What an address says, by libpq's names.
#[derive(Default)]
struct Said(Vec<(&'static str, String)>);

impl Said {
    fn say(&mut self, name: &'static str, value: String) -> Result<(), Malformed> {
        match self.0.iter_mut().find(|(said, _)| *said == name) {
            // The server takes them one after another.
            Some((_, options)) if name == "options" => {
                options.push(' ');
                options.push_str(&value);
            }
            Some(_) => return Err(because(format!("`{name}` is said twice; leave one out"))),
            None => self.0.push((name, value)),
        }
        Ok(())
    }

    fn take(&mut self, name: &str) -> Option<String> {
        let place = self.0.iter().position(|(said, _)| *said == name)?;
        Some(self.0.remove(place).1)
    }

    /// Takes one parameter over.
    fn read(&mut self, key: &str, value: String) -> Result<(), Malformed> {
        if let Some((_, name)) = PARAMETERS.iter().find(|(written, _)| *written == key) {
            if *name == "sslmode" && !SSL_MODES.contains(&value.as_str()) {
                return Err(because(format!("`sslmode` must be one of {}", SSL_MODES.join(", "))));
            }
            return self.say(name, value);
        }
        if let Some(setting) = key.strip_prefix("options[").and_then(|key| key.strip_suffix(']')) {
            return self.say("options", format!("-c {setting}={value}"));
        }
        if let Some((_, harmless)) = DONE_ANYWAY.iter().find(|(written, _)| *written == key) {
            if harmless.contains(&value.as_str()) {
                return Ok(());
            }
            return Err(because(format!("of `{key}`, Stoa knows {} alone; leave it out", harmless.join(" and "))));
        }
        // The rest of a password with a `?` may stand here.
        let is_word = key.len() <= 40 && key.bytes().all(|byte| byte.is_ascii_lowercase() || byte == b'_');
        Err(because(match closest(key, PARAMETERS.map(|(written, _)| written)) {
            meant @ Some(_) if is_word => format!("there is no parameter `{key}`{}", did_you_mean(meant)),
            _ if is_word => format!("Stoa does not know the parameter `{key}`; leave it out"),
            _ => format!("what stands after the `?` is no parameter; {MALFORMED}"),
        }))
    }

    /// Adds hosts and ports that are said after the `?`, each a list.
    fn hosts(&mut self, hosts: &mut Vec<PostgresHost>) -> Result<(), Malformed> {
        let (named, addresses, ports) = (self.take("host"), self.take("hostaddr"), self.take("port"));
        if named.is_some() && addresses.is_some() {
            return Err(because("`host` and `hostaddr` both say where the servers are; leave one out"));
        }
        if let Some(addresses) = &addresses
            && addresses.split(',').any(|address| address.parse::<IpAddr>().is_err())
        {
            return Err(because("`hostaddr` is an IP address, or several with commas between them"));
        }
        if let Some(list) = named.or(addresses) {
            if hosts.iter().any(|known| known.host.is_some()) {
                return Err(because("the hosts are said twice: before the `/` and as `host`; leave one out"));
            }
            let named = list.split(',').map(|host| (!host.is_empty()).then(|| host.to_owned()));
            let port = hosts.first().and_then(|known| known.port);
            *hosts = named.map(|host| PostgresHost { host, port }).collect();
        }
        let Some(ports) = ports else { return Ok(()) };
        let ports = ports.split(',').map(read_port).collect::<Result<Vec<_>, _>>()?;
        if hosts.iter().any(|known| known.port.is_some()) {
            return Err(because("the port is said twice; leave one out"));
        }
        if ports.len() != 1 && ports.len() != hosts.len() {
            let (ports, hosts) = (ports.len(), hosts.len());
            return Err(because(format!(
                "`port` names {ports} ports for {hosts} hosts; name one, or one for each host"
            )));
        }
        for (known, port) in hosts.iter_mut().zip(ports.iter().cycle()) {
            known.port = *port;
        }
        Ok(())
    }
}

fn because(reason: impl Into<String>) -> Malformed {
    Malformed::Because(reason.into())
}

fn decoded(text: &str) -> Result<String, Malformed> {
    let decoded = percent_decode_str(text).decode_utf8().map_err(|_| because(MALFORMED))?;
    Ok(decoded.into_owned())
}

/// One of the hosts before the `/`, with its port.
fn read_host(text: &str) -> Result<PostgresHost, Malformed> {
    // An IPv6 address has colons too, and stands in brackets.
    let (host, port) = match text.rsplit_once(':') {
        Some((host, port)) if !port.contains(']') => (host, read_port(port)?),
        _ => (text, None),
    };
    let is_host = host.is_empty() || Url::parse(&format!("postgres://{host}/")).is_ok();
    if !is_host || (host.contains(':') && !host.starts_with('[')) {
        return Err(because(MALFORMED));
    }
    let host = decoded(host.trim_start_matches('[').trim_end_matches(']'))?;
    Ok(PostgresHost { host: (!host.is_empty()).then_some(host), port })
}

fn read_port(text: &str) -> Result<Option<u16>, Malformed> {
    if text.is_empty() {
        return Ok(None);
    }
    let port = text.parse::<u16>().ok().filter(|port| *port > 0);
    port.map(Some).ok_or_else(|| because(format!("a port is a number from 1 to 65535; {MALFORMED}")))
}

fn read_timeout(text: &str) -> Result<Duration, Malformed> {
    let seconds = text.parse::<u64>().ok().filter(|seconds| (1..=LONGEST_CONNECT).contains(seconds));
    let problem = || because(format!("`connect_timeout` is a number of seconds from 1 to {LONGEST_CONNECT}"));
    seconds.map(Duration::from_secs).ok_or_else(problem)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> PostgresUrl {
        PostgresUrl::read(text).unwrap_or_else(|malformed| panic!("{text}: {malformed:?}"))
    }

    fn hosts(text: &str) -> Vec<(Option<String>, Option<u16>)> {
        read(text).hosts().iter().map(|known| (known.host.clone(), known.port)).collect()
    }

    fn refusal(text: &str) -> String {
        match PostgresUrl::read(text) {
            Err(Malformed::Because(reason)) => reason,
            other => panic!("{text}: {other:?}"),
        }
    }

    #[test]
    fn hosts_and_ports_are_read_wherever_they_are_written() {
        let host = |name: &str, port| (Some(name.to_owned()), port);
        assert_eq!(hosts("postgres://u:p@one:5432,two:5433/db"), [host("one", Some(5432)), host("two", Some(5433))]);
        assert_eq!(hosts("postgres://one,[::1]:7/db"), [host("one", None), host("::1", Some(7))]);
        assert_eq!(hosts("postgres:///db?host=one,/run/pg&port=1,2"), [host("one", Some(1)), host("/run/pg", Some(2))]);
        assert_eq!(hosts("postgres:///db?hostaddr=10.0.0.1,10.0.0.2&port=9").len(), 2);
        assert_eq!(hosts("postgres://%2Frun%2Fpg/stoa"), [host("/run/pg", None)]);
        assert_eq!(hosts("postgres:///stoa"), [(None, None)]);
    }

    #[test]
    fn all_else_has_the_name_that_libpq_gives_it() {
        let url = read(
            "postgres://shop:p%40ss%2F@db/my%20shop?sslmode=require&ssl-ca=/ca.pem&application_name=web&options=-c%20a=b\
             &options[c]=d&connect_timeout=3&target_session_attrs=primary&channel_binding=prefer",
        );
        let said = url.parameters().collect::<Vec<_>>();
        let expected = [
            ("user", "shop"),
            ("password", "p@ss/"),
            ("dbname", "my shop"),
            ("sslmode", "require"),
            ("sslrootcert", "/ca.pem"),
            ("application_name", "web"),
            ("options", "-c a=b -c c=d"),
        ];
        assert_eq!(said, expected);
        assert_eq!((url.connect_timeout(), url.target()), (Some(Duration::from_secs(3)), Some(TargetSession::Primary)));
        assert_eq!(url.to_string(), "postgres://shop:***@db/my%20shop");
    }

    #[test]
    fn what_is_unknown_or_contradicts_itself_is_refused_by_name() {
        for (text, told) in [
            ("postgres://h/db?sslmod=require", "did you mean `sslmode`?"),
            ("postgres://h/db?krbsrvname=x", "does not know the parameter `krbsrvname`"),
            ("postgres://h/db?channel_binding=require", "of `channel_binding`, Stoa knows"),
            ("postgres://h/db?sslmode=yes", "`sslmode` must be one of disable"),
            ("postgres://h/db?target_session_attrs=master", "must be one of any, read-write"),
            ("postgres://h/db?connect_timeout=0", "from 1 to 60"),
            ("postgres://h/db?host=other", "the hosts are said twice"),
            ("postgres://h/db?host=a&hostaddr=10.0.0.1", "leave one out"),
            ("postgres:///db?hostaddr=db.example", "`hostaddr` is an IP address"),
            ("postgres://u@h/db?user=other", "`user` is said twice"),
            ("postgres://a,b,c/db?port=1,2", "2 ports for 3 hosts"),
            ("postgres://a:1/db?port=2", "the port is said twice"),
            ("postgres://a:x/db", "a port is a number"),
            ("postgres://a b/db", "cannot be read"),
            ("postgres://u:pass?hunter2@h/db", "a port is a number"),
            ("postgres://u:1?hunter2@h/db", "is no parameter"),
        ] {
            let said = refusal(text);
            assert!(said.contains(told) && !said.contains("hunter2"), "{text}: {said}");
        }
    }
}
