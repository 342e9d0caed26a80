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
        let known = ["SUDO_USER", "USER", "LOGNAME", "USERNAME"].into_iter().find_map(|name| self.word(name));
        known.unwrap_or_else(|| account_name(rustix::process::getuid().as_raw()))
    }

    /// The command that somebody types to run this program as the service's user does: `deploy/shop` says its name.
    pub(crate) fn shop_command(&self) -> Option<String> {
        self.word("SHOP_COMMAND")
    }

    /// A short text that a variable holds.
    fn word(&self, name: &str) -> Option<String> {
        let (_, value) = self.variables.iter().find(|(known, _)| known == name)?;
        let value = value.to_string_lossy().trim().to_owned();
        Some(value).filter(|value| !value.is_empty() && value.len() <= 64 && !value.contains(char::is_control))
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
