//! The URL of a database as environment variables for PostgreSQL's own programs.
//!
//! As arguments, the password would stand in the list of processes, which every user of the machine may read. The
//! variables of a process can be read by its own user only.

use percent_encoding::percent_decode_str;
use stoa_core::config::PostgresUrl;
use url::Url;

/// The variables (`PGHOST` and so on) that name the same database as the URL, read as the server's driver reads it.
pub(super) fn variables(url: &PostgresUrl) -> Vec<(&'static str, String)> {
    let Ok(url) = Url::parse(url.expose()) else { return Vec::new() };
    let decoded = |text: &str| percent_decode_str(text).decode_utf8_lossy().into_owned();
    let mut variables = Vec::new();
    let mut options = Vec::new();
    if let Some(host) = url.host_str().filter(|host| !host.is_empty()) {
        // An IPv6 address stands in brackets in a URL only.
        variables.push(("PGHOST", decoded(host.trim_start_matches('[').trim_end_matches(']'))));
    }
    if let Some(port) = url.port() {
        variables.push(("PGPORT", port.to_string()));
    }
    if !url.username().is_empty() {
        variables.push(("PGUSER", decoded(url.username())));
    }
    if let Some(password) = url.password() {
        variables.push(("PGPASSWORD", decoded(password)));
    }
    let database = url.path().trim_start_matches('/');
    if !database.is_empty() {
        variables.push(("PGDATABASE", decoded(database)));
    }
    for (key, value) in url.query_pairs() {
        let name = match &*key {
            "host" | "hostaddr" => "PGHOST",
            "port" => "PGPORT",
            "user" => "PGUSER",
            "password" => "PGPASSWORD",
            "dbname" => "PGDATABASE",
            "sslmode" | "ssl-mode" => "PGSSLMODE",
            "sslrootcert" | "ssl-root-cert" | "ssl-ca" => "PGSSLROOTCERT",
            "sslcert" | "ssl-cert" => "PGSSLCERT",
            "sslkey" | "ssl-key" => "PGSSLKEY",
            "options" => {
                options.push(value.into_owned());
                continue;
            }
            key => {
                let setting = key.strip_prefix("options[").and_then(|key| key.strip_suffix(']'));
                options.extend(setting.map(|setting| format!("-c {setting}={value}")));
                continue;
            }
        };
        variables.push((name, value.into_owned()));
    }
    if !options.is_empty() {
        variables.push(("PGOPTIONS", options.join(" ")));
    }
    variables
}

#[cfg(test)]
mod tests {
    use stoa_core::config::DatabaseUrl;

    use super::*;

    fn of(text: &str) -> Vec<(&'static str, String)> {
        let Some(DatabaseUrl::Postgres(url)) = DatabaseUrl::parse(text) else { panic!("{text} is no PostgreSQL URL") };
        variables(&url)
    }

    fn expected(pairs: &[(&'static str, &str)]) -> Vec<(&'static str, String)> {
        pairs.iter().map(|(name, value)| (*name, (*value).to_owned())).collect()
    }

    #[test]
    fn all_parts_of_a_url_are_taken_over() {
        assert_eq!(
            of("postgres://shop:p%40ss%2Fword@db.example:5433/my%20shop?sslmode=require"),
            expected(&[
                ("PGHOST", "db.example"),
                ("PGPORT", "5433"),
                ("PGUSER", "shop"),
                ("PGPASSWORD", "p@ss/word"),
                ("PGDATABASE", "my shop"),
                ("PGSSLMODE", "require"),
            ])
        );
    }

    #[test]
    fn sockets_and_addresses_are_taken_over() {
        assert_eq!(of("postgres:///stoa?host=/run/pg"), expected(&[("PGDATABASE", "stoa"), ("PGHOST", "/run/pg")]));
        assert_eq!(of("postgres://%2Frun%2Fpg/stoa"), expected(&[("PGHOST", "/run/pg"), ("PGDATABASE", "stoa")]));
        assert_eq!(of("postgres://[::1]/stoa"), expected(&[("PGHOST", "::1"), ("PGDATABASE", "stoa")]));
    }

    #[test]
    fn options_are_collected() {
        assert_eq!(
            of("postgres://db/stoa?options[search_path]=shop&options=-c%20geqo%3Doff"),
            expected(&[("PGHOST", "db"), ("PGDATABASE", "stoa"), ("PGOPTIONS", "-c search_path=shop -c geqo=off")])
        );
    }
}
