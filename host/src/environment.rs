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
        known.unwrap_or_else(|| format!("uid-{}", rustix::process::getuid().as_raw()))
    }
}
