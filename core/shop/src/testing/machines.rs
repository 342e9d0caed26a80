//! Several machines for one test: PostgreSQL servers that copy one another, and poolers before them.
//!
//! They are started from installed programs, listen on sockets in a folder of their own, keep nothing durable, and end with
//! the test; where that is killed, a small shell script notices and ends them.

use std::future::Future;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

use stoa_kernel::config::DatabaseUrl;
use stoa_kernel::testing::leave_out;
use tempfile::TempDir;

use super::environment;
use super::private_server::{account, find_binaries};
use super::run::block_on;

/// The first server, with an empty database that is called `stoa`.
const PRIMARY: &str = r#"
mkdir one.socket
"$B/initdb" -D one -U postgres --auth=trust --encoding=UTF8 --locale=C --no-sync
cat >> one/postgresql.conf <<END
listen_addresses = ''
max_connections = 60
shared_buffers = 16MB
fsync = off
full_page_writes = off
wal_keep_size = 64MB
END
"$B/pg_ctl" -D one -o "-k '$F/one.socket'" -l one.log -w start
"$B/createdb" -h "$F/one.socket" -U postgres stoa
"#;

/// A copy of a server that follows it.
const STANDBY: &str = r#"
rm -rf "$NAME"
mkdir -p "$NAME.socket"
"$B/pg_basebackup" -d "host=$F/$PRIMARY.socket user=postgres application_name=$NAME" -D "$NAME" -R -X stream -c fast --no-sync
"$B/pg_ctl" -D "$NAME" -o "-k '$F/$NAME.socket'" -l "$NAME.log" -w start
"#;

/// Has commits of a server wait for its standby.
const SYNCHRONOUS: &str = r#"
echo "synchronous_standby_names = '$NAME'" >> "$PRIMARY/postgresql.conf"
"$B/pg_ctl" -D "$PRIMARY" reload
until [ "$("$B/psql" -h "$F/$PRIMARY.socket" -U postgres -Atc "SELECT sync_state FROM pg_stat_replication")" = sync ]; do
    sleep 0.1
done
"#;

/// PgBouncer in transaction mode before a server, which it gives few connections to.
const POOLER: &str = r#"
mkdir "$NAME.socket"
echo '"postgres" ""' > users.txt
cat > "$NAME.ini" <<END
[databases]
stoa = host=$F/$SERVER.socket dbname=stoa
[pgbouncer]
listen_port = 5432
unix_socket_dir = $F/$NAME.socket
auth_type = trust
auth_file = $F/users.txt
pool_mode = transaction
default_pool_size = 3
logfile = $F/$NAME.log
pidfile = $F/$NAME.pid
$SETTINGS
END
"#;

/// Starts it.
const POOL: &str = r#"
"$POOLER" -q -d "$NAME.ini"
# It listens only after it has gone into the background.
tries=0
until [ -S "$NAME.socket/.s.PGSQL.5432" ]; do
    tries=$((tries + 1))
    if [ $tries -gt 200 ]; then cat "$NAME.log"; exit 1; fi
    sleep 0.05
done
"#;

/// Ends it as a crash does; what it leaves would keep it from starting.
const KILL_POOLER: &str = r#"
kill -KILL "$(cat "$NAME.pid")"
rm -f "$NAME.pid" "$NAME.socket"/.s.PGSQL.*
"#;

/// Stops all processes of a server where they are, or has them go on.
const SIGNAL: &str = r#"
main=$(head -n 1 "$NAME/postmaster.pid")
kill -$SIGNAL "$main" $(pgrep -P "$main")
"#;

/// Ends whatever runs in the folder.
const END: &str = r#"
for server in one two; do
    if [ -f $server/frozen ]; then kill -CONT "$(head -n 1 $server/postmaster.pid)" || true; fi
    if [ -f $server/postmaster.pid ]; then "$B/pg_ctl" -D $server -m immediate stop || true; fi
done
for pooler in *.pid; do
    if [ -f "$pooler" ]; then kill -INT "$(cat "$pooler")" || true; fi
done
"#;

/// Notices that the test is gone. Another user's process cannot be asked by a signal.
const GUARD: &str = r#"
is_there() { if [ -e /proc/self ]; then [ -e "/proc/$PARENT" ]; else ps -p "$PARENT"; fi }
while is_there && [ -d "$F" ]; do sleep 1; done
cd "$F" || exit 0
"#;

/// PostgreSQL servers `one` and `two`, and poolers.
pub struct PostgresMachines {
    folder: TempDir,
    binaries: PathBuf,
    pooler: PathBuf,
    guard: Option<Child>,
}

impl PostgresMachines {
    fn new(binaries: PathBuf, pooler: PathBuf) -> Self {
        let folder =
            tempfile::Builder::new().prefix("stoa-machines-").tempdir().expect("a temporary folder can be made");
        let mut machines = Self { folder, binaries, pooler, guard: None };
        if let Some(account) = account() {
            let given = Command::new("chown").args([account, &machines.path()]).status();
            assert!(given.is_ok_and(|given| given.success()), "the folder cannot be given to {account}");
        }
        let parent = format!("PARENT={}", std::process::id());
        let mut guard = machines.command(&[parent.as_str(), GUARD, END, "rm -rf \"$F\""].join("\n"));
        guard.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
        // Ending the test run by a key must not end who cleans up after it.
        #[cfg(unix)]
        std::os::unix::process::CommandExt::process_group(&mut guard, 0);
        machines.guard = guard.spawn().ok();
        machines.run(PRIMARY);
        machines
    }

    /// Starts a server, `one` or `two`, that copies and follows the other; what it had before is gone.
    pub fn add_standby(&self, name: &str, primary: &str) {
        self.run(&format!("NAME={name}\nPRIMARY={primary}\n{STANDBY}"));
    }

    /// Has commits of a server wait until its standby has them.
    pub fn make_synchronous(&self, primary: &str, standby: &str) {
        self.run(&format!("PRIMARY={primary}\nNAME={standby}\n{SYNCHRONOUS}"));
    }

    /// Starts a pooler before a server, with these settings besides.
    pub fn add_pooler(&self, name: &str, server: &str, settings: &str) {
        self.run(&format!("NAME='{name}'\nSERVER='{server}'\nSETTINGS='{settings}'\n{POOLER}"));
        self.start_pooler(name);
    }

    /// Kills a pooler, with all connections through it.
    pub fn kill_pooler(&self, name: &str) {
        self.run(&format!("NAME='{name}'\n{KILL_POOLER}"));
    }

    /// Starts a pooler again.
    pub fn start_pooler(&self, name: &str) {
        self.run(&format!("NAME='{name}'\nPOOLER='{}'\n{POOL}", self.pooler.display()));
    }

    /// Ends a server as a crash does.
    pub fn crash(&self, name: &str) {
        self.run(&format!("\"$B/pg_ctl\" -D {name} -m immediate stop"));
    }

    /// Has a server hang, with all connections to it, as a machine does whose disk or memory is at an end.
    pub fn freeze(&self, name: &str) {
        self.run(&format!("NAME={name}\nSIGNAL=STOP\ntouch {name}/frozen\n{SIGNAL}"));
    }

    /// Has it go on as if nothing had been.
    pub fn thaw(&self, name: &str) {
        self.run(&format!("NAME={name}\nSIGNAL=CONT\n{SIGNAL}\nrm {name}/frozen"));
    }

    /// Starts a server again.
    pub fn start_again(&self, name: &str) {
        self.run(&format!("\"$B/pg_ctl\" -D {name} -o \"-k '$F/{name}.socket'\" -l {name}.log -w start"));
    }

    /// Makes a standby the primary.
    pub fn promote(&self, name: &str) {
        self.run(&format!("\"$B/pg_ctl\" -D {name} -w promote"));
    }

    /// Runs a statement on a server, as its administrator.
    pub fn administrate(&self, name: &str, statement: &str) {
        let statement = statement.replace('$', "\\$");
        self.run(&format!(
            "\"$B/psql\" -h \"$F/{name}.socket\" -U postgres -v ON_ERROR_STOP=1 -c \"{statement}\" stoa"
        ));
    }

    /// The address of the database on these servers or poolers.
    pub fn url(&self, names: &[&str]) -> DatabaseUrl {
        DatabaseUrl::parse(&self.address(names)).expect("an address of PostgreSQL")
    }

    /// The same as a text.
    pub fn address(&self, names: &[&str]) -> String {
        let hosts = names.iter().map(|name| format!("{}/{name}.socket", self.path())).collect::<Vec<_>>().join(",");
        format!("postgres:///stoa?user=postgres&port=5432&host={hosts}")
    }

    fn path(&self) -> String {
        self.folder.path().display().to_string()
    }

    fn command(&self, script: &str) -> Command {
        let (folder, binaries) = (self.path(), self.binaries.display());
        let script = format!("set -e\nF='{folder}'\nB='{binaries}'\ncd \"$F\"\n{script}");
        let mut command = if let Some(account) = account() {
            let mut switched = Command::new("su");
            switched.args(["-s", "/bin/sh", account, "-c"]);
            switched
        } else {
            let mut shell = Command::new("sh");
            shell.arg("-c");
            shell
        };
        command.arg(script).current_dir("/");
        command
    }

    #[track_caller]
    fn run(&self, script: &str) {
        let done = self.command(script).stdin(Stdio::null()).output().expect("a shell starts");
        let told = |bytes| String::from_utf8_lossy(bytes).into_owned();
        assert!(done.status.success(), "{script}\n{}{}", told(&done.stdout), told(&done.stderr));
    }
}

impl Drop for PostgresMachines {
    fn drop(&mut self) {
        let _ = self.command(END).stdin(Stdio::null()).output();
        let _ = std::fs::remove_dir_all(self.folder.path());
        // It sees that the folder is gone.
        if let Some(mut guard) = self.guard.take() {
            let _ = guard.wait();
        }
    }
}

/// Runs one test with machines of its own, or leaves it out where their programs are not installed, which
/// `STOA_REQUIRE_MACHINES=1` makes a failure.
pub fn run_machines_test<F: Future<Output = ()>>(test: impl FnOnce(PostgresMachines) -> F) {
    let programs = find_binaries().filter(|folder| has_all(folder)).zip(find_pooler());
    let Some((binaries, pooler)) = programs else {
        let reason = "PostgreSQL's own programs or pgbouncer are not installed";
        assert!(!environment::requires_machines(), "{reason}");
        leave_out("tests on several machines", reason);
        return;
    };
    block_on(async { test(PostgresMachines::new(binaries, pooler)).await });
}

fn has_all(folder: &Path) -> bool {
    ["pg_ctl", "pg_basebackup", "psql", "createdb"].iter().all(|program| folder.join(program).is_file())
}

fn find_pooler() -> Option<PathBuf> {
    let folders = environment::search_path().into_iter().chain([PathBuf::from("/usr/sbin")]);
    folders.map(|folder| folder.join("pgbouncer")).find(|program| program.is_file())
}
