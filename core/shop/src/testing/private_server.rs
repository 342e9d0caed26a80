//! A PostgreSQL server of our own, started from installed binaries where no server answers.
//!
//! It listens on a socket in a folder of its own, so nobody else can reach it, keeps nothing durable, and serves all test
//! processes of a build directory. A test runner ends without telling anybody, so the server is guarded by a small shell
//! script that ends it, and removes the folder, when no test has asked for it for two minutes.

use std::fs::{File, OpenOptions};
use std::io::{Read, Seek, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};

use tempfile::TempDir;
use url::Url;

use super::environment;
use super::postgres::answers;

/// Where the packages of Debian and its kin put the server, one folder for each version.
const DEBIAN_VERSIONS: &str = "/usr/lib/postgresql";

/// The file whose time of change tells the guard that somebody has just needed the server.
const USED: &str = "used";

/// Times that a started server is asked whether it is ready, 100 ms apart.
const PATIENCE: u32 = 600;

/// Makes the cluster, runs the server, and waits until nobody needs it any more.
const GUARD: &str = r#"
cd "$FOLDER" || exit 1
"$BINARIES/initdb" -D data -U postgres --auth=trust --encoding=UTF8 --locale=C --no-sync >log 2>&1 || exit 1
"$BINARIES/postgres" -D data -k "$FOLDER" -c listen_addresses= -c max_connections=300 \
    -c fsync=off -c synchronous_commit=off -c full_page_writes=off >>log 2>&1 &
server=$!
# Somebody has made a database lately, or was connected to one.
is_used() {
    ! ps -A -o ppid=,args= | grep "^ *$server .*\[local\]" >/dev/null || touch used
    [ -n "$(find used -mmin -2)" ]
}
while kill -0 $server && is_used; do sleep 5; done
kill -INT $server
wait $server
cd / && rm -rf "$FOLDER"
"#;

/// The private server of this build directory, started if it does not run; or why there is none.
pub(super) async fn find_or_start() -> Result<Url, String> {
    // The lock is held until the server answers, so that processes that start together start one.
    let mut note = tokio::task::spawn_blocking(lock_note).await.map_err(text)??;
    let mut folder = String::new();
    note.read_to_string(&mut folder).map_err(text)?;
    if !folder.is_empty() {
        let running = PathBuf::from(folder);
        if touch(&running).is_ok() && answers(&url(&running)?).await.is_ok() {
            return url(&running);
        }
    }
    let binaries = find_binaries().ok_or("no server answers at 127.0.0.1:5432, and PostgreSQL is not installed")?;
    let started = start(&binaries)?;
    let url = url(&started)?;
    for _ in 0..PATIENCE {
        if answers(&url).await.is_ok() {
            note.set_len(0).and_then(|()| note.rewind()).map_err(text)?;
            note.write_all(started.to_string_lossy().as_bytes()).map_err(text)?;
            return Ok(url);
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    let log = std::fs::read_to_string(started.join("log")).unwrap_or_default();
    Err(format!("the private PostgreSQL server in {} does not start: {log}", started.display()))
}

/// Opens and locks the note that tells other processes where the server is; beside the test binaries.
fn lock_note() -> Result<File, String> {
    let program = std::env::current_exe().map_err(text)?;
    let folder = program.parent().ok_or("the test binary lies in no folder")?;
    let path = folder.join("stoa-test-postgres");
    let note = OpenOptions::new().create(true).truncate(false).read(true).write(true).open(path).map_err(text)?;
    note.lock().map_err(text)?;
    Ok(note)
}

fn url(folder: &Path) -> Result<Url, String> {
    let mut url = Url::parse("postgres:///postgres?user=postgres").map_err(text)?;
    url.query_pairs_mut().append_pair("host", &folder.to_string_lossy());
    Ok(url)
}

/// The folder of PostgreSQL's own programs, if they are installed.
pub(super) fn find_binaries() -> Option<PathBuf> {
    let versions = std::fs::read_dir(DEBIAN_VERSIONS).into_iter().flatten();
    let mut packaged = versions.flatten().map(|version| version.path().join("bin")).collect::<Vec<_>>();
    packaged.sort();
    let candidates = packaged.into_iter().rev().chain(environment::search_path());
    candidates.into_iter().find(|folder| folder.join("initdb").is_file() && folder.join("postgres").is_file())
}

/// Starts the guard, and returns the folder in which the server will listen.
fn start(binaries: &Path) -> Result<PathBuf, String> {
    let folder = tempfile::Builder::new().prefix("stoa-postgres-").tempdir().map_err(text)?;
    let place = folder.path().to_string_lossy().into_owned();
    // The server lets everybody in who reaches its socket.
    output("chmod", &["700", &place])?;
    touch(folder.path()).map_err(text)?;
    let script = format!("FOLDER='{place}'\nBINARIES='{}'\n{GUARD}", binaries.display());
    std::fs::write(folder.path().join("guard.sh"), script).map_err(text)?;
    let mut guard = if let Some(account) = account() {
        output("chown", &["-R", account, &place])?;
        let mut switched = Command::new("su");
        switched.args(["-s", "/bin/sh", account, "-c", &format!("sh '{place}/guard.sh'")]);
        switched
    } else {
        let mut shell = Command::new("sh");
        shell.arg(folder.path().join("guard.sh"));
        shell
    };
    guard.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // Ending the test run by a key must not end the server of another one.
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut guard, 0);
    guard.spawn().map_err(text)?;
    // From here on the guard removes it.
    Ok(TempDir::keep(folder))
}

/// Whose PostgreSQL runs where the test is run by root, which it refuses to be; else none.
pub(super) fn account() -> Option<&'static str> {
    let is_root = output("id", &["-u"]).is_ok_and(|user| user == "0");
    is_root.then(|| if output("id", &["-u", "postgres"]).is_ok() { "postgres" } else { "nobody" })
}

fn touch(folder: &Path) -> std::io::Result<()> {
    let used = OpenOptions::new().create(true).truncate(false).write(true).open(folder.join(USED))?;
    used.set_modified(SystemTime::now())
}

/// What a program prints, without the line break; an error when it fails.
fn output(program: &str, arguments: &[&str]) -> Result<String, String> {
    let done = Command::new(program).args(arguments).output().map_err(|error| format!("`{program}`: {error}"))?;
    if !done.status.success() {
        return Err(format!("`{program}`: {}", String::from_utf8_lossy(&done.stderr).trim()));
    }
    Ok(String::from_utf8_lossy(&done.stdout).trim().to_owned())
}

fn text(error: impl std::fmt::Display) -> String {
    error.to_string()
}
