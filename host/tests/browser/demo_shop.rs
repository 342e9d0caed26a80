//! The demo shop, served by the real program.

use std::fs::{self, File, Permissions};
use std::path::{Path, PathBuf};
use std::process::Stdio;

use rustix::process::{Pid, Signal, kill_process};
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::sync::OnceCell;
use tokio::time::timeout;

use super::chromium::PATIENCE;

/// The setting by which a shop is elsewhere than in its folder.
pub(crate) const DATABASE: &str = "STOA_DATABASE__URL";

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
    process: Child,
    /// The program could not go on printing if this were closed.
    _printed: Lines<BufReader<ChildStdout>>,
    folder: TempDir,
}

/// What is left of a demo shop that was made and stopped again: its files with their rights, and the passwords that it has told.
struct Made {
    files: Vec<(PathBuf, Vec<u8>, Permissions)>,
    password: String,
    operator_password: String,
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
    ///
    /// Making a demo shop takes longer than most of what tests do there, so one is made and the others are its copies; but a database
    /// elsewhere is filled anew.
    pub(crate) async fn start_with(settings: &[(&str, &str)]) -> Self {
        static MADE: OnceCell<Made> = OnceCell::const_new();
        let folder = TempDir::new().expect("a temporary folder can be made");
        if settings.iter().any(|(name, _)| *name == DATABASE) {
            return Self::serve(folder, settings).await;
        }
        let made = MADE.get_or_init(Made::new).await;
        made.write(folder.path());
        let shop = Self::serve(folder, settings).await;
        let (password, operator_password) = (made.password.clone(), made.operator_password.clone());
        Self { password, operator_password, ..shop }
    }

    /// Serves what is in a folder.
    async fn serve(folder: TempDir, settings: &[(&str, &str)]) -> Self {
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
        Self { page_url, origin, email, password, operator, operator_password, process, _printed: printed, folder }
    }

    /// Stops the program as operators do.
    async fn stop(&mut self) {
        let id = self.process.id().expect("it runs");
        let pid = Pid::from_raw(id.try_into().expect("a process id")).expect("a process id is not 0");
        kill_process(pid, Signal::TERM).expect("it is ours");
        let status = timeout(PATIENCE, self.process.wait()).await.expect("it stops").expect("it can be waited for");
        assert!(status.success(), "{status}");
    }
}

impl Made {
    async fn new() -> Self {
        let folder = TempDir::new().expect("a temporary folder can be made");
        let mut shop = DemoShop::serve(folder, &[]).await;
        shop.stop().await;
        let mut files = Vec::new();
        read(shop.folder.path(), Path::new("data"), &mut files);
        Self { files, password: shop.password, operator_password: shop.operator_password }
    }

    fn write(&self, folder: &Path) {
        for (path, content, rights) in &self.files {
            let path = folder.join(path);
            fs::create_dir_all(path.parent().expect("it is in a folder")).expect("the folder is ours");
            fs::write(&path, content).expect("the folder is ours");
            fs::set_permissions(&path, rights.clone()).expect("the file is ours");
        }
    }
}

/// Reads all files below `below` in `folder`.
fn read(folder: &Path, below: &Path, files: &mut Vec<(PathBuf, Vec<u8>, Permissions)>) {
    for entry in fs::read_dir(folder.join(below)).expect("it can be read") {
        let entry = entry.expect("it can be read");
        let (path, found) = (below.join(entry.file_name()), entry.metadata().expect("it is there"));
        if found.is_dir() {
            read(folder, &path, files);
        } else {
            files.push((path, fs::read(entry.path()).expect("it can be read"), found.permissions()));
        }
    }
}
