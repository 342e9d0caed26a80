//! The demo shop, served by the real program.

use std::fs::{self, File};
use std::process::Stdio;

use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::time::timeout;

use super::chromium::PATIENCE;

/// A shop that is served as long as this lives.
pub(crate) struct DemoShop {
    /// The page under test, as the program prints it.
    pub(crate) page_url: String,
    /// Scheme, host and port.
    pub(crate) origin: String,
    pub(crate) email: String,
    pub(crate) password: String,
    /// Who works in the console.
    pub(crate) operator: String,
    pub(crate) operator_password: String,
    _process: Child,
    /// The program could not go on printing if this were closed.
    _printed: Lines<BufReader<ChildStdout>>,
    _folder: TempDir,
}

impl DemoShop {
    pub(crate) async fn start() -> Self {
        Self::start_with(&[]).await
    }

    /// The same shop by the name of this machine.
    pub(crate) fn by_name(mut self) -> Self {
        self.origin = self.origin.replace("127.0.0.1", "localhost");
        self
    }

    /// The same with settings, as the environment gives them.
    pub(crate) async fn start_with(settings: &[(&str, &str)]) -> Self {
        let folder = TempDir::new().expect("a temporary folder can be made");
        let log = folder.path().join("log");
        let mut command = Command::new(env!("CARGO_BIN_EXE_stoa"));
        command.args(["serve", "--demo"]).current_dir(folder.path()).env_clear().kill_on_drop(true);
        command.envs(settings.iter().copied());
        command.env("STOA_SERVER__LISTEN", "127.0.0.1:0").stdin(Stdio::null()).stdout(Stdio::piped());
        command.stderr(File::create(&log).expect("the folder is ours"));
        let mut process = command.spawn().expect("the program can be started");
        let mut printed = BufReader::new(process.stdout.take().expect("it is piped")).lines();
        let mut value = async |name: &str| {
            while let Some(line) =
                timeout(PATIENCE, printed.next_line()).await.expect("it starts in time").expect("UTF-8")
            {
                if let Some(value) = line.strip_prefix(name) {
                    return value.trim().to_owned();
                }
            }
            panic!("it ended without the line {name:?}: {}", fs::read_to_string(&log).unwrap_or_default());
        };
        let origin = value("shop ").await.trim_end_matches('/').to_owned();
        let page_url = value("API reference ").await;
        let (email, password) = (value("demo customer ").await, value("password ").await);
        let (operator, operator_password) = (value("operator ").await, value("password ").await);
        Self {
            page_url,
            origin,
            email,
            password,
            operator,
            operator_password,
            _process: process,
            _printed: printed,
            _folder: folder,
        }
    }
}
