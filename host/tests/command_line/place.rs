//! A folder with a shop in it, and the program run there.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::{Output, Stdio};
use std::time::Duration;

use rustix::process::{Pid, Signal, geteuid, kill_process};
use serde_json::Value;
use stoa_core::clock::Clock;
use stoa_core::config::DatabaseUrl;
use stoa_core::db::{Backend, Db};
use stoa_core::testing::TestDatabase;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdout, Command};
use tokio::task::JoinHandle;
use tokio::time::timeout;

/// Nothing here takes this long unless it hangs.
const PATIENCE: Duration = Duration::from_mins(3);

/// How a command ended.
#[derive(Debug)]
pub(crate) struct Outcome {
    pub(crate) code: i32,
    pub(crate) out: String,
    pub(crate) err: String,
}

impl Outcome {
    fn of(output: Output) -> Self {
        Self {
            code: output.status.code().expect("the program ended by itself"),
            out: String::from_utf8(output.stdout).expect("UTF-8"),
            err: String::from_utf8(output.stderr).expect("UTF-8"),
        }
    }

    /// Success, without anything on standard error.
    #[track_caller]
    pub(crate) fn succeeded(self) -> Self {
        assert_eq!(self.code, 0, "{self:?}");
        self
    }

    /// Failure of this kind, with a message that has all these words and nothing on standard output.
    #[track_caller]
    pub(crate) fn refused(self, code: i32, words: &[&str]) -> Self {
        assert_eq!(self.code, code, "{self:?}");
        assert_eq!(self.out, "", "results are printed although the command failed");
        assert!(!self.err.trim().is_empty() && !self.err.contains("panicked"), "{self:?}");
        for word in words {
            assert!(self.err.contains(word), "{word:?} is missing in: {}", self.err);
        }
        self
    }

    /// The one JSON document on standard output.
    #[track_caller]
    pub(crate) fn json(&self) -> Value {
        serde_json::from_str(&self.out).unwrap_or_else(|error| panic!("{error} in {self:?}"))
    }

    /// The list under `data`.
    #[track_caller]
    pub(crate) fn data(&self) -> Vec<Value> {
        self.json()["data"].as_array().expect("a list under `data`").clone()
    }
}

/// A folder for one installation.
pub(crate) struct ShopFolder {
    folder: TempDir,
    database: Option<TestDatabase>,
    variables: Vec<(String, String)>,
}

impl ShopFolder {
    /// An empty folder.
    pub(crate) fn empty() -> Self {
        let folder = TempDir::new().expect("a temporary folder can be made");
        Self { folder, database: None, variables: Vec::new() }
    }

    /// A folder with this configuration.
    pub(crate) fn with(config: &str) -> Self {
        let place = Self::empty();
        place.write("config.toml", config);
        place
    }

    /// A folder with a configuration that names an empty database of this kind.
    pub(crate) async fn on(backend: Backend) -> Self {
        Self::with_database(TestDatabase::empty(backend).await)
    }

    /// A folder with a configuration that names this database.
    pub(crate) fn with_database(database: TestDatabase) -> Self {
        let url = url_of(&database);
        let mut place = Self::with(&format!("[server]\nlisten = \"127.0.0.1:0\"\n\n[database]\nurl = \"{url}\"\n"));
        place.database = Some(database);
        place
    }

    /// The same with a migrated database.
    pub(crate) async fn migrated(backend: Backend) -> Self {
        // With core's tables already, which a server takes a second to make; the program adds what it lacks.
        let place = Self::with_database(TestDatabase::new(backend).await);
        place.run(["migrate"]).await.succeeded();
        place
    }

    /// The URL of this place's database, with whatever password it has.
    pub(crate) fn database_url(&self) -> String {
        url_of(self.database())
    }

    /// This place's database, to be given to a shop beside the program.
    pub(crate) fn database(&self) -> &TestDatabase {
        self.database.as_ref().expect("this place has a database")
    }

    /// The file of this place's database, which is SQLite's.
    pub(crate) fn database_file(&self) -> PathBuf {
        match self.database().url() {
            DatabaseUrl::SqliteFile(file) => file,
            other => panic!("{other} is no file"),
        }
    }

    /// Sets an environment variable of all commands that follow.
    pub(crate) fn variable(mut self, name: &str, value: &str) -> Self {
        self.variables.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(crate) fn path(&self) -> &Path {
        self.folder.path()
    }

    /// Opens the database beside the program.
    pub(crate) async fn db(&self) -> Db {
        self.database().open(Clock::system()).await
    }

    /// Writes a file.
    pub(crate) fn write(&self, name: &str, content: impl AsRef<[u8]>) {
        std::fs::write(self.path().join(name), content).expect("the temporary folder can be written to");
    }

    /// Adds to the configuration file.
    pub(crate) fn configure(&self, text: &str) {
        let file = self.path().join("config.toml");
        let before = std::fs::read_to_string(&file).expect("there is a configuration");
        self.write("config.toml", format!("{before}\n{text}"));
    }

    fn command(&self, arguments: &[&str]) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_stoa"));
        command.args(arguments).current_dir(self.path()).env_clear().stdin(Stdio::null()).kill_on_drop(true);
        // Backups of PostgreSQL are made by its own programs.
        command.envs(search_path().map(|path| ("PATH", path)));
        command.envs(self.variables.iter().map(|(name, value)| (name, value)));
        command
    }

    /// Runs a command to its end.
    pub(crate) async fn run<'a>(&self, arguments: impl AsRef<[&'a str]>) -> Outcome {
        let arguments = arguments.as_ref();
        let output = timeout(PATIENCE, self.command(arguments).output()).await;
        let output =
            output.unwrap_or_else(|_| panic!("{arguments:?} does not end")).expect("the program can be started");
        Outcome::of(output)
    }

    /// Runs a command to its end as somebody who has no more rights than the files give: the system's administrator, who
    /// may write everywhere, becomes somebody else.
    pub(crate) async fn run_as_anybody<'a>(&self, arguments: impl AsRef<[&'a str]>) -> Outcome {
        let mut command = self.command(arguments.as_ref());
        if geteuid().is_root() {
            command.uid(65534).gid(65534);
        }
        Outcome::of(timeout(PATIENCE, command.output()).await.expect("it ends").expect("the program can be started"))
    }

    /// Runs a command to its end with this on standard input.
    pub(crate) async fn run_with<'a>(&self, arguments: impl AsRef<[&'a str]>, input: &str) -> Outcome {
        let mut command = self.command(arguments.as_ref());
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped());
        let mut child = command.spawn().expect("the program can be started");
        let mut stdin = child.stdin.take().expect("it is piped");
        // A command that wants none of it, or not all, may have closed it.
        let _ = stdin.write_all(input.as_bytes()).await;
        drop(stdin);
        let output = timeout(PATIENCE, child.wait_with_output()).await;
        Outcome::of(output.expect("it ends").expect("it can be waited for"))
    }

    /// Runs a command to its end whose results nobody reads, as when `head` has seen enough.
    pub(crate) async fn run_unread<'a>(&self, arguments: impl AsRef<[&'a str]>) -> Outcome {
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        drop(reader);
        let mut command = self.command(arguments.as_ref());
        let child = command.stdout(writer).stderr(Stdio::piped()).spawn().expect("the program can be started");
        let output = timeout(PATIENCE, child.wait_with_output()).await;
        Outcome::of(output.expect("it ends").expect("it can be waited for"))
    }

    /// Runs a command to its end of which nobody reads anything, not even why it fails, and returns its exit code.
    pub(crate) async fn run_unheard<'a>(&self, arguments: impl AsRef<[&'a str]>) -> Option<i32> {
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        drop(reader);
        let mut command = self.command(arguments.as_ref());
        command.stdout(writer.try_clone().expect("it can be shared")).stderr(writer);
        let ended = timeout(PATIENCE, command.status()).await;
        ended.expect("it ends").expect("it can be waited for").code()
    }

    /// Starts a command that runs until it is stopped, and of which nobody reads the results.
    pub(crate) fn start_unread<'a>(&self, arguments: impl AsRef<[&'a str]>) -> Child {
        let (reader, writer) = std::io::pipe().expect("a pipe can be made");
        drop(reader);
        let mut command = self.command(arguments.as_ref());
        command.stdout(writer).stderr(Stdio::null()).spawn().expect("the program can be started")
    }

    /// Starts a command that runs until it is stopped.
    pub(crate) fn start<'a>(&self, arguments: impl AsRef<[&'a str]>) -> Running {
        let mut command = self.command(arguments.as_ref());
        let child = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn();
        let mut child = child.expect("the program can be started");
        let out = child.stdout.take().expect("it is piped");
        let mut err = child.stderr.take().expect("it is piped");
        // A pipe that is full would stop whoever logs.
        let log = tokio::spawn(async move {
            let mut log = String::new();
            err.read_to_string(&mut log).await.expect("UTF-8");
            log
        });
        Running { child, out: BufReader::new(out).lines(), log }
    }
}

pub(crate) fn url_of(database: &TestDatabase) -> String {
    match database.url() {
        DatabaseUrl::Postgres(url) => url.expose().to_owned(),
        file => file.to_string(),
    }
}

#[expect(clippy::disallowed_methods, reason = "where programs are belongs to the machine, not to a shop")]
pub(crate) fn search_path() -> Option<OsString> {
    std::env::var_os("PATH")
}

/// A command that runs.
pub(crate) struct Running {
    child: Child,
    out: Lines<BufReader<ChildStdout>>,
    log: JoinHandle<String>,
}

impl Running {
    /// Waits for a line of standard output that begins so, and returns what follows.
    pub(crate) async fn line(&mut self, start: &str) -> String {
        let found = timeout(PATIENCE, async {
            while let Some(line) = self.out.next_line().await.expect("UTF-8") {
                if let Some(rest) = line.strip_prefix(start) {
                    return Some(rest.to_owned());
                }
            }
            None
        });
        let found = found.await.unwrap_or_else(|_| panic!("the line {start:?} does not come"));
        found.unwrap_or_else(|| panic!("it ended without the line {start:?}"))
    }

    /// Whether it is over.
    pub(crate) fn has_ended(&mut self) -> bool {
        self.child.try_wait().expect("it can be asked").is_some()
    }

    /// Asks it to stop.
    pub(crate) fn signal(&self, signal: Signal) {
        send(&self.child, signal);
    }

    /// Asks it to stop, and returns the exit code with what was logged.
    pub(crate) async fn stop(mut self, signal: Signal) -> (Option<i32>, String) {
        self.signal(signal);
        let status = timeout(PATIENCE, self.child.wait()).await.expect("it stops").expect("it can be waited for");
        (status.code(), self.log.await.expect("it is read to its end"))
    }
}

/// Sends a signal to a process that runs.
pub(crate) fn send(child: &Child, signal: Signal) {
    let id = child.id().expect("it runs");
    let pid = Pid::from_raw(id.try_into().expect("a process id")).expect("a process id is not 0");
    kill_process(pid, signal).expect("it is ours");
}

/// Whether a list of findings has this check in this state.
pub(crate) fn found(findings: &[Value], check: &str, state: &str) -> bool {
    findings.iter().any(|finding| finding["check"] == check && finding["state"] == state)
}
