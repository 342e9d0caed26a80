//! What the process was started with; the one place that asks for it.

use std::ffi::OsString;
use std::path::PathBuf;

/// Arguments, variables, working directory and file of a process.
#[derive(Debug, Clone)]
pub(crate) struct Environment {
    pub(crate) arguments: Vec<OsString>,
    pub(crate) variables: Vec<(OsString, OsString)>,
    pub(crate) working_directory: PathBuf,
    /// Where the program itself is, if the system tells.
    pub(crate) executable: Option<PathBuf>,
}

impl Environment {
    /// Those of this process.
    #[expect(clippy::disallowed_methods, reason = "this file is where the environment is read")]
    pub(crate) fn of_process() -> Self {
        Self {
            arguments: std::env::args_os().collect(),
            variables: std::env::vars_os().collect(),
            // A directory that was removed under the process cannot hold a configuration either.
            working_directory: std::env::current_dir().unwrap_or_else(|_| PathBuf::from(".")),
            executable: std::env::current_exe().ok(),
        }
    }

    /// The account that this process runs for, as the system calls it: behind `sudo`, the one before it.
    pub(crate) fn user(&self) -> String {
        let named = |name: &str| {
            let value =
                self.variables.iter().find(|(known, _)| known == name).map(|(_, value)| value.to_string_lossy());
            let value = value.map(|value| value.trim().to_owned());
            value.filter(|value| !value.is_empty() && value.len() <= 64 && !value.contains(char::is_control))
        };
        let known = ["SUDO_USER", "USER", "LOGNAME", "USERNAME"].into_iter().find_map(named);
        known.unwrap_or_else(|| account_name(rustix::process::getuid().as_raw()))
    }
}

/// What the system's list of accounts calls a user; one that it does not have is named by its number.
fn account_name(uid: u32) -> String {
    let accounts = std::fs::read_to_string("/etc/passwd").unwrap_or_default();
    named_in(&accounts, uid).map_or_else(|| format!("uid-{uid}"), str::to_owned)
}

fn named_in(accounts: &str, uid: u32) -> Option<&str> {
    accounts.lines().find_map(|line| {
        let mut parts = line.split(':');
        let name = parts.next().filter(|name| !name.is_empty())?;
        (parts.nth(1)?.parse() == Ok(uid)).then_some(name)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_account_is_called_what_the_systems_list_says() {
        let accounts = "root:x:0:0:root:/root:/bin/bash\n\nshop:x:998:998::/var/lib/stoa:/usr/sbin/nologin\n";
        assert_eq!([0, 998, 1].map(|uid| named_in(accounts, uid)), [Some("root"), Some("shop"), None]);
    }
}
