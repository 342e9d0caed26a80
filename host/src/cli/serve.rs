//! `stoa serve`: the HTTP server with its worker.

use std::io::Write;
use std::net::{IpAddr, SocketAddr};
use std::time::Duration;

use clap::Args;
use stoa_core::config::Config;
use stoa_core::random::Random;
use stoa_kernel::from_shop::ShopParts;
use tokio_util::sync::CancellationToken;
use tokio_util::task::TaskTracker;

use super::Context;
use super::commands::{Commands, Group};
use super::doctor::configuration::wrong_port;
use super::doctor::finding::Finding;
use crate::demo::{self, DemoLogin, DemoLogins};
use crate::failure::Failure;
use crate::installation::{Installation, OpenMode};
use crate::modules::DOCUMENTATION_MODULE;
use crate::output::print_bytes;
use crate::server::{Server, ServerLimits};
use crate::shutdown::{StopSignals, stop_tasks};
use crate::telemetry::Telemetry;

/// How long tasks may take to stop after the last request.
const STOP_LIMIT: Duration = Duration::from_secs(5);

pub(super) fn register(commands: &mut Commands) {
    commands.add("serve", Group::RunTheShop, Serve::run);
}

/// Run the shop.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  stoa serve --demo\n  stoa --config /etc/stoa/config.toml serve")]
pub(super) struct Serve {
    /// Load the demo shop into an empty database, and switch on the gateways `development` and `simulated` and every
    /// module that the configuration does not mention, for commands beside it too. A shop of your own is refused.
    #[arg(long)]
    demo: bool,
}

impl Serve {
    async fn run(&self, context: &Context) -> Result<(), Failure> {
        let purpose = if self.demo { OpenMode::Demo } else { OpenMode::Configured };
        let installation = context.installation(purpose)?;
        let telemetry = Telemetry::of_service(&installation.config)?;
        if purpose == OpenMode::Configured && installation.file.is_none() {
            tracing::info!(
                folder = %installation.folder.display(),
                "there is no config.toml here, so the shop is as by default: `stoa init` begins one of your own, and \
                 `--config FILE` names the configuration of one that stands elsewhere"
            );
        }
        if let Some(Finding { message, fix, .. }) = wrong_port(&installation.config) {
            tracing::warn!(fix, "{message}");
        }
        let signals = StopSignals::install()?;
        let server = Server::bind(installation.config.server.listen)
            .await
            .map_err(|error| Failure::operation(error.to_string()))?;
        let base_url = base_url(&installation.config, server.local_addr());
        let db = installation.open_for_service(purpose).await?;
        let parts = installation.parts(db, &base_url).await?;
        let demo = match purpose {
            OpenMode::Demo => Some(demo::load(&installation, &parts, &Random::system()).await?),
            OpenMode::Configured => {
                demo::mark_configured(&parts.db).await?;
                None
            }
        };
        let served = serve(installation, server, parts, demo.as_ref(), signals, &telemetry).await;
        telemetry.stop().await;
        served
    }
}

async fn serve(
    installation: Installation,
    server: Server,
    parts: ShopParts,
    demo: Option<&DemoLogins>,
    signals: StopSignals,
    telemetry: &Telemetry,
) -> Result<(), Failure> {
    let limits = limits(&installation.config);
    let stop_delay = Duration::from_secs(installation.config.server.stop_delay_seconds);
    let works = installation.config.worker.enabled;
    let console = &installation.config.console;
    let console = console.enabled.then(|| console.path.0.clone());
    let (db, base_url) = (parts.db.clone(), parts.base_url.clone());
    let mut shop = installation.program.open(parts).await?;
    let tracker = TaskTracker::new();
    let stop = CancellationToken::new();
    shop.start(&tracker, &stop).await?;
    telemetry.send_metrics(shop.instruments.as_ref(), &tracker, &stop);
    if !works {
        tracing::info!(
            "worker.enabled is off: mails, webhooks, events and jobs wait for another instance or `stoa worker`"
        );
    }
    let shown = Shown {
        documentation: installation.config.modules.get(DOCUMENTATION_MODULE).is_some_and(|section| section.enabled),
        console: console.map(|path| format!("{base_url}{path}")),
    };
    announce(server.local_addr(), &base_url, &shown, demo)?;
    let accepting = CancellationToken::new();
    let relay = signals.watch(accepting.clone());
    let leaving = shop.leaving.clone();
    let left = async {
        accepting.cancelled().await;
        leaving.cancel();
        tokio::time::sleep(stop_delay).await;
    };
    server.serve(shop.front.clone(), limits, left).await;
    stop_tasks(&stop, &tracker, STOP_LIMIT).await;
    relay.abort();
    db.close().await;
    Ok(())
}

/// What a shop shows besides itself.
struct Shown {
    documentation: bool,
    /// Where the console is.
    console: Option<String>,
}

fn announce(address: SocketAddr, base_url: &str, shown: &Shown, demo: Option<&DemoLogins>) -> Result<(), Failure> {
    let mut out = Vec::new();
    writeln!(out, "listening on http://{address}")?;
    writeln!(out, "shop           {base_url}/")?;
    writeln!(out, "API reference  {base_url}/development/api")?;
    if shown.documentation {
        writeln!(out, "documentation  {base_url}/docs")?;
    }
    if let Some(DemoLogins { customer, .. }) = demo {
        announce_login(&mut out, "demo customer  ", customer, "")?;
    }
    if let Some(console) = &shown.console {
        writeln!(out, "console        {console}")?;
    }
    if let Some(DemoLogins { customer, operator }) = demo {
        let otherwise = format!("; `stoa staff login-link {}` lets you in without it", operator.email);
        announce_login(&mut out, "operator       ", operator, &otherwise)?;
        writeln!(out, "\nTry it:")?;
        writeln!(out, "  curl '{base_url}/api/v1/search?q=lamp'")?;
        if let DemoLogin { email, password: Some(password) } = customer {
            let body = format!(r#"{{"email": "{email}", "password": "{password}", "name": "curl"}}"#);
            writeln!(out, "  curl {base_url}/api/v1/auth/tokens -H 'Content-Type: application/json' -d '{body}'")?;
        }
    }
    print_bytes(&out)
}

/// Tells a login of the demo; `otherwise` says how to get in where the password is not known any more.
fn announce_login(out: &mut impl Write, who: &str, login: &DemoLogin, otherwise: &str) -> Result<(), Failure> {
    writeln!(out, "{who}{}", login.email)?;
    match &login.password {
        Some(password) => writeln!(out, "password       {password}")?,
        None => writeln!(out, "password       (was shown when the demo shop was made{otherwise})")?,
    }
    Ok(())
}

fn limits(config: &Config) -> ServerLimits {
    let server = &config.server;
    ServerLimits {
        max_connections: server.max_connections,
        max_connections_per_address: server.max_connections_per_address(),
        header_read: Duration::from_secs(server.header_timeout_seconds),
        idle: Duration::from_secs(server.idle_timeout_seconds),
        ..ServerLimits::default()
    }
}

/// The public URL: as configured, else derived from the address that was bound.
pub(super) fn base_url(config: &Config, bound: SocketAddr) -> String {
    if let Some(url) = &config.server.base_url {
        return url.as_str().to_owned();
    }
    let host = match bound.ip() {
        ip if ip.is_unspecified() => String::from("localhost"),
        IpAddr::V4(ip) => ip.to_string(),
        IpAddr::V6(ip) => format!("[{ip}]"),
    };
    format!("http://{host}:{}", bound.port())
}
