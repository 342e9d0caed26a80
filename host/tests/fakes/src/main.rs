//! Serves the fakes of all payment providers, so that a shop can be tried by hand without money.

use std::net::{Ipv4Addr, SocketAddr};

use clap::Parser;
use stoa_fakes::{mollie, paypal, stripe};

/// Fakes for Stripe, Mollie and PayPal on three ports of this machine.
#[derive(Debug, Parser)]
#[command(
    after_help = "Examples:\n  cargo run -p stoa-fakes\n  cargo run -p stoa-fakes -- --shop http://127.0.0.1:9000 --port 4000"
)]
struct Arguments {
    /// Where the shop is, to which callbacks are sent.
    #[arg(long, default_value = "http://127.0.0.1:8080")]
    shop: String,
    /// The port of the fake for Stripe; Mollie and PayPal have the two that follow.
    #[arg(long, default_value_t = 4010)]
    port: u16,
}

#[tokio::main]
async fn main() -> std::io::Result<()> {
    let Arguments { shop, port } = Arguments::parse();
    let address = |offset: u16| SocketAddr::from((Ipv4Addr::LOCALHOST, port.saturating_add(offset)));
    let webhook_url = |gateway: &str| Some(format!("{}/webhooks/payments/{gateway}", shop.trim_end_matches('/')));
    let stripe = stripe::Stripe::start(stripe::Settings {
        address: address(0),
        webhook_url: webhook_url("stripe"),
        ..stripe::Settings::default()
    })
    .await?;
    let mollie = mollie::Mollie::start(mollie::Settings {
        address: address(1),
        webhook_url: webhook_url("mollie"),
        ..mollie::Settings::default()
    })
    .await?;
    let paypal = paypal::Paypal::start(paypal::Settings {
        address: address(2),
        webhook_url: webhook_url("paypal"),
        ..paypal::Settings::default()
    })
    .await?;
    println!("The fakes listen. Put this into the shop's config.toml; Ctrl-C ends them.\n");
    let settings = stripe.settings();
    println!("[payments.stripe]\nenabled = true\napi_base = \"{}\"", stripe.base_url());
    println!("secret_key = \"{}\"\nwebhook_secret = \"{}\"\n", settings.secret_key, settings.webhook_secret);
    println!("[payments.mollie]\nenabled = true\napi_base = \"{}\"", mollie.base_url());
    println!("api_key = \"{}\"\n", mollie.settings().api_key);
    let settings = paypal.settings();
    println!("[payments.paypal]\nenabled = true\napi_base = \"{}\"", paypal.base_url());
    println!("client_id = \"{}\"\nclient_secret = \"{}\"", settings.client_id, settings.client_secret);
    println!("webhook_id = \"{}\"", settings.webhook_id);
    tokio::signal::ctrl_c().await
}
