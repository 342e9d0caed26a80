//! One Chromium for all tests of this process.

use std::ffi::OsString;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, LazyLock, Mutex};
use std::time::Duration;

use chromiumoxide::Browser;
use chromiumoxide::error::CdpError;
use chromiumoxide::handler::HandlerConfig;
use futures_util::StreamExt;
use serde_json::Value;
use stoa_core::testing::leave_out;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, BufReader};
use tokio::process::{Child, Command};
use tokio::runtime::Runtime;
use tokio::sync::OnceCell;
use tokio::time::timeout;

/// Nothing here takes this long unless it hangs.
pub(crate) const PATIENCE: Duration = Duration::from_mins(3);

/// What the program may be called.
const NAMES: [&str; 4] = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable"];

/// Runs the browser until this process ends, however it ends: then its standard input is closed.
const GUARD: &str = r#"
"$@" &
browser=$!
cat >/dev/null
kill $browser
wait $browser
# Its other processes may write for a moment longer.
for attempt in 1 2 3 4 5; do rm -rf "$FOLDER" 2>/dev/null && break; sleep 1; done
"#;

/// Without a window and a sandbox, which containers do not allow; and without anything that asks other hosts.
const FLAGS: [&str; 26] = [
    "--headless=new",
    "--no-sandbox",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--remote-debugging-port=0",
    "--lang=en-US",
    "--no-first-run",
    "--no-default-browser-check",
    "--no-pings",
    "--no-proxy-server",
    "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost",
    "--disable-background-networking",
    "--disable-breakpad",
    "--disable-client-side-phishing-detection",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-sync",
    "--disable-features=AutofillServerCommunication,MediaRouter,OptimizationHints,Translate",
    "--metrics-recording-only",
    "--password-store=basic",
    "--use-mock-keychain",
    // Several pages are open at once, and none may be put to sleep for another.
    "--disable-background-timer-throttling",
    "--disable-backgrounding-occluded-windows",
    "--disable-renderer-backgrounding",
];

/// The browser that runs.
pub(crate) struct Chromium {
    pub(crate) browser: Browser,
    /// Messages that this version of the browser sends and the library cannot read.
    unreadable: Arc<Mutex<Vec<String>>>,
    /// Ends the browser when it is closed.
    _guard: Child,
}

impl Chromium {
    /// Events of a session that could not be read, by their names.
    pub(crate) fn unreadable(&self, session: &str) -> Vec<String> {
        let unreadable = self.unreadable.lock().expect("nobody panics with the lock");
        let messages = unreadable.iter().filter_map(|text| serde_json::from_str::<Value>(text).ok());
        let messages = messages.filter(|message| message["sessionId"] == session);
        messages.filter_map(|message| message["method"].as_str().map(str::to_owned)).collect()
    }
}

/// Runs a test with the browser, or leaves it out when there is none.
pub(crate) fn with_chromium(test: impl AsyncFnOnce(&'static Chromium)) {
    // The connection to the browser lives longer than a test.
    static RUNTIME: LazyLock<Runtime> = LazyLock::new(|| Runtime::new().expect("a runtime starts"));
    static CHROMIUM: OnceCell<Chromium> = OnceCell::const_new();
    let Some(program) = find() else {
        let reason = format!("none of {} is on the search path", NAMES.join(", "));
        assert!(
            variable("STOA_REQUIRE_CHROMIUM").is_none_or(|value| value != "1"),
            "Chromium is required, but {reason}"
        );
        leave_out("tests in a browser", &reason);
        return;
    };
    RUNTIME.block_on(async { test(CHROMIUM.get_or_init(|| start(program)).await).await });
}

#[expect(clippy::disallowed_methods, reason = "these variables belong to the test run, not to a shop")]
pub(crate) fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

fn find() -> Option<PathBuf> {
    let path = variable("PATH").unwrap_or_default();
    let folders = std::env::split_paths(&path).collect::<Vec<_>>();
    NAMES.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name))).find(|program| program.is_file())
}

async fn start(program: PathBuf) -> Chromium {
    // The guard removes it, after the browser has ended.
    let folder = TempDir::with_prefix("stoa-chromium-").expect("a temporary folder can be made").keep();
    let mut command = Command::new("sh");
    command.args(["-c", GUARD, "guard"]).arg(program).args(FLAGS);
    command.arg(format!("--user-data-dir={}", folder.display())).arg("about:blank").env("FOLDER", &folder);
    command.stdin(Stdio::piped()).stdout(Stdio::null()).stderr(Stdio::piped());
    let mut guard = command.spawn().expect("a shell can be started");
    let url = timeout(PATIENCE, debugging_url(&mut guard)).await.expect("Chromium starts in time");
    let config = HandlerConfig {
        ignore_invalid_messages: false,
        request_timeout: PATIENCE * 2,
        viewport: None,
        ..HandlerConfig::default()
    };
    let connected = Browser::connect_with_config(url, config).await;
    let (browser, mut handler) = connected.expect("Chromium lets us in");
    let unreadable = Arc::new(Mutex::new(Vec::new()));
    let noted = Arc::clone(&unreadable);
    tokio::spawn(async move {
        while let Some(handled) = handler.next().await {
            match handled {
                Ok(()) => {}
                Err(CdpError::InvalidMessage(text, _)) => noted.lock().expect("nobody panics with the lock").push(text),
                Err(error) => panic!("the connection to Chromium is lost: {error}"),
            }
        }
    });
    Chromium { browser, unreadable, _guard: guard }
}

/// Where the browser can be controlled, which it prints among much else.
async fn debugging_url(guard: &mut Child) -> String {
    let mut printed = BufReader::new(guard.stderr.take().expect("it is piped")).lines();
    let mut said = Vec::new();
    while let Some(line) = printed.next_line().await.expect("it can be read") {
        if let Some(url) = line.strip_prefix("DevTools listening on ") {
            // It must never wait for somebody to read what it prints.
            tokio::spawn(async move { while let Ok(Some(_)) = printed.next_line().await {} });
            return url.to_owned();
        }
        said.push(line);
    }
    panic!("Chromium does not start:\n{}", said.join("\n"));
}
