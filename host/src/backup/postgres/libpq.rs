//! The URL of a database as environment variables for PostgreSQL's own programs.
//!
//! As arguments, the password would stand in the list of processes, which every user of the machine may read. The
//! variables of a process can be read by its own user only.

use stoa_core::config::PostgresUrl;

/// The variables (`PGHOST` and so on) that name the same database as the URL, read as the shop reads it.
pub(super) fn variables(url: &PostgresUrl) -> Vec<(&'static str, String)> {
    let mut variables = Vec::new();
    let list = |values: Vec<Option<String>>| {
        let is_said = values.iter().any(Option::is_some);
        is_said.then(|| values.into_iter().map(Option::unwrap_or_default).collect::<Vec<_>>().join(","))
    };
    let hosts = list(url.hosts().iter().map(|host| host.host.clone()).collect());
    let ports = list(url.hosts().iter().map(|host| host.port.map(|port| port.to_string())).collect());
    variables.extend(hosts.map(|hosts| ("PGHOST", hosts)));
    variables.extend(ports.map(|ports| ("PGPORT", ports)));
    for (parameter, value) in url.parameters() {
        let name = match parameter {
            "user" => "PGUSER",
            "password" => "PGPASSWORD",
            "dbname" => "PGDATABASE",
            "sslmode" => "PGSSLMODE",
            "sslrootcert" => "PGSSLROOTCERT",
            "sslcert" => "PGSSLCERT",
            "sslkey" => "PGSSLKEY",
            "options" => "PGOPTIONS",
            // How these programs are known to the server is their own business.
            _ => continue,
        };
        variables.push((name, value.to_owned()));
    }
    if url.hosts().len() > 1 {
        // A snapshot lives on one server, and so does what is restored.
        variables.push(("PGTARGETSESSIONATTRS", String::from("read-write")));
    }
    variables.extend(url.connect_timeout().map(|limit| ("PGCONNECT_TIMEOUT", limit.as_secs().to_string())));
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
        assert_eq!(of("postgres:///stoa?host=/run/pg"), expected(&[("PGHOST", "/run/pg"), ("PGDATABASE", "stoa")]));
        assert_eq!(of("postgres://%2Frun%2Fpg/stoa"), expected(&[("PGHOST", "/run/pg"), ("PGDATABASE", "stoa")]));
        assert_eq!(of("postgres://[::1]/stoa"), expected(&[("PGHOST", "::1"), ("PGDATABASE", "stoa")]));
    }

    #[test]
    fn of_several_hosts_the_one_is_found_that_the_shop_writes_to() {
        assert_eq!(
            of("postgres://one,two:5433/stoa?connect_timeout=3"),
            expected(&[
                ("PGHOST", "one,two"),
                ("PGPORT", ",5433"),
                ("PGDATABASE", "stoa"),
                ("PGTARGETSESSIONATTRS", "read-write"),
                ("PGCONNECT_TIMEOUT", "3"),
            ])
        );
    }

    #[test]
    fn options_are_collected() {
        assert_eq!(
            of("postgres://db/stoa?options[search_path]=shop&options=-c%20geqo%3Doff"),
            expected(&[("PGHOST", "db"), ("PGDATABASE", "stoa"), ("PGOPTIONS", "-c search_path=shop -c geqo=off")])
        );
    }
}
