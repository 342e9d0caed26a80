//! Receives the webhooks of a shop into a file.

use std::io;
use std::net::SocketAddr;
use std::path::PathBuf;

use clap::Parser;
use stoa_core::clock::Clock;
use stoa_core::secret::Secret;
use stoa_webhook_receiver::{Inbox, Receiver, router};
use tokio::net::TcpListener;

/// Receive the webhooks of a shop into a file, verified and each once.
#[derive(Debug, Parser)]
struct Arguments {
    /// Where to listen; a proxy in front of it does TLS.
    #[arg(long, default_value = "127.0.0.1:4000")]
    listen: SocketAddr,
    /// The secret that `stoa webhook add` printed.
    #[arg(long, env = "WEBHOOK_SECRET", hide_env_values = true)]
    secret: String,
    /// The file.
    #[arg(long, default_value = "inbox.jsonl")]
    inbox: PathBuf,
}

#[tokio::main]
async fn main() -> io::Result<()> {
    let Arguments { listen, secret, inbox } = Arguments::parse();
    let receiver = Receiver { secret: Secret::new(secret), clock: Clock::system(), inbox: Inbox::open(&inbox)? };
    let listener = TcpListener::bind(listen).await?;
    println!("listening on http://{}/hook", listener.local_addr()?);
    axum::serve(listener, router(receiver)).await
}
