//! Environment variables that look like settings and are none, because their levels are not set apart by `__`.

use std::ffi::OsString;

use toml::Table;

use super::sources::{DEFAULTS, PREFIX};

/// Tables in which operators choose the keys.
const OPEN_TABLES: [&[&str]; 2] = [&["tax", "rates"], &["tax", "classes"]];

/// A variable that is no setting, with the one that is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MisnamedVariable {
    /// The variable as it is set.
    pub name: String,
    /// The variable that was probably meant.
    pub meant: String,
}

/// Those among the variables that would be a setting with two underscores between levels. `STOA_TEST_POSTGRES_URL` and the
/// like are the business of others.
pub(super) fn misnamed_variables(environment: &[(OsString, OsString)]) -> Vec<MisnamedVariable> {
    let mut suspects = Vec::new();
    for (name, _) in environment {
        let Some(name) = name.to_str() else { continue };
        let key = name.strip_prefix(PREFIX).filter(|key| key.contains('_') && !key.contains("__"));
        suspects.extend(key.map(|key| (name, key.to_ascii_lowercase())));
    }
    // Only who sets such a variable pays for looking at all settings.
    if suspects.is_empty() {
        return Vec::new();
    }
    let paths = paths();
    let meant = |key: &str| paths.iter().find_map(|path| spelled(key, path));
    let found = suspects.into_iter().filter_map(|(name, key)| {
        let meant = format!("{PREFIX}{}", meant(&key)?.to_ascii_uppercase());
        Some(MisnamedVariable { name: name.to_owned(), meant })
    });
    found.collect()
}

/// The key with its levels set apart, if it is that of a path or of something in an open table.
fn spelled(key: &str, path: &[String]) -> Option<String> {
    let rest = key.strip_prefix(&path.join("_"))?;
    let levels = path.join("__");
    if rest.is_empty() {
        return Some(levels);
    }
    let is_open = OPEN_TABLES.iter().any(|open| path.iter().map(String::as_str).eq(open.iter().copied()));
    let inner = rest.strip_prefix('_').filter(|inner| is_open && !inner.is_empty())?;
    // A class of taxes has a table of its own.
    let inner = if path.ends_with(&[String::from("classes")]) {
        inner.rsplit_once('_').map_or_else(|| inner.to_owned(), |(class, country)| format!("{class}__{country}"))
    } else {
        inner.to_owned()
    };
    Some(format!("{levels}__{inner}"))
}

/// The paths of all settings and tables below the sections.
fn paths() -> Vec<Vec<String>> {
    let example: Table = uncommented().parse().expect("every setting of config.toml can be live, as a test sees to");
    let mut paths = Vec::new();
    for (section, settings) in example {
        if let toml::Value::Table(settings) = settings {
            collect(&settings, &[section], &mut paths);
        }
    }
    paths
}

fn collect(table: &Table, above: &[String], paths: &mut Vec<Vec<String>>) {
    for (key, value) in table {
        let path = [above, std::slice::from_ref(key)].concat();
        if let toml::Value::Table(inner) = value {
            collect(inner, &path, paths);
        }
        paths.push(path);
    }
}

/// `config.toml` with every setting live. In front of a setting stands a bare `#`, of prose a `# `.
pub(super) fn uncommented() -> String {
    let is_setting = |rest: &str| rest.starts_with(|first: char| first.is_ascii_lowercase() || first == '[');
    let live = |line: &'static str| line.strip_prefix('#').filter(|rest| is_setting(rest)).unwrap_or(line);
    DEFAULTS.lines().map(live).collect::<Vec<_>>().join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn meant(name: &str) -> Option<String> {
        let found = misnamed_variables(&[(name.into(), "1".into())]);
        found.into_iter().next().map(|variable| variable.meant)
    }

    #[test]
    fn a_setting_with_too_few_underscores_is_recognized() {
        for (name, wanted) in [
            ("STOA_SERVER_LISTEN", "STOA_SERVER__LISTEN"),
            ("STOA_SERVER_BASE_URL", "STOA_SERVER__BASE_URL"),
            ("STOA_PAYMENTS_STRIPE_SECRET_KEY", "STOA_PAYMENTS__STRIPE__SECRET_KEY"),
            ("STOA_MAIL_SMTP_PASSWORD", "STOA_MAIL__SMTP__PASSWORD"),
            ("STOA_LIMITS_CATALOG", "STOA_LIMITS__CATALOG"),
            ("STOA_LIMITS_FAILED_LOGINS_REQUESTS", "STOA_LIMITS__FAILED_LOGINS__REQUESTS"),
            ("STOA_TAX_RATES_NL", "STOA_TAX__RATES__NL"),
            ("STOA_TAX_CLASSES_REDUCED_NL", "STOA_TAX__CLASSES__REDUCED__NL"),
            ("STOA_MODULES_INVENTORY_ENABLED", "STOA_MODULES__INVENTORY__ENABLED"),
            ("STOA_server_listen", "STOA_SERVER__LISTEN"),
        ] {
            assert_eq!(meant(name).as_deref(), Some(wanted), "{name}");
        }
    }

    #[test]
    fn other_variables_are_left_alone() {
        for name in [
            "STOA_TEST_POSTGRES_URL",
            "STOA_REQUIRE_POSTGRES",
            "STOA_SERVER",
            "STOA_SERVER__LISTEN",
            "STOA_SERVER_NOISE",
            "STOA_BACKUP_DIR",
            "STOA_TAX_RATES_",
            "SERVER_LISTEN",
        ] {
            assert_eq!(meant(name), None, "{name}");
        }
    }
}
