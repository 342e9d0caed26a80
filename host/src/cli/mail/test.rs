//! `stoa mail test`.

use std::time::Instant;

use clap::Args;
use serde_json::json;
use stoa_core::commands::Progress;
use stoa_core::from_shop::FromShop;
use stoa_core::mail::{TestMail, TestMailError, send_test_mail};

use super::Context;
use crate::cli::order::open;
use crate::failure::Failure;
use crate::output::{print_json, print_line};

/// Send a test mail now, and tell what the mail server said.
#[derive(Debug, Args)]
#[command(
    after_help = "It goes past everything that waits, and is not listed. Exit code 0: the mail server has taken it over.

Examples:
  stoa mail test --to owner@example.com
  stoa mail test --to owner@example.com --json"
)]
pub(super) struct Test {
    /// The address that it is sent to.
    #[arg(long, value_name = "E-MAIL", value_parser = address)]
    to: String,
    /// Print JSON.
    #[arg(long)]
    json: bool,
}

fn address(text: &str) -> Result<String, String> {
    let text = text.trim();
    if stoa_core::http::rules::is_email(text) {
        return Ok(text.to_owned());
    }
    Err(String::from("an e-mail address is expected, such as owner@example.com"))
}

impl Test {
    pub(super) async fn run(&self, context: &Context) -> Result<(), Failure> {
        let parts = open(context).await?;
        let begun = Instant::now();
        let progress = Progress::begin("handing a mail over");
        let sent = send_test_mail(&TestMail::from_shop(&parts), &self.to).await;
        drop(progress);
        let took = u64::try_from(begun.elapsed().as_millis()).unwrap_or(u64::MAX);
        if self.json {
            let (server, answer, message_id, error) = match &sent {
                Ok(sent) => (Some(&sent.server), Some(&sent.answer), Some(&sent.message_id), None),
                Err(TestMailError::NotTaken { server, reason }) => (Some(server), None, None, Some(reason.clone())),
                Err(error) => (None, None, None, Some(error.to_string())),
            };
            print_json(&json!({
                "to": self.to,
                "sent": error.is_none(),
                "server": server,
                "answer": answer,
                "message_id": message_id,
                "error": error,
                "duration_ms": took,
            }))?;
            return if error.is_some() { Err(Failure::Said) } else { Ok(()) };
        }
        let sent = sent.map_err(|error| Failure::operation(format!("the test mail was not sent: {error}")))?;
        print_line(&format!("{} has taken the mail to {} over: {}", sent.server, self.to, sent.answer))?;
        print_line(&format!("message id {} (after {took} ms)", sent.message_id))
    }
}
